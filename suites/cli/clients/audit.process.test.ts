import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { everythingIn, onlyRun, runOf, verdictsOf } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'
import { API, entry, harOf, TOKEN } from '../testing/recording.ts'

const BOOKING = { booking_id: 7, status: 'confirmed', currency: 'EUR', total: 12, items: [], test_mode: true }
const BODY = { items: [{ offer_id: 'an-offer', travelers: [{ first_name: 'Ada', last_name: 'Example' }] }] }

/** Returns an entry of a call with JSON; it begins `second` seconds after the first. */
function call(second: number, method: string, path: string, [status, json, sent]: [number, object, object?]) {
  const text = JSON.stringify(json)
  return entry(
    {
      method,
      url: API + path,
      headers: [
        { name: 'Authorization', value: `Bearer ${TOKEN}` },
        { name: 'Idempotency-Key', value: 'my-key-1' },
      ],
      ...(sent && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    {
      status,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Cache-Control', value: 'no-store' },
      ],
      content: { size: text.length, mimeType: 'application/json', text },
    },
    { startedDateTime: new Date(Date.UTC(2027, 0, 5, 10, 0, second)).toISOString() },
  )
}
const booked = (second: number, id: number) =>
  call(second, 'POST', '/api/v2/bookings', [201, { booking: { ...BOOKING, booking_id: id } }, BODY])

/** Audits recordings that are written into a new folder. */
async function audited(recordings: Record<string, string>, ...more: string[]) {
  const cwd = freshFolder()
  for (const [name, text] of Object.entries(recordings)) writeFileSync(join(cwd, name), text)
  const ended = await runTss(['audit', ...Object.keys(recordings), ...more], { cwd })
  const folder = ended.code === 2 ? undefined : runOf(cwd, ended)
  return { ...ended, folder: folder!, verdicts: folder === undefined ? new Map() : verdictsOf(folder) }
}

test('a recording of somebody else is judged from both sides, and nothing secret of it is written', async () => {
  const leaky = { url: `${API}/api/v2/transfers/products?token=${TOKEN}` }
  const named = { url: `${API}/api/v2/bookings/Wilhelmina%20Hopper1906` }
  const said = { content: { text: '{"booking":{"status":"Wilhelmina Hopper","booking_id":"Hopper"}}' } }
  const { code, stdout, stderr, folder } = await audited({
    'sample.har': harOf(entry({}, {}), entry(leaky, {}), entry(named, said)),
  })
  expect(code).toBe(1)
  expect(stdout).toMatch(/✗ AUTH-CLIENT-NOT-IN-URL/)
  // The answer has no Cache-Control.
  expect(stdout).toMatch(/✗ CACHE-V2-TRANSFER-CATALOG/)
  expect(stdout + stderr + everythingIn(folder)).not.toMatch(
    /partner-secret|cookie-secret|wilhelmina|hopper/i,
  )
})

test('hotels are compared with the rooms of the request that began their search, and of no other', async () => {
  const hotel = { id_hotel: 7, occupancies: [{ room: 1, adults: 2, childrenAges: [], rates: [{}] }] }
  const found = { hotels: [hotel], finish: false, id_search: 's-1', request_id: 'req_1' }
  const search = (adults: number, more: object = {}) =>
    call(adults, 'POST', '/api/v1/hotel/distribution/hotelSearch', [
      200,
      found,
      { from_date: '2027-06-01', to_date: '2027-06-03', id_location: 1, occupancies: [{ adults }], ...more },
    ])
  const echoed = async (...entries: object[]) =>
    (await audited({ 'sample.har': harOf(...entries) })).verdicts.get('V1-HOTEL-ENTRY-ADULTS-ECHO')
  expect(await echoed(search(1))).toBe('violates')
  expect(await echoed(search(2), search(3, { id_search: 's-1' }))).toBe('conforms')
})

test('what is no recording is refused, and nothing of it is quoted', async () => {
  const files = {
    'torn.har': '{"log": {"secret-word',
    'other.har': '{"log": {"entries": "secret-word"}}',
    'foreign.har': harOf(entry({ url: 'https://elsewhere.example/secret-word' }, {})),
    'torn.ndjson': 'secret-word\n',
  }
  for (const [name, text] of Object.entries(files)) {
    const { code, stderr } = await audited({ [name]: text })
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

test('a history that breaks a promise is found in what others recorded, in files in whatever order', async () => {
  const days = { 'tuesday.har': harOf(booked(60, 8)), 'monday.har': harOf(booked(0, 7)) }
  const files = { ...days, 'copy.har': days['monday.har'] }
  const clause = 'V2-IDEM-REPLAY-SAME-BOOKING'
  const { code, stdout, stderr, verdicts } = await audited(files, '--side', 'server')
  expect(stderr).toContain('1 exchange recorded twice')
  expect(stdout).toContain('0 on v1, 2 on v2')
  expect(verdicts.get(clause)).toBe('violates')
  expect([...verdicts.keys()].filter(id => id.includes('-CLIENT-'))).toEqual([])
  expect(code).toBe(1)
  expect((await audited(files, '--side', 'server', '--fail-on', 'none')).code).toBe(0)
  expect((await audited(files, '--side', 'client')).verdicts.has(clause)).toBe(false)
})

/** A line of a recording of the kit. */
const line = (version: string, path: string, sent: string | null, answered: string, status = 200) => {
  const body = (text: string | null) => text && { kind: 'text', text, bytes: text.length }
  return JSON.stringify({
    id: 'a1',
    check: 'watch > answers',
    sender: { role: 'client-1' },
    version,
    startedAt: '2027-01-05T10:00:00.000Z',
    milliseconds: 12.5,
    request: {
      method: 'POST',
      url: API + path,
      path,
      headers: [['Authorization', 'Bearer $TSS_TOKEN_CLIENT_1']],
      body: body(sent),
    },
    response: { status, headers: [], body: body(answered), rawBytes: answered.length },
  })
}

test.each<[string, string, string, string]>([
  ['v1 alone', line('v1', '/api/v1/parkB/getTickets', '{}', '[{}]'), 'V1-PARK-B-PRODUCT-PLU', 'violates'],
  [
    'bookings alone, of the type that their items tell,',
    line(
      'v2',
      '/api/v2/bookings',
      JSON.stringify(BODY),
      JSON.stringify({ booking: { ...BOOKING, items: [{ product: { product_type: 'transfer' } }] } }),
      201,
    ),
    'V2-BOOKING-PRODUCT-NAME',
    'violates',
  ],
])('a recording of %s is judged', async (_, text, clause, verdict) => {
  const { code, stdout, verdicts } = await audited({ 'exchanges.ndjson': text })
  expect([code, verdicts.get(clause)], stdout).toEqual([1, verdict])
})

test('recordings in one file are judged as several, and nothing by times that are of several clocks', async () => {
  const read = call(4, 'GET', '/api/v2/bookings/7', [200, { booking: BOOKING }])
  const whole = await audited({ 'merged.har': harOf(read, booked(60, 8), booked(0, 7)) }, '--whole')
  expect(whole).toMatchObject({ code: 2, stderr: expect.stringMatching(/--whole takes one recording/) })
  const { stderr, verdicts } = await audited({ 'merged.har': harOf(read, booked(5, 7), booked(6, 8)) })
  expect(stderr).toMatch(/The times in merged\.har are of several clocks/)
  expect(verdicts.get('V2-IDEM-REPLAY-SAME-BOOKING')).toBe('not exercised')
})

test('what happened before a recording began, or elsewhere, is held against nobody', async () => {
  const read = (second: number, status: string) =>
    call(second, 'GET', '/api/v2/bookings/7', [200, { booking: { ...BOOKING, status } }])
  const error = { code: 'CANCELLATION_REJECTED', message: 'x', request_id: 'r', details: {} }
  const refused = call(3, 'POST', '/api/v2/bookings/7/cancel', [409, { error }])
  const middle = { 'middle.har': harOf(read(2, 'confirmed'), refused, read(4, 'cancelled')) }
  const clause = 'V2-CANCEL-REJECTED-UNCHANGED'
  expect((await audited(middle)).verdicts.get(clause)).not.toBe('violates')
  expect((await audited(middle, '--whole')).verdicts.get(clause)).toBe('violates')
})

test('of recordings of checks, which send wrong requests on purpose, the answers are judged, and conform', async () => {
  const cwd = freshFolder()
  const clauses = ['V2-IDEM-REPLAY-STATUS', 'V2-CANCEL-READ', 'V2-CANCEL-AGAIN-FLAG']
  const certify = ['certify', '--only', clauses.join(' or '), '--out', 'certified']
  const lines = readFileSync(join(runOf(cwd, await runTss(certify, { cwd })), 'exchanges.ndjson'), 'utf8')
  // An older one does not say what its senders knew.
  const recording = join(cwd, 'older.ndjson')
  writeFileSync(recording, lines.replaceAll(/^.*"fact":.*\n/gm, ''))
  const { code, stdout, stderr } = await runTss(['audit', recording], { cwd })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^CONFORMS/m)])
  expect(stderr).not.toMatch(/arranged and claimed/)
  const verdicts = verdictsOf(onlyRun(cwd))
  for (const clause of clauses) expect(verdicts.get(clause), clause).toBe('conforms')
  const asClient = await runTss(['audit', recording, '--side', 'client'], { cwd })
  expect(asClient).toMatchObject({ code: 2, stderr: expect.stringMatching(/wrong requests on purpose/) })
  // Whoever keeps the facts of one check alone hides what the others sent.
  const [, first] = /^\{"of":"(\w+)"/m.exec(lines)!
  writeFileSync(recording, lines.replaceAll(new RegExp(`^\\{"of":"(?!${first}").*\n`, 'gm'), ''))
  const hiding = await runTss(['audit', recording], { cwd })
  expect([hiding.code, hiding.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^INCOMPLETE[\s\S]*exchanges judged by nobody: the recording says what checks knew/m,
    ),
  ])
})
