import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { everythingIn, onlyRun, runOf, verdictsOf } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'
import { entry, harOf, TOKEN } from './testing/recording.ts'

test('a recording of somebody else is judged from both sides, and nothing secret of it is written', async () => {
  const cwd = freshFolder()
  const leaky = { url: `https://api.example.com/gate/api/v2/transfers/products?token=${TOKEN}` }
  writeFileSync(join(cwd, 'sample.har'), harOf(entry({}, {}), entry(leaky, {})))
  const { code, stdout, stderr } = await runTss(['audit', 'sample.har'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toMatch(/✗ AUTH-CLIENT-NOT-IN-URL/)
  // The answer has no Cache-Control.
  expect(stdout).toMatch(/✗ CACHE-V2-TRANSFER-CATALOG/)
  expect(stdout + stderr + everythingIn(onlyRun(cwd))).not.toMatch(/partner-secret|cookie-secret/)
})

test('hotels are compared with the rooms of the request that began their search, and of no other', async () => {
  const search = (rooms: object, asked: object) => {
    const body = {
      from_date: '2027-06-01',
      to_date: '2027-06-03',
      id_location: 1,
      ...asked,
      occupancies: [rooms],
    }
    const found = [{ id_hotel: 7, occupancies: [{ room: 1, adults: 2, childrenAges: [], rates: [{}] }] }]
    const answer = JSON.stringify({ hotels: found, finish: false, id_search: 's-1', request_id: 'req_1' })
    return entry(
      {
        method: 'POST',
        url: 'https://api.example.com/gate/api/v1/hotel/distribution/hotelSearch',
        postData: { mimeType: 'application/json', text: JSON.stringify(body) },
      },
      { content: { size: answer.length, mimeType: 'application/json', text: answer } },
    )
  }
  const findingsOf = async (...entries: object[]) => {
    const cwd = freshFolder()
    writeFileSync(join(cwd, 'sample.har'), harOf(...entries))
    const audited = await runTss(['audit', 'sample.har'], { cwd })
    return verdictsOf(runOf(cwd, audited)).get('V1-HOTEL-ENTRY-ADULTS-ECHO')
  }
  expect(await findingsOf(search({ adults: 1 }, {}))).toBe('violates')
  const goesOn = search({ adults: 1 }, { id_search: 's-1' })
  expect(await findingsOf(search({ adults: 2 }, {}), goesOn)).toBe('conforms')
})

test('what is no recording is refused, and nothing of it is quoted', async () => {
  const cwd = freshFolder()
  const files = {
    'torn.har': '{"log": {"secret-word',
    'other.har': '{"log": {"entries": "secret-word"}}',
    'foreign.har': harOf(entry({ url: 'https://elsewhere.example/secret-word' }, {})),
    'torn.ndjson': 'secret-word\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  for (const name of [...Object.keys(files), 'none.har']) {
    const { code, stderr } = await runTss(['audit', name], { cwd })
    expect(code, name).toBe(2)
    expect(stderr).not.toMatch(/secret-word|kit itself/)
  }
})

test('secrets that come out of packed, encoded and attached bodies are in no output', async () => {
  const cwd = freshFolder()
  const secrets = {
    access_token: 'packed-secret-0001',
    session: { id: 'packed-secret-0002' },
    note: `Bearer ${TOKEN}, eyJhbGciOiJIUzI1NiJ9.cGFja2VkLXNlY3JldA.c2lnbmF0dXJl`,
    email: 'packed-secret@example.com',
    holder: { card_number: '4111 1111 1111 1111', phone: '+34611222333' },
  }
  const text = (more: object) => JSON.stringify({ ...secrets, ...more })
  const packed = (bytes: Buffer, coding: string) => ({
    status: 500,
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'content-encoding', value: coding },
    ],
    content: { size: bytes.length, encoding: 'base64', text: bytes.toString('base64') },
  })
  const attached = Buffer.from(text({ at: 'seen-in-attached' }))
  const name = `${hash('sha1', attached)}.json`
  const posted = (postData: object) => ({
    method: 'POST',
    url: 'https://api.example.com/gate/api/v2/transfers/availability',
    bodySize: -1,
    postData: { mimeType: 'application/json', ...postData },
  })
  const encoded = Buffer.from(text({ at: 'seen-in-base64' })).toString('base64')
  const har = harOf(
    entry({}, packed(gzipSync(text({ at: 'seen-in-gzip' })), 'gzip')),
    entry({}, packed(brotliCompressSync(text({ at: 'seen-in-br' })), 'br')),
    entry({}, packed(Buffer.from(text({ at: 'seen-in-plain' })), 'gzip')),
    entry(posted({ text: encoded, encoding: 'base64' }), { status: 400, content: { size: -1, _file: name } }),
    entry(posted({ _file: name }), { status: 400, content: { size: 9, text: encoded, encoding: 'base64' } }),
    // Cut, so that it is not known: nothing of it is shown.
    entry({}, packed(gzipSync(text({ at: 'seen-in-cut' })).subarray(0, -20), 'gzip')),
  )
  writeFileSync(join(cwd, 'sample.zip'), zipSync({ 'sample.har': Buffer.from(har), [name]: attached }))
  const { stdout, stderr, code } = await runTss(['audit', 'sample.zip', '--json'], { cwd })
  expect(code).toBe(1)
  const written = stdout + stderr + everythingIn(onlyRun(cwd))
  for (const at of ['gzip', 'br', 'plain', 'base64', 'attached']) expect(written).toContain(`seen-in-${at}`)
  expect(written).not.toMatch(/packed-secret|partner-secret|cGFja2Vk|4111 ?1111|611222333|cookie-secret/)
  for (const secret of [
    encoded.slice(0, 60),
    gzipSync(text({ at: 'seen-in-gzip' }))
      .toString('base64')
      .slice(20, 60),
  ])
    expect(written).not.toContain(secret)
})
