import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '../../fixtures/run/child-environment.ts'
import { runProgram } from './program.ts'
import { K6_FILE, type Source } from './release.ts'
import { BY_HAND, type Fetching, inOneLine, type Made, NoK6, type Problem } from './search.ts'

const MODULE = 'go.k6.io/k6/v2'
const TELL_EVERY = 5000

/** What Go gets besides: its own settings, how it reaches module proxies, and how it logs in there. */
const FOR_GO = [/^GO[A-Z0-9_]*$/, /^(?:https?|no|all)_proxy$/i, 'NETRC']

/**
 * Builds k6 with the local Go, in the newest available version. Go verifies modules with its checksum database. `go
 * install …@version` would also ask the module's domain for deprecation notes, which fails behind a module proxy. A
 * module that requires k6 needs only the proxy.
 * @throws NoK6 if a module fails verification; the reason of `signal` once that is aborted
 */
export async function buildK6(fetching: Fetching): Promise<Made | Problem> {
  const { release, onProgress } = fetching
  const go = await goVersion(fetching)
  if (go === undefined) {
    const oldest = release.sources.at(-1)!
    return { problem: `Go does not start (${oldest.go} or newer can build k6 ${oldest.version})` }
  }
  const problems: string[] = []
  for (const source of release.sources) {
    if (problems.length > 0) onProgress(problems.at(-1)!)
    const built = await buildVersion(source, go, fetching)
    if ('path' in built) return built
    problems.push(built.problem)
  }
  return { problem: problems.join('; ') }
}

async function goVersion({ workshop, env, signal }: Fetching): Promise<string | undefined> {
  try {
    const { stdout } = await runProgram('go', ['version'], {
      cwd: workshop,
      env: childEnvironment(env, FOR_GO),
      signal,
    })
    return /go(\d[\w.]*)/.exec(stdout)?.[1]
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

async function buildVersion(source: Source, go: string, fetching: Fetching): Promise<Made | Problem> {
  const { env, signal, onProgress } = fetching
  const title = `building k6 ${source.version} with Go ${go}`
  const folder = join(fetching.workshop, source.version)
  await mkdir(folder)
  // States the required Go version, so that Go can fetch a newer one, or reports what it lacks.
  await writeFile(
    join(folder, 'go.mod'),
    `module k6build\n\ngo ${source.go}\n\nrequire ${MODULE} ${source.version}\n`,
  )
  onProgress(`${title}, which takes a minute or two`)
  const began = performance.now()
  const teller = setInterval(() => {
    onProgress(`${title}: ${Math.round((performance.now() - began) / 1000)} s`)
  }, TELL_EVERY)
  try {
    const path = join(folder, K6_FILE)
    // -mod=mod completes the go.mod; the other flags are those of official builds.
    const { code, stderr } = await runProgram(
      'go',
      ['build', '-mod=mod', '-trimpath', '-v', '-o', path, MODULE],
      {
        cwd: folder,
        env: {
          ...childEnvironment(env, FOR_GO),
          CGO_ENABLED: '0',
          GO111MODULE: 'on',
          GOWORK: 'off',
          GOTMPDIR: folder,
        },
        signal,
      },
    )
    if (code === 0) return { path, release: source.version }
    const said = complaint(stderr)
    if (/SECURITY ERROR|checksum mismatch/.test(stderr)) {
      throw new NoK6(
        'machine',
        `k6 ${source.version} was not built because its modules are not the published ones: ${said}; find out what answers in place of the module proxy, or ${BY_HAND}.`,
      )
    }
    return { problem: `Go ${go} could not build k6 ${source.version}, which needs Go ${source.go} (${said})` }
  } finally {
    clearInterval(teller)
  }
}

const PACKAGE = /^\S+$/
const PASSING = /^go: (downloading|finding|added|found|upgraded) /

/** Returns the error output of Go, without progress and without secrets in the address of a proxy. */
function complaint(stderr: string): string {
  const lines = stderr
    .split('\n')
    .filter(line => line.trim() !== '' && !PACKAGE.test(line) && !PASSING.test(line))
  const words = inOneLine(lines.join(' ')).replaceAll(/\/\/[^/\s@]*@/g, '//')
  return words.slice(0, 300) || 'without a word'
}
