import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder, type Until } from '../../../fixtures/client/testing/until.ts'
import { writeProgram } from '../../../fixtures/output/testing/program.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** The result of a shell command. */
interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** A clone, the package made from it, and a project with the package installed. */
export interface Packed {
  clone: string
  tarball: string
  project: string
  /** Runs a shell line as printed, by default with the Node that runs the tests. */
  shell(line: string, options: ShellOptions): Promise<Ended>
}

interface ShellOptions {
  cwd: string
  env?: Readonly<Record<string, string>>
  /** Another Node to use. */
  node?: string
}

/**
 * Does what README says: makes a clone (with the installed packages of this repository), the package, and a project with the
 * package installed.
 */
export async function pack(until: Until): Promise<Packed> {
  const base = temporaryFolder(until)
  const at = (name: string) => {
    mkdirSync(join(base, name), { recursive: true })
    return join(base, name)
  }
  const clone = at('clone')
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    maxBuffer: 16 * 2 ** 20,
  })
  for (const file of stdout.split('\0').filter(name => name !== ''))
    cpSync(join(repository, file), join(clone, file))
  symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'), 'dir')

  const bin = at('bin')
  // Programs that would open a page do nothing in a test.
  for (const opener of ['xdg-open', 'open']) writeProgram(join(bin, opener), '')
  writeProgram(join(bin, 'npx'), NPX)
  const shell: Packed['shell'] = (line, { cwd, env = {}, node = process.execPath }) =>
    new Promise(resolve => {
      const PATH = [bin, dirname(node), process.env.PATH].join(delimiter)
      const child = execFile(
        '/bin/sh',
        ['-c', line],
        { cwd, env: { ...environment, PATH, ...env }, maxBuffer: 16 * 2 ** 20 },
        (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
      child.stdin?.end()
    })
  const project = at('project')
  const packed = { clone, project, shell }
  await ok(shell('npm pack', { cwd: clone }))
  const tarball = readdirSync(clone).find(name => name.endsWith('.tgz'))!
  await ok(shell('npm init -y', { cwd: project }))
  await ok(shell(`npm install --save-dev ../clone/${tarball}`, { cwd: project }))
  return { ...packed, tarball: join(clone, tarball) }
}

/**  npx needs half a second to find an installed program, so this script runs the program directly if it is there. */
const NPX = `program="node_modules/.bin/$1"
if [ -x "$program" ]; then shift && exec "$program" "$@"; fi
PATH="\${PATH#*:}" exec npx "$@"
`

/** Returns the stdout of a command. @throws if it does not end with 0 */
export async function ok(running: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await running
  if (code !== 0) throw new Error(`It ended with ${code}:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`)
  return stdout
}

/** The environment without npm's own variables, which would affect npm in the other project. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|TSS_|VITEST|GITHUB_|NODE_OPTIONS|CI$)/i.test(name),
    ),
  ),
  NO_COLOR: '1',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
}
