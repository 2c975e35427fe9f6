import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { StoredExchange } from '../../../fixtures/client/redaction/stored.ts'
import { exampleExchanges, exampleNdjson, exampleRecord, linesOf } from '../../../reports/testing/example.ts'
import { everythingIn, runOf } from '../testing/booked.ts'
import { type CommandOptions, type Ended, freshFolder, runTss, startTss } from '../testing/command.ts'
import { watchMemory } from '../testing/peak-memory.ts'
import { API, entry, harOf, TOKEN } from '../testing/recording.ts'

/** Runs a command on files of somebody else; in a separate process if heap options are given. */
async function hand(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const ended = await (options.execArgv === undefined ? runTss(args, options) : startTss(args, options).ended)
  expect(ended.stderr).not.toMatch(/kit itself failed|^\s+at /m)
  return ended
}

/** A heap too small for anything whose size is the square of its input. */
const SMALL_HEAP = { execArgv: ['--max-old-space-size=300'] }

const DEEP = '['.repeat(64 * 1024)

const withBodies = (exchange: StoredExchange, text: string): StoredExchange => {
  const body = { kind: 'text' as const, text, bytes: text.length }
  return {
    ...exchange,
    request: { ...exchange.request, body },
    ...(exchange.response !== undefined && { response: { ...exchange.response, body } }),
  }
}

/** Returns a folder as a run that somebody hands over. */
function runFolder(exchanges: string, record: object = exampleRecord): string {
  const folder = freshFolder()
  writeFileSync(join(folder, 'record.json'), JSON.stringify(record))
  writeFileSync(join(folder, 'exchanges.ndjson'), exchanges)
  return folder
}

const HEADERS = [
  { name: 'host', value: 'api.example.com' },
  { name: 'authorization', value: `Bearer ${TOKEN}` },
  { name: 'content-type', value: 'application/json' },
]
const sent = (request: object, content: object = { size: 2, text: '{}' }, at = 0): object =>
  entry(
    { method: 'POST', url: `${API}/api/v2/bookings`, headers: HEADERS, ...request },
    { content },
    { startedDateTime: new Date(Date.UTC(2027, 0, 5) + at * 1000).toISOString() },
  )

function recordingOf(...entries: readonly object[]): { cwd: string; file: string } {
  const cwd = freshFolder()
  const file = join(cwd, 'traffic.har')
  writeFileSync(file, harOf(...entries))
  return { cwd, file }
}

/** Writes a client that posts a body so often, and returns the call that examines it. */
function examining(cwd: string, body: string, times: number): string[] {
  writeFileSync(
    join(cwd, 'client.mjs'),
    `const body = ${body}
for (let sent = 0; sent < ${times}; sent++)
  await fetch(process.env.TSS_BASE_URL + '/api/v2/offers/check', { method: 'POST', body,
    headers: { authorization: 'Bearer ' + process.env.TSS_TOKEN, 'content-type': 'application/json' } })`,
  )
  const exec = `'${process.execPath}' client.mjs`
  return ['examine', '--exec', exec, '--situation', 'normal-day', '--products', 'v2-transfers']
}

describe('64 KB of [', () => {
  test('in bodies of a stored run are shown by report', async () => {
    const deep = linesOf(exampleExchanges.map(exchange => withBodies(exchange, DEEP)))
    const folder = runFolder(`${DEEP}\n${deep}`)
    expect(await hand(['report', folder], SMALL_HEAP)).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('[[[[')
  })

  test.each(['traffic.har', 'exchanges.ndjson'])('in bodies of %s are judged by audit', async name => {
    // Without its length, a body that ends at 64 KB may have been cut by the recorder.
    const headers = [...HEADERS, { name: 'content-length', value: '65536' }]
    const deep = sent({ headers, postData: { text: DEEP } }, { size: 65536, text: DEEP })
    const { cwd, file } = recordingOf(deep)
    const lines = join(cwd, 'exchanges.ndjson')
    const ofClient = { check: 'examine > client > normal-day' }
    writeFileSync(
      lines,
      linesOf(exampleExchanges.map(exchange => withBodies({ ...exchange, ...ofClient }, DEEP))),
    )
    const audited = await hand(['audit', name.endsWith('.har') ? file : lines], { cwd, ...SMALL_HEAP })
    expect(audited.code).toBe(1)
    expect(audited.stdout).toContain('CLIENT-POST-JSON')
  })

  test('from a client end no examination', async () => {
    const cwd = freshFolder()
    const examined = await hand(examining(cwd, "'['.repeat(65536)", 2), { cwd, ...SMALL_HEAP })
    expect(examined.code).toBe(1)
    expect(examined.stdout).toContain('CLIENT-POST-JSON')
    expect(readFileSync(join(runOf(cwd, examined), 'report.html'), 'utf8')).toContain('[[[[')
  })
})

describe('a file without an end, or of a gigabyte,', () => {
  test.each([
    ['verify', '/dev/zero', '--key', '/dev/zero'],
    ['certify', '--waivers', '/dev/zero'],
    ['certify', '--baseline', '/dev/zero'],
    ['audit', '/dev/zero'],
  ])('%s %s is refused in a sentence', async (...args) => {
    const { code, stderr } = await hand(args, {
      env: { TSS_BASE_URL: 'http://127.0.0.1:9', TSS_TOKEN: 'k-1' },
    })
    expect(code).toBe(2)
    expect(stderr).not.toContain('undefined')
    expect(stderr).toMatch(/\/dev\/zero.*(?:it is no regular file|ENOTDIR)/)
  })

  test('a .env of that kind is refused in a sentence', async () => {
    const cwd = freshFolder()
    symlinkSync('/dev/zero', join(cwd, '.env'))
    const { code, stderr } = await hand(['certify'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('.env')
    expect(stderr).toContain('it could not be read: it is no regular file')
  })

  test('a record of a gigabyte is refused in a sentence', async () => {
    const folder = runFolder('')
    truncateSync(join(folder, 'record.json'), 2 ** 30)
    const { code, stderr } = await hand(['report', folder])
    expect(code).toBe(2)
    expect(stderr).toContain('it is larger than 256 MB')
  })
})

test('a client that is examined gets its own credential, and of the environment what is stated or asked for', async () => {
  const cwd = freshFolder()
  const args = [
    '--situation',
    'normal-day',
    '--products',
    'v2-transfers',
    '--exec',
    'env > seen',
    '--env',
    'FLOW',
  ]
  const others = {
    TSS_TOKEN: 'live-4711',
    TSS_TOKEN_OTHER: 'other-4711',
    TSS_LOAD_TOKENS: 'load-4711',
    CLOUD_KEY: 'k-4711',
    https_proxy: 'http://4711',
  }
  await hand(['examine', ...args], { cwd, env: { ...others, FLOW: 'short' } })
  const seen = readFileSync(join(cwd, 'seen'), 'utf8')
  expect(seen).toMatch(/^TSS_TOKEN=\S+$/m)
  expect(seen).toMatch(/^FLOW=short$/m)
  expect(seen).toMatch(/^PATH=/m)
  expect(seen).not.toContain('4711')
})

const HOSTILE =
  '\u001b[2J\u001b[31mred\r\n::error::forged\n ::add-mask::x\n##[error]old\n##vso[task.setvariable]y\u0085\u202e'
/** Control characters that a terminal would obey, and commands of CI. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]|^[ \t]*::|##\w*\[/m

test('texts that others have written: are printed by report without anything that a terminal or CI obeys', async () => {
  const hostile = JSON.parse(JSON.stringify(exampleRecord), (key, value) =>
    ['id', 'says', 'part', 'message', 'name', 'reason', 'check', 'halted'].includes(key)
      ? `${value}${HOSTILE}`
      : value,
  )
  const folder = runFolder(exampleNdjson, hostile)
  const { stdout, stderr } = await hand(['report', folder], { env: { GITHUB_ACTIONS: 'true' } })
  expect(`${stdout}${stderr}`).toContain('red')
  expect(`${stdout}${stderr}`).not.toMatch(OBEYED)
})

test('texts that others have written: of waivers are shown on one line, and 200,000 of them end in seconds', async () => {
  const cwd = freshFolder()
  const waiver = { clause: `X${HOSTILE}`, reason: 'r', owner: HOSTILE, expires: '2020-01-01' }
  const waivers = Array.from({ length: 200_000 }, () => waiver)
  writeFileSync(join(cwd, 'few.yaml'), JSON.stringify({ waivers: waivers.slice(0, 40_000) }))
  const env = { TSS_BASE_URL: 'http://127.0.0.1:9', TSS_TOKEN: 'k-1' }
  const { code, stderr } = await hand(['certify', '--waivers', 'few.yaml'], { cwd, env })
  expect(code).toBe(2)
  expect(stderr).toMatch(/is no clause, .*; and 79990 more\.\n$/)
  expect(stderr).not.toMatch(OBEYED)
  expect(stderr.trim()).not.toContain('\n')
  writeFileSync(join(cwd, 'many.yaml'), JSON.stringify({ waivers }))
  const many = await hand(['certify', '--waivers', 'many.yaml'], { cwd, env })
  expect(many).toMatchObject({ code: 2, stderr: expect.stringContaining('is larger than 16 MB') })
})

test.each(['../../outside.suite.ts > any', 'suites/v2-offers/check.suite.ts > any'])(
  'no check is run for the name %s in a record, and the call is wrong',
  async check => {
    const clauses = exampleRecord.clauses.map(row => ({
      ...row,
      id: row.id === 'V2-IDEM-REPLAY' ? 'V2-IDEM-REPLAY-STATUS' : row.id,
      findings: row.findings.map(finding => ({ ...finding, check })),
    }))
    const folder = runFolder(exampleNdjson, { ...exampleRecord, clauses })
    const args = ['V2-IDEM-REPLAY-STATUS', '--run', folder, '--deployment', 'embedded']
    const { code, stderr } = await hand(['replay', ...args], { cwd: freshFolder() })
    expect(stderr).toContain(`a check that this version of the kit does not have (${check})`)
    expect(code).toBe(2)
  },
)

test.each([
  ['replay', 'V2-IDEM-REPLAY-STATUS', '--run', 'handed'],
  ['cleanup', 'handed'],
])('the definition that a folder names is not run by %s', async (...args) => {
  const cwd = freshFolder()
  const handed = join(cwd, 'handed')
  mkdirSync(handed)
  const module = join(handed, 'deployment.ts')
  writeFileSync(
    module,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(cwd, 'RAN'))}, '')\n`,
  )
  const known = JSON.stringify(exampleRecord).replaceAll('"V2-IDEM-REPLAY"', '"V2-IDEM-REPLAY-STATUS"')
  writeFileSync(join(handed, 'record.json'), known)
  writeFileSync(join(handed, 'exchanges.ndjson'), exampleNdjson)
  writeFileSync(join(handed, 'ledger.ndjson'), '{"torn')
  writeFileSync(
    join(handed, 'run.json'),
    JSON.stringify({ over: true, definition: pathToFileURL(module).href }),
  )
  const { code, stderr } = await hand(args, { cwd })
  expect(stderr).toContain('give the definition with --deployment')
  expect(code).toBe(2)
  expect(existsSync(join(cwd, 'RAN'))).toBe(false)
})

test('40 bodies of 7 MB from a client take less than 800 MB', { timeout: 600_000 }, async () => {
  const cwd = freshFolder()
  const body = "JSON.stringify({ items: [], padding: Array(70_000).fill('x'.repeat(97)) })"
  const run = startTss(examining(cwd, body, 40), { cwd })
  const memory = watchMemory(run.pid)
  expect((await run.ended).stdout).toContain('40 on v2')
  expect((memory.stop() ?? 0) / 2 ** 20).toBeLessThan(800)
})

test('a recording of 16 MB of hotel answers is judged in a heap of 90 MB', {
  timeout: 600_000,
}, async () => {
  const rate = {
    id_room: 'DBL',
    room_name: 'x'.repeat(150),
    board: { name: 'x' },
    price: 10.5,
    currency: 'EUR',
  }
  const answerTo = (number: number) => {
    const key = (at: number) => `${number}-${at}-${'k'.repeat(80)}`
    const rates = Array.from({ length: 1000 }, (_, at) => ({ ...rate, rate_key: key(at) }))
    const hotels = [{ occupancies: [{ rates }] }]
    return JSON.stringify({ hotels, finish: true, id_search: `s${number}`, request_id: `r${number}` })
  }
  const { cwd, file } = recordingOf()
  const search = {
    url: `${API}/api/v1/hotel/distribution/hotelSearch`,
    postData: { text: '{"occupancies":[{"adults":2}]}' },
  }
  truncateSync(file, statSync(file).size - ']}}'.length)
  for (let number = 0; statSync(file).size < 16 * 2 ** 20; number++) {
    const text = answerTo(number)
    const one = JSON.stringify(sent(search, { size: text.length, text }, number))
    appendFileSync(file, `${number === 0 ? '' : ','}${one}`)
  }
  appendFileSync(file, ']}}')
  const audited = await hand(['audit', file], { cwd, execArgv: ['--max-old-space-size=90'] })
  expect(audited.code).toBe(1)
  expect(audited.stdout).toContain('CLIENT-ACCEPT-GZIP')
})

test('a recording of others keeps none of their credentials, and no call to another address', async () => {
  const secret = (name: string) => `${name}-8e21f0-SECRET`
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${secret('jwt')}`
  const fields = ['X-Auth-Token', 'apikey', 'X-Amz-Security-Token', 'Cookie', 'Referer', 'X-Own']
  const headers = fields.map(name => ({ name, value: secret(name) }))
  const body = {
    access_token: `${secret('access')}"and more ${secret('quoted')}`,
    refresh_token: secret('refresh'),
    password: secret('password'),
    payment: { card_number: 4111111111111111, holder: 'x', note: 'card 4111 1111 1111 1111' },
    tokens: [secret('list'), { deep: secret('deep') }],
    nested: JSON.stringify({ client_secret: secret('nested') }),
    id_token: jwt,
    note: `Bearer ${jwt}`,
    offer_id: 'offer-1',
  }
  const text = JSON.stringify(body)
  const query = `?api_key=${secret('key')}&access_token=${secret('query')}&page=2`
  const elsewhere = (host: string) =>
    sent(
      { url: `https://${host}/oauth/token`, postData: { text: `client_secret=${secret('oauth')}` } },
      { size: 9, text: secret('oauth') },
    )
  const { cwd, file } = recordingOf(
    sent({ url: `${API}/api/v2/transfers/products${query}`, method: 'GET', headers }, { size: 9, text }),
    sent({ headers, postData: { text } }, { size: 9, text: `token=${secret('form')}&x=1` }, 1),
    elsewhere('login.example.com'),
    elsewhere('api.example.com'),
  )
  const audited = await hand(['audit', file], { cwd })
  expect(audited.stderr).toContain(
    '2 other requests left out: only calls of the API at https://api.example.com/gate',
  )
  const folder = runOf(cwd, audited)
  const left = everythingIn(folder) + audited.stdout + audited.stderr
  expect(left.match(/.{0,40}(?:8e21f0|4111.?1111|oauth|eyJhbGci).{0,20}/g) ?? []).toEqual([])
  const stored = readFileSync(join(folder, 'exchanges.ndjson'), 'utf8')
  for (const shown of ['page=2', 'offer-1', 'api_key=[redacted]', 'X-Own', 'holder'])
    expect(stored).toContain(shown)
})
