import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { untilFileEnds } from '../../../fixtures/client/testing/until.ts'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import { writeRun } from '../../../reports/folder/write.ts'
import { exampleNdjson, exampleRecord } from '../../../reports/testing/example.ts'
import { freshFolder } from '../testing/command.ts'
import { createUi, type Ui } from './app.ts'
import { definitionsIn } from './definitions.ts'

const until = untilFileEnds()
let ui: Ui
let folder: string
let origin: string
let opened: string
let cookie: string

const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
const broken = exampleRecord.clauses.find(({ findings }) => findings.length > 0)!

/** Writes a run as somebody might hand it over. */
async function written(run: string, record: Partial<RunRecord> = {}): Promise<string> {
  const path = join(folder, 'runs', run)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'exchanges.ndjson'), exampleNdjson)
  await writeRun({ ...exampleRecord, ...record, run }, path, { env: {} })
  return path
}

const [NAMING_RUN, EVIL_RUN] = ['20270902T101500-1', '20270903T101500-1']

/** Writes malicious runs. */
async function evilRuns(): Promise<void> {
  const outside = await written('../outside')
  writeFileSync(join(folder, 'secret.json'), '{"secret": "outside-of-the-runs"}')
  symlinkSync(outside, join(folder, 'runs', 'linked'))
  mkdirSync(join(folder, 'runs', 'linked-record'))
  symlinkSync(join(outside, 'record.json'), join(folder, 'runs', 'linked-record', 'record.json'))
  const evidence = join(await written('linked-evidence'), 'exchanges.ndjson')
  rmSync(evidence)
  symlinkSync(join(folder, 'secret.json'), evidence)

  const path = await written(NAMING_RUN)
  writeFileSync(join(path, 'deployment.ts'), 'throw new Error("it was run")')
  const note = { pid: 1, over: true, definition: `file://${path}/deployment.ts` }
  writeFileSync(join(path, 'run.json'), JSON.stringify(note))

  const clauses = exampleRecord.clauses.map(row => ({
    ...row,
    says: EVIL,
    part: EVIL,
    findings: row.findings.map(one => ({ ...one, message: EVIL, expected: EVIL, observed: EVIL })),
  }))
  const deployment = { name: EVIL, baseUrl: `https://evil.example/${EVIL}` }
  const startedAt = `2027-09-03T10:15:00Z${EVIL}`
  await written(EVIL_RUN, { deployment, clauses, startedAt, halted: EVIL, only: EVIL })
}

beforeAll(async () => {
  folder = freshFolder(until)
  await written('20270901T101500-1')
  await evilRuns()
  writeFileSync(
    join(folder, 'mine.ts'),
    `import { defineDeployment } from 'travel-sales-conformance'\nexport default defineDeployment({})\n`,
  )
  ui = started()
  opened = await ui.listen(0)
  origin = new URL(opened).origin
  cookie = (await ask(opened)).headers['set-cookie']![0]!.split(';')[0]!
})
afterAll(() => ui.stop())

const started = (program = 'false'): Ui =>
  createUi({
    runs: join(folder, 'runs'),
    waivers: join(folder, 'waivers.yaml'),
    definitions: () => definitionsIn(folder),
    command: [process.execPath, '-e', `process.exit(${program === 'false' ? 1 : 0})`],
  })

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Sends a request with the path exactly as given. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Answer> {
  const { hostname, port } = new URL(opened ?? path)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        headers,
        path: path.startsWith('http') ? path.replace(/^http:\/\/[^/]*/, '') : path,
      },
      response => {
        let text = ''
        response.setEncoding('utf8').on('data', part => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const get = (path: string, headers: Record<string, string> = {}) => ask(path, { cookie, ...headers })
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  ask(path, { cookie, origin, ...FORM, ...headers }, 'POST', `${new URLSearchParams(fields)}`)
const finding = { run: '20270901T101500-1', clause: broken.id, at: '0' }

describe('who may come in', () => {
  test('the address that was printed becomes a cookie, and leaves the address', async () => {
    const { status, headers } = await ask(opened)
    expect([status, headers.location]).toEqual([303, '/'])
    expect(headers['set-cookie']![0]).toMatch(
      /^travel-sales-ui-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
    )
    expect(opened).not.toContain(cookie.split('=')[1])
    expect((await get('/')).status).toBe(200)
  })

  test('opened from a file, it leads on by a page: a redirect would lose the strict cookie', async () => {
    const { status, headers, text } = await ask(opened, { 'sec-fetch-site': 'cross-site' })
    expect([status, headers.location]).toEqual([200, undefined])
    expect(text).toContain('url=/"')
    expect(headers['set-cookie']).toHaveLength(1)
  })

  test.each([
    ['no cookie', '/', {}, 401],
    ['a guessed cookie', '/', { cookie: 'travel-sales-ui-1=x' }, 401],
    ['no cookie, for the style', '/style.css', {}, 401],
    ['no cookie, for a page that does not exist', '/nothing', {}, 401],
    ['no token', '/open', {}, 403],
    ['another token', '/open?token=x', {}, 403],
    ['two tokens', '/open?token=x&token=y', {}, 403],
  ] as [string, string, Record<string, string>, number][])(
    '%s: refused',
    async (_, path, headers, status) => {
      expect((await ask(path, headers)).status).toBe(status)
    },
  )

  test.each(['evil.example', 'evil.example:80', '127.0.0.1', 'localhost:1', '127.0.0.1.evil.example'])(
    'by the name %j (DNS rebinding): refused, with the cookie and the token, too',
    async host => {
      expect((await get('/', { host })).status).toBeGreaterThanOrEqual(400)
      const { status, headers, text } = await ask(opened, { host })
      expect([status >= 400, headers['set-cookie']]).toEqual([true, undefined])
      expect(text).toContain(`127.0.0.1:${new URL(opened).port}`)
    },
  )

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('reading for another page (%j): refused', async headers => {
    expect((await get('/', headers as Record<string, string>)).status).toBe(403)
  })
})

const ACTIONS: [string, Record<string, string>][] = [
  ['/start', { definition: 'embedded' }],
  ['/replay', { ...finding, definition: 'embedded' }],
  ['/stop', { job: '1' }],
  ['/waive', { clause: broken.id, owner: 'a', reason: 'b', expires: '2099-01-01' }],
  ['/examine/start', { product: 'v2-transfers' }],
  ['/examine/situation', { act: 'done' }],
  ['/examine/end', {}],
]

describe.each(ACTIONS)('the action %s', (path, fields) => {
  test.each([
    ['a page of another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [
      'a page of another port of this machine',
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    ],
    ['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['what says no origin', { origin: '' }],
    ['whoever has no cookie', { cookie: '' }],
    ['another name of this machine', { host: 'evil.example' }],
  ])('asked for by %s: refused', async (_, headers) => {
    expect((await post(path, fields, headers)).status).toBeOneOf([401, 403])
    expect(ui.jobs.all()).toEqual([])
  })

  test('by GET, as JSON, or with a huge body: refused', async () => {
    expect((await get(`${path}?${new URLSearchParams(fields)}`)).status).toBeOneOf([200, 400, 404])
    expect((await post(path, fields, { 'content-type': 'application/json' })).status).toBe(415)
    expect((await post(path, { ...fields, more: 'x'.repeat(40_000) })).status).toBe(413)
    expect(ui.jobs.all()).toEqual([])
  })
})

test.each([
  '../outside',
  '..%2foutside',
  '%2e%2e/outside',
  '..%252foutside',
  '..\\outside',
  '20270901T101500-1/../../outside',
  '/etc',
  'linked',
  'linked-record',
  'linked-evidence',
  '20270901T101500-1%00',
  '.',
  '',
])('what can be read: no run %j', async run => {
  for (const path of [
    `/run?run=${run}`,
    `/markdown?run=${run}&clause=${broken.id}&at=0`,
    `/waive?run=${run}&clause=${broken.id}&at=0`,
  ]) {
    const { status, text } = await get(path)
    expect(status, path).toBeOneOf([400, 404])
    expect(text).not.toMatch(/outside-of-the-runs|root:/)
  }
  const { status } = await post('/replay', {
    ...finding,
    run: decodeURIComponent(run),
    definition: 'embedded',
  })
  expect(status).toBe(400)
  expect(ui.jobs.all()).toEqual([])
})

test.each([
  '/../secret.json',
  '/%2e%2e/secret.json',
  '/..%2fsecret.json',
  '/runs/../secret.json',
  '/%',
  '/%00',
  '//etc/passwd',
  '/style.css/../../secret.json',
])('what can be read: no file %j', async path => {
  const { status, headers, text } = await get(path)
  expect(status).toBeOneOf([400, 404])
  expect(text).not.toContain('outside-of-the-runs')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

describe('what can be run', () => {
  test.each([
    '../mine.ts',
    '/etc/passwd',
    'file:///etc/passwd',
    './missing.ts',
    'mine.ts',
    'env',
    '--help',
    '',
  ])('not the definition %j: the project has none of that name', async definition => {
    for (const path of ['/start', '/replay']) {
      const { status, text } = await post(path, { ...finding, definition })
      expect(status).toBe(400)
      expect(text).toContain('The project has no definition')
    }
    expect(ui.jobs.all()).toEqual([])
  })

  test('nothing that the folder of a run names: its definition is only preselected', async () => {
    const { text } = await get(`/run?run=${NAMING_RUN}`)
    const offered = [...text.matchAll(/<option value="([^"]*)"/g)].map(([, name]) => name)
    expect(new Set(offered.filter(name => /embedded|\.ts/.test(name!)))).toEqual(
      new Set(['embedded', './mine.ts']),
    )
  })

  test.each(['nobody', 'v2-bookings; touch x', '--deployment=./mine.ts', '$(touch x)'])(
    'no selection %j',
    async only => {
      expect((await post('/start', { definition: 'embedded', only })).status).toBe(400)
      expect(ui.jobs.all()).toEqual([])
    },
  )
})

/** Matches code or markup that a text of a record would have introduced. */
const LIVE = /<script(?! src="\/)|<img|<iframe|<style|\son\w+=|\sstyle=|javascript:/i

describe('what pages hold', () => {
  const run = EVIL_RUN

  test('no text of a record is markup, on any page', async () => {
    const pages = [
      '/',
      `/run?run=${run}`,
      `/waive?run=${run}&clause=${broken.id}&at=0`,
      `/start?only=${encodeURIComponent(EVIL)}`,
      `/examine?again=${encodeURIComponent(EVIL)}`,
      `/live?job=${encodeURIComponent(EVIL)}`,
    ]
    for (const path of pages) {
      const { text, headers } = await get(path)
      expect(headers['content-type'], path).toContain('text/html')
      // Script and style of a page are files of their own.
      expect(text.replaceAll(/&[a-z#0-9]+;[^<]*/g, ''), path).not.toMatch(LIVE)
    }
    expect((await get(`/run?run=${run}`)).text).toContain('&lt;script&gt;')
  })

  test('Markdown of a finding is shown as plain text, without its mark-up', async () => {
    const { headers, text } = await get(`/markdown?run=${run}&clause=${broken.id}&at=0`)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).not.toMatch(/<script|<img/)
  })

  test('every answer says what a browser may do with it, errors and refusals, too', async () => {
    for (const answer of [
      await get('/'),
      await get('/nothing'),
      await ask('/'),
      await get('/style.css'),
      await get('/run?run=x'),
    ]) {
      expect(answer.headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/,
        ),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('a credential of the environment is on no page, whatever a record says', async () => {
    process.env.TSS_TOKEN = 'partner-secret-4711-abcdef'
    onTestFinished(() => void delete process.env.TSS_TOKEN)
    const { learnEnvironment } = await import('../../../fixtures/secrets/known.ts')
    learnEnvironment()
    const { text } = await get(`/start?only=${process.env.TSS_TOKEN}`)
    expect(text).toContain('[credential]')
    expect(text).not.toContain(process.env.TSS_TOKEN)
  })
})

test('streams and connections have a bound', async () => {
  const examined = await post('/examine/start', { product: 'v2-transfers' })
  expect(examined.status).toBe(303)
  const { hostname, port } = new URL(opened)
  const sockets = await Promise.all(
    Array.from({ length: 17 }, async () => {
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      socket.write(
        `GET /examine/events HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nCookie: ${cookie}\r\n\r\n`,
      )
      const first = await new Promise<Buffer>(resolve => socket.once('data', resolve))
      return first.toString().split('\r\n')[0]
    }),
  )
  expect(sockets.filter(line => line === 'HTTP/1.1 200 OK')).toHaveLength(16)
  expect((await post('/examine/end', {})).status).toBe(303)
})
