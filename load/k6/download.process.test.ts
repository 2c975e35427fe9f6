import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  archive,
  fakeGo,
  fakeK6,
  heard,
  machine,
  releaseAt,
  SOURCES_ONLY,
  serve,
} from '../testing/machine.ts'
import { findK6, NoK6 } from './index.ts'
import { PLATFORM, type Release } from './release.ts'

test('the official archive is downloaded, verified, unpacked and kept', async () => {
  const { env, cache } = machine()
  const made = archive()
  const asked: string[] = []
  const address = await serve((request, response) => {
    asked.push(request.url!)
    response.setHeader('content-length', made.bytes.length).end(made.bytes)
  })
  const { lines, onProgress } = heard()
  const release = releaseAt(`${address}/v2.3.0/`, made)
  const found = await findK6({ env, release, onProgress })
  expect(found).toEqual({ path: expect.stringContaining(cache), version: '2.3.0', source: 'download' })
  expect(existsSync(found.path)).toBe(true)
  expect(asked).toEqual([`/v2.3.0/${made.file}`])
  expect(lines).toEqual([
    `${cache} holds none`,
    `downloading k6 v2.3.0 from ${address}/v2.3.0/${made.file}`,
    expect.stringMatching(/: \d+0 %$/),
    `k6 2.3.0 is ready in ${found.path}`,
  ])
  expect(readdirSync(cache)).toHaveLength(1)
  expect(await findK6({ env, release })).toEqual({ ...found, source: 'cache' })
  expect(asked).toHaveLength(1)
})

test('a redirect to the archives is followed', async () => {
  const made = archive()
  const address = await serve((request, response) => {
    if (request.url === '/store') response.end(made.bytes)
    else response.writeHead(302, { location: '/store' }).end()
  })
  const { source } = await findK6({ env: machine().env, release: releaseAt(address, made) })
  expect(source).toBe('download')
})

describe('a mirror', () => {
  test('replaces the official address', async () => {
    const made = archive()
    const asked: (string | undefined)[] = []
    const mirror = await serve((request, response) => {
      asked.push(request.url, request.headers.authorization)
      response.end(made.bytes)
    })
    const release = releaseAt('http://127.0.0.1:9/', made)
    const { lines, onProgress } = heard()
    const env = {
      ...machine().env,
      TSS_K6_MIRROR: `${mirror.replace('//', '//ada:s%40cret@')}/k6/?token=t17`,
    }
    const found = await findK6({ env, release, onProgress })
    expect(found).toHaveProperty('source', 'download')
    const login = Buffer.from('ada:s@cret').toString('base64')
    expect(asked).toEqual([`/k6/${made.file}?token=t17`, `Basic ${login}`])
    expect(lines).toContain(`downloading k6 v2.3.0 from ${mirror}/k6/${made.file}`)
    expect(lines.join()).not.toMatch(/cret|t17/)
  })

  test('that is not a URL is refused as a wrong setting', async () => {
    const env = { ...machine().env, TSS_K6_MIRROR: 'ada:secret@mirror/k6' }
    await expect(findK6({ env, release: releaseAt('http://127.0.0.1:9', archive()) })).rejects.toThrow(
      new NoK6(
        'call',
        'TSS_K6_MIRROR is not an http or https address: give the folder that holds the archives.',
      ),
    )
  })
})

test('a proxy of the environment is used, except where NO_PROXY says otherwise', async () => {
  const made = archive()
  const asked: string[] = []
  const address = await serve((request, response) => {
    asked.push(request.url!)
    response.end(made.bytes)
  })
  const release = releaseAt('http://releases.example.test/v2.3.0/', made)
  const proxied = await findK6({ env: { ...machine().env, HTTP_PROXY: address }, release })
  expect(proxied.source).toBe('download')
  const env = { ...machine().env, http_proxy: 'http://127.0.0.1:9', no_proxy: '127.0.0.1' }
  const spared = await findK6({ env, release: releaseAt(address, made) })
  expect(spared.source).toBe('download')
  expect(asked).toEqual([`http://releases.example.test/v2.3.0/${made.file}`, `/${made.file}`])
})

test('an archive with a wrong hash is an error: nothing is kept and nothing else is tried', async () => {
  const { env, bin, cache } = machine()
  const go = fakeGo(bin)
  const [official, other] = [archive(), archive(fakeK6('2.3.1'))]
  const address = await serve((_, response) => response.end(other.bytes))
  const refused = findK6({ env, release: releaseAt(address, official) })
  await expect(refused).rejects.toThrow(
    new NoK6(
      'machine',
      `${address}/${official.file} was not used because it is not the official archive: its SHA-256 should be ${official.sha256} and is ${other.sha256}; find out what answers in its place (a proxy, a mirror in TSS_K6_MIRROR), or install k6 2.0.0 or newer and set K6_BIN to it.`,
    ),
  )
  expect(readdirSync(cache)).toEqual([])
  expect(go.log()).toEqual([])
})

describe('Go is next when the archive', () => {
  const instead = async (release: Release): Promise<string> => {
    const { env, bin } = machine()
    fakeGo(bin)
    const { lines, onProgress } = heard()
    const found = await findK6({ env, release, onProgress })
    expect(found.source).toBe('go')
    return lines.join('\n')
  }

  test('is not there', async () => {
    const address = await serve((_, response) => response.writeHead(404).end('no such file'))
    const made = archive()
    const said = await instead(releaseAt(address, made))
    expect(said).toContain(`${address}/${made.file} could not be downloaded (status 404)`)
  })

  test('cannot be reached', async () => {
    const said = await instead(releaseAt('http://127.0.0.1:9', archive()))
    expect(said).toMatch(/could not be downloaded \(ECONNREFUSED\)$/m)
  })

  test('breaks off', async () => {
    const made = archive()
    const address = await serve((_, response) => {
      response.setHeader('content-length', made.bytes.length)
      response.write(made.bytes.subarray(0, 100), () => response.destroy())
    })
    expect(await instead(releaseAt(address, made))).toMatch(/could not be downloaded \(\w+\)$/m)
  })

  test('does not hold what it should', async () => {
    const bytes = Buffer.from('no archive at all')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const address = await serve((_, response) => response.end(bytes))
    const said = await instead(releaseAt(address, { file: 'k6.tar.gz', sha256 }))
    expect(said).toMatch(/^tar could not unpack k6.tar.gz \(.+\)$/m)
  })

  test('holds a k6 that does not start here', async () => {
    const made = archive('exit 126')
    const address = await serve((_, response) => response.end(made.bytes))
    const said = await instead(releaseAt(address, made))
    expect(said).toContain('the k6 v2.3.0 that was got does not say its version (it ended with 126)')
  })

  test('is not pinned for this platform: nothing unverified is ever downloaded', async () => {
    expect(await instead(SOURCES_ONLY)).toContain(`no download for ${PLATFORM} is pinned`)
  })
})

test('an interrupt ends a download and leaves nothing behind', async () => {
  const { env, cache } = machine()
  const made = archive()
  const address = await serve((_, response) => {
    response.setHeader('content-length', made.bytes.length)
    response.write(made.bytes.subarray(0, made.bytes.length / 2))
  })
  const controller = new AbortController()
  const onProgress = (line: string) => {
    if (line.endsWith('%')) controller.abort(new Error('interrupted'))
  }
  const search = findK6({ env, release: releaseAt(address, made), onProgress, signal: controller.signal })
  await expect(search).rejects.toThrow('interrupted')
  expect(readdirSync(cache)).toEqual([])
})
