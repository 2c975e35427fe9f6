import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Dispatcher, EnvHttpProxyAgent, interceptors, request } from 'undici'
import { childEnvironment } from '../../fixtures/run/child-environment.ts'
import { runProgram } from './program.ts'
import { type Archive, K6_FILE, PLATFORM, type Release } from './release.ts'
import { BY_HAND, type Fetching, inOneLine, type Made, NoK6, type Problem, reasonOf } from './search.ts'

/** Timeouts in milliseconds: to connect, to the answer, and between parts of the body. */
const TIMEOUT = { connection: 15_000, answer: 30_000, piece: 60_000 }

/**
 * Downloads the official release for this platform and verifies it. Proxies come from `HTTPS_PROXY`, `HTTP_PROXY`
 * and `NO_PROXY`, a mirror from `TSS_K6_MIRROR`.
 * @throws NoK6 if the download is not the release, which must not be ignored; the reason of `signal`
 */
export async function downloadK6(fetching: Fetching): Promise<Made | Problem> {
  const { release, workshop, env, signal } = fetching
  const archive = release.archives[PLATFORM]
  if (archive === undefined) return { problem: `no download for ${PLATFORM} is pinned` }
  const url = addressOf(archive, release, env)
  const file = join(workshop, archive.file)
  let sha256: string
  try {
    sha256 = await fetchFile(url, file, fetching)
  } catch (error) {
    signal.throwIfAborted()
    return { problem: `${shown(url)} could not be downloaded (${reasonOf(error)})` }
  }
  if (sha256 !== archive.sha256) {
    throw new NoK6(
      'machine',
      `${shown(url)} was not used because it is not the official archive: its SHA-256 should be ${archive.sha256} and is ${sha256}; find out what answers in its place (a proxy, a mirror in TSS_K6_MIRROR), or ${BY_HAND}.`,
    )
  }
  const inside = `${archive.file.replace(/\.(tar\.gz|zip)$/, '')}/${K6_FILE}`
  try {
    const { code, stderr } = await runProgram('tar', ['-xf', file, inside], {
      cwd: workshop,
      env: childEnvironment(env),
      signal,
    })
    if (code !== 0)
      return { problem: `tar could not unpack ${archive.file} (${inOneLine(stderr).slice(0, 200)})` }
  } catch (error) {
    signal.throwIfAborted()
    return { problem: `tar could not be started to unpack ${archive.file} (${reasonOf(error)})` }
  }
  return { path: join(workshop, inside), release: release.version }
}

function addressOf({ file }: Archive, release: Release, env: NodeJS.ProcessEnv): URL {
  const base = env.TSS_K6_MIRROR || release.address
  const url = URL.parse(base)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new NoK6(
      'call',
      'TSS_K6_MIRROR is not an http or https address: give the folder that holds the archives.',
    )
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${file}`
  return url
}

/** Returns the address of a mirror without its possibly secret parts. */
const shown = (url: URL): string => url.origin + url.pathname

/**
 * Downloads a file.
 *
 * @returns its SHA-256
 */
async function fetchFile(
  url: URL,
  file: string,
  { env, signal, release, onProgress }: Fetching,
): Promise<string> {
  onProgress(`downloading k6 ${release.version} from ${shown(url)}`)
  const agent = new EnvHttpProxyAgent({
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
    connect: { timeout: TIMEOUT.connection },
    headersTimeout: TIMEOUT.answer,
    bodyTimeout: TIMEOUT.piece,
  })
  try {
    const { statusCode, headers, body } = await ask(url, agent, signal)
    if (statusCode !== 200) throw new Error(`status ${statusCode}`)
    const hash = createHash('sha256')
    const percent = percentTeller(Number(headers['content-length']), basename(file), onProgress)
    await pipeline(
      body,
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          hash.update(piece)
          percent(piece.length)
          yield piece
        }
      },
      createWriteStream(file),
      { signal },
    )
    return hash.digest('hex')
  } finally {
    await agent.destroy()
  }
}

function ask(url: URL, agent: Dispatcher, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const { username, password } = url
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    'base64',
  )
  return request(shown(url) + url.search, {
    dispatcher: agent.compose(interceptors.redirect({ maxRedirections: 5 })),
    signal,
    headers: username === '' ? {} : { authorization: `Basic ${login}` },
  })
}

/** Reports progress in steps of ten percent. */
function percentTeller(
  expected: number,
  name: string,
  onProgress: (line: string) => void,
): (bytes: number) => void {
  let received = 0
  let told = 0
  return bytes => {
    received += bytes
    const percent = Math.floor((received / expected) * 10) * 10
    if (percent > told) {
      told = percent
      onProgress(`downloading ${name}: ${percent} %`)
    }
  }
}
