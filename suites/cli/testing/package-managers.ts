import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, ok, type Packed } from './packed.ts'

/** A package manager that installs no more than a package declares. */
interface PackageManager {
  name: string
  /** The package that brings it, with its version. Absent: it comes with Node. */
  from?: string
  /** Its program in that package. */
  program: string
  /** Files of the project that make it strict. */
  files?: Readonly<Record<string, string>>
  /** Its commands; the path of a package, or the call of its program, is appended. */
  add: string
  exec: string
}

const ARCHITECTURE = process.arch === 'arm64' ? 'aarch64' : process.arch
const BUN = `@oven/bun-${process.platform}-${ARCHITECTURE}`

export const PACKAGE_MANAGERS: readonly PackageManager[] = [
  { name: 'npm without peers', program: 'npm', add: 'install --legacy-peer-deps', exec: 'exec --' },
  {
    name: 'pnpm without hoisting',
    from: 'pnpm@12.21.0',
    program: 'node_modules/pnpm/pnpm',
    files: {
      'pnpm-workspace.yaml': 'autoInstallPeers: false\nhoist: false\nstrictPeerDependencies: true\n',
    },
    add: 'add',
    exec: 'exec',
  },
  {
    name: "Yarn 4 with Plug'n'Play",
    from: '@yarnpkg/cli-dist@4.18.1',
    program: 'node_modules/@yarnpkg/cli-dist/bin/yarn.js',
    // The lock file makes the folder a project of its own.
    files: { '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\n', 'yarn.lock': '' },
    add: 'add',
    exec: 'exec',
  },
  { name: 'bun', from: `${BUN}@1.4.5`, program: `node_modules/${BUN}/bin/bun`, add: 'add', exec: 'run' },
]

/** Runs a call of the package's program, as `certify --json`, in a project. */
type Installed = (call: string, env: Readonly<Record<string, string>>) => Promise<Ended>

/**
 * Makes a project with these files, in which a package manager of the npm registry has installed the package.
 *
 * @param skip ends the test if the registry answers that it does not have this package manager
 * @throws Error if the registry cannot be reached: `npm ci` needed it, too, and nobody would notice what is not declared
 */
export async function installedBy(
  { name, from, program, files, add, exec }: PackageManager,
  { shell, tarball, clone }: Packed,
  project: Readonly<Record<string, string>>,
  skip: (reason: string) => never,
): Promise<Installed> {
  const folder = (kind: string) => {
    const path = join(clone, '..', `${kind}-${name.replaceAll(/\W+/g, '-')}`)
    mkdirSync(path, { recursive: true })
    return path
  }
  const tools = folder('tools')
  if (from !== undefined) {
    const fetched = await shell(`npm install --ignore-scripts --prefix . ${from}`, { cwd: tools })
    if (/\bE(?:404|TARGET)\b/.test(fetched.stderr)) skip(`the registry does not have ${from}`)
    await ok(Promise.resolve(fetched))
  }
  const cwd = folder('by')
  const all = { 'package.json': '{ "name": "partner", "private": true }', ...files, ...project }
  for (const [file, text] of Object.entries(all)) writeFileSync(join(cwd, file), text)
  // npm's own settings say where the registry is; Yarn does not read them.
  const registry = (await ok(shell('npm config get registry', { cwd }))).trim()
  const manager = from === undefined ? program : `'${join(tools, program)}'`
  const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
    shell(`${manager} ${line}`, { cwd, env: { ...env, YARN_NPM_REGISTRY_SERVER: registry } })
  await ok(run(`${add} '${tarball}'`))
  return (call, env) => run(`${exec} travel-sales ${call}`, env)
}
