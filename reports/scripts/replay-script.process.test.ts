import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { observe } from '../../fixtures/checkers/observe.ts'
import { exchangeOf } from '../../fixtures/checkers/testing/exchanges.ts'
import { toCurl } from '../../fixtures/client/recording/curl.ts'
import type { StoredExchange } from '../../fixtures/client/redaction/stored.ts'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { needing, writeProgram } from '../../fixtures/output/testing/program.ts'
import type { ScriptSubject } from './plan.ts'
import { replayScript } from './replay-script.ts'

const SUBJECT = {
  clause: 'V2-OFFER-CHECK-NEW',
  says: 'A check MUST return a new offer',
  expected: 'another id',
}

interface Sketch {
  headers?: [string, string][]
  method?: string
  path: string
  body?: unknown
  answer?: unknown
  status?: number
}

const text = (json: string) => ({ kind: 'text' as const, text: json, bytes: json.length })

/** Returns exchanges a1, a2 … of one check, a second apart. */
function traffic(...sketches: readonly Sketch[]): StoredExchange[] {
  return sketches.map(({ method = 'GET', path, body, headers = [], answer = {}, status = 200 }, index) => ({
    id: `a${index + 1}`,
    check: 'a check',
    sender: { role: 'standard' },
    version: 'v2',
    startedAt: new Date(Date.UTC(2027, 0, 1, 0, 0, index)).toISOString(),
    milliseconds: 5,
    request: {
      method,
      url: `https://staging.example.com${path}`,
      path,
      headers: [['authorization', 'Bearer $TSS_TOKEN'], ...headers],
      body: body === undefined ? null : text(JSON.stringify(body)),
    },
    response: { status, headers: [], body: text(JSON.stringify(answer)), rawBytes: 2 },
  }))
}

const OFFER = 'offer:0a1b2c3d'
const SEARCH: Sketch = {
  method: 'POST',
  path: '/api/v2/transfers/availability',
  body: {},
  answer: { results: [{ days: [{ offer_id: OFFER }] }] },
}
const CHECK: Sketch = { method: 'POST', path: '/api/v2/offers/check', body: { offer_id: OFFER } }
const OWN = '00000000-0000-4000-8000-000000000000'

test('a credential is sent again where it was sent, and an altered one as it is', () => {
  const [mark, altered] = ['[credential]', '[altered credential]']
  const scriptOf = (authorization: string, query: string) =>
    replayScript(
      SUBJECT,
      ['a1'],
      traffic({ path: `/api/v2/tickets/products${query}` }).map(one => ({
        ...one,
        request: {
          ...one.request,
          url: `https://a.example${one.request.path}`,
          headers: [['authorization', authorization]],
        },
      })),
    )
  expect(scriptOf(`Bearer ${altered}`, '')).toContain(`'authorization: Bearer ${altered}'`)
  expect(scriptOf(`Basic ${mark}`, '')).toContain(`'authorization: Basic '"$TSS_TOKEN"''`)
  expect(scriptOf('Bearer', `?token=${mark}`)).toContain(`?token='"$TSS_TOKEN"''`)
  expect(scriptOf('Bearer', '?token=[redacted]')).toBeUndefined()
})

test('there is no script for what control had arranged', () => {
  const arranged = ['move the clock forward by 900 seconds (after exchange a1)']
  expect(replayScript({ ...SUBJECT, arranged }, ['a1', 'a2'], traffic(SEARCH, CHECK))).toBeUndefined()
})

/** The folder of a run made by an attacker: every text is one of these. */
const nasty = fc
  .array(
    fc.constantFrom(
      ...'\'"\\\n\r\u2028\0;&|#7* }',
      ...['`touch CANARY`', '$(touch CANARY)', 'touch CANARY', '>CANARY', '--output CANARY', '-o', 'CANARY'],
      ...['@/etc/hostname', '$TSS_TOKEN', '$HOME', '$IFS', 'https://a.example/', 'EOF', '{a,b}', 'exit 9'],
      ...[OFFER, `tss-${OWN}`],
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map(parts => parts.join(''))

const nastyExchange = fc.record({
  id: nasty,
  check: nasty,
  sender: fc.record({ role: nasty, tenant: nasty }),
  version: fc.constantFrom('v1' as const, 'v2' as const),
  startedAt: nasty,
  milliseconds: fc.constant(1),
  request: fc.record({
    method: fc.oneof(fc.constantFrom('POST', 'HEAD'), nasty),
    url: fc.oneof(
      nasty,
      nasty.map(text => `https://a.example/api/v2/bookings/${text}`),
    ),
    path: fc.oneof(
      nasty,
      nasty.map(text => `/api/v1/hotel/distribution/bookingConfirm?id_orden=${text}`),
    ),
    headers: fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom('authorization', 'x'), nasty),
        fc.oneof(fc.constantFrom('Bearer $TSS_TOKEN', 'Bearer $TSS_TOKEN_$(touch CANARY)'), nasty),
      ),
      { maxLength: 4 },
    ),
    body: fc.oneof(
      fc.constant(null),
      fc.record({ kind: fc.constant('text' as const), text: nasty, bytes: fc.constant(1) }),
    ),
  }),
  response: fc.record({
    status: fc.constantFrom(200, 201, 404),
    headers: fc.constant([] as [string, string][]),
    rawBytes: fc.constant(1),
    body: fc.record({
      kind: fc.constant('text' as const),
      bytes: fc.constant(1),
      text: fc.oneof(
        nasty,
        fc.tuple(nasty, nasty).map(([name, value]) =>
          JSON.stringify({
            [name]: value,
            [`${name}_id`]: value,
            offer_id: OFFER,
            booking_id: value,
            id_order: value,
          }),
        ),
      ),
    }),
  }),
})

/** Returns a folder with a fake curl that gives an immediate answer, and leaves a trace if it is told to write elsewhere. */
function answering(answer: unknown, { status = 200, header = '' } = {}): string {
  const bin = temporaryFolder()
  const curl = `while [ $# -gt 0 ]; do case "$1" in
  --output) printf '%s' '${JSON.stringify(answer)}' > "$2"; shift ;;
  --dump-header) printf '${header}' > "$2"; shift ;;
  --data-raw) echo "$2" >> '${bin}/sent'; shift ;;
esac; shift; done
printf ${status}`
  writeProgram(join(bin, 'curl'), curl)
  return bin
}

/** Returns the bodies that it sent. */
const sentBy = (bin: string): unknown[] =>
  readFileSync(join(bin, 'sent'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** Runs a script with the programs of a folder, in a folder of its own. */
function ran(script: string, bin: string) {
  const env = { PATH: `${bin}:${process.env.PATH}`, TSS_TOKEN: 'a-credential' }
  return spawnSync('sh', ['-c', script], { cwd: temporaryFolder(), env, encoding: 'utf8' })
}

needing('jq')('a script whose credential sells for real books once, and cancels that', () => {
  const bin = answering({ booking_id: 7, test_mode: false })
  const book = { method: 'POST', path: '/api/v2/bookings', body: {}, status: 201 }
  const script = replayScript(SUBJECT, ['a1', 'a2'], traffic(book, book))!
  const { status, stdout } = ran(script, bin)
  expect(stdout.split('\n').slice(1, 4)).toEqual([
    '1. POST /api/v2/bookings: 200',
    'could not be tried: its credential is live, so it books nothing more',
    'Cancelling 7, which step 1 booked: 200',
  ])
  expect(status).toBe(2)
  // A live booking of the run was intended.
  const meant = traffic({ ...book, answer: { booking: { booking_id: 1, test_mode: false } } })
  expect(replayScript(SUBJECT, ['a1'], meant)).not.toContain('! live')
})

needing('jq')(
  'a transfer is cancelled as a recorded cancellation shows it, and one that may still stand is told',
  () => {
    const bin = answering({ id_order: 'N-8' }, { status: 400 })
    const path = '/api/v1/transfer/orders'
    const pool = traffic(
      { method: 'POST', path: `${path}/transferConfirm`, body: {}, answer: { id_order: 'N-7' } },
      { method: 'POST', path: `${path}/end/cancel`, body: {}, status: 400 },
      { method: 'POST', path: `${path}/end/cancel`, body: { why: '$(x)', which: 'N-7' } },
    ).map(({ request, ...exchange }) => ({
      ...exchange,
      version: 'v1' as const,
      // White space as JSON allows it, and jq does not between the words of a program.
      request: { ...request, body: text((request.body as { text: string }).text.replaceAll(',', ',\r\n')) },
    }))
    const script = replayScript(SUBJECT, ['a1'], pool)!
    expect(script).toContain(`'https://staging.example.com${path}/end/cancel'`)
    const { stdout } = ran(script, bin)
    expect(stdout).toContain(
      'Cancelling N-8, which step 1 booked: 400; it may still stand: cancel it by hand',
    )
    expect(sentBy(bin)).toContainEqual({ why: '$(x)', which: 'N-8' })
  },
)

needing('jq')('a script asks for the price of now, and for days as far ahead as in the run', () => {
  const bin = answering({ results: [{ price: 10.1 }] })
  writeProgram(join(bin, 'date'), 'echo 2027-02-12')
  const order = {
    product_id_adult: 'A',
    adults: 2,
    date: '2027-01-20',
    // A cent too much.
    total_amount: 16.01,
    pax: [{ birthdate: '2017-01-21' }, { birthdate: '1990-01-01' }],
  }
  const pool = traffic(
    {
      method: 'POST',
      path: '/api/v1/parkA/getTicketPrice',
      body: { product_id: 'A', from_date: '2027-01-20', to_date: '2027-01-20' },
      answer: { results: [{ date: '2027-01-20', price: 8 }] },
    },
    { method: 'POST', path: '/api/v1/parkA/ticketConfirm', body: order },
  ).map(one => ({ ...one, version: 'v1' as const }))
  ran(replayScript(SUBJECT, ['a2'], pool)!, bin)
  expect(sentBy(bin)).toEqual([
    { product_id: 'A', from_date: '2027-03-03', to_date: '2027-03-03' },
    {
      ...order,
      date: '2027-03-03',
      total_amount: 20.21,
      pax: [{ birthdate: '2017-03-04' }, { birthdate: '1990-01-01' }],
    },
  ])
})

test('an offer is taken from its place in an answer that was cut', () => {
  const [search, check] = traffic(SEARCH, CHECK)
  const text = `[{"offer_id":"offer:00000000"},{"offer_id":"${OFFER}"},{"o`
  const response = { ...search!.response!, body: { kind: 'text' as const, text, bytes: 99, cut: 'a part' } }
  expect(replayScript(SUBJECT, ['a2'], [{ ...search!, response }, check!])).toContain('$(offer 1 1)')
})

test('what the owner did with a booking is sent before others ask for it', () => {
  const path = '/api/v2/bookings/7'
  const pool = traffic(
    { method: 'POST', path: '/api/v2/bookings', answer: { booking: { booking_id: 7 } }, status: 201 },
    { method: 'POST', path: `${path}/cancel` },
    { path },
  ).map((one, at) => ({ ...one, sender: { role: 'standard', tenant: at < 2 ? 'owner' : 'other' } }))
  expect(replayScript(SUBJECT, ['a3'], pool)).toContain('# 2. POST /api/v2/bookings/7/cancel')
})

test('people who differ and are stored alike are not taken for one', () => {
  const pool = traffic(SEARCH, CHECK, CHECK)
  const scriptOf = (all: typeof pool) =>
    replayScript({ ...SUBJECT, compare: { of: 'alike' } }, ['a2', 'a3'], all)
  expect(scriptOf(pool)).toBeDefined()
  for (const [at, { request }] of pool.entries()) Object.assign(request.body!, { same: `${at}` })
  expect(scriptOf(pool)).toBeUndefined()
})

interface Told extends Pick<Sketch, 'status' | 'answer'> {
  header?: string
}

const says = (error: string, status = 400): Told => ({ status, answer: { error } })
const DONE: Told = { status: 200, answer: {} }
const problems = (...errors: unknown[]): Told => ({ status: 400, answer: { error: { details: { errors } } } })
const allowing = (methods: string): Told => ({ status: 405, answer: {}, header: `Allow: ${methods}\\r\\n` })

const REFUSAL = { of: 'status' as const, is: ['4xx'] }
const ACCEPTANCE = { of: 'status' as const, is: ['2xx'] }
const NO_FLAG = { of: 'flag' as const, at: 'replayed', not: true as const }
const REQUIRED = {
  of: 'json' as const,
  at: 'error.details.errors',
  has: [{ field: 'a', code: 'REQUIRED' }],
}
const ONLY_GET = { of: 'header' as const, at: 'allow', has: ['GET'], lacks: ['POST', 'DELETE'] }

needing('jq').each<[string, ScriptSubject['compare'], then: Told, now: Told, code: number]>([
  ['the refusal of the run', ACCEPTANCE, says('Age mismatch'), says('Age mismatch'), 1],
  ['that of a market', ACCEPTANCE, says('Age mismatch'), says('Price changed.'), 2],
  ['a refusal that is right', REFUSAL, DONE, says('Age mismatch'), 0],
  ['that of a market in its place', REFUSAL, DONE, says('Price changed.'), 2],
  ['that of a wrong credential', REFUSAL, DONE, says('Authentication required', 401), 2],
  ['a refusal without a flag', NO_FLAG, DONE, says('x', 409), 2],
  ['a success of which only the kit knows what it lacks', undefined, DONE, DONE, 2],
  [
    'a problem among others',
    REQUIRED,
    problems(),
    problems({ field: 'b', code: 'REQUIRED' }, { field: 'a', code: 'REQUIRED', more: 1 }),
    0,
  ],
  [
    'other problems',
    REQUIRED,
    problems(),
    problems({ field: 'a', code: 'INVALID' }, { field: 'ab', code: 'REQUIRED' }),
    1,
  ],
  ['the method in Allow', ONLY_GET, allowing('PUT'), allowing('GET'), 0],
  ['another method beside it', ONLY_GET, allowing('PUT'), allowing('DELETE, GET'), 1],
  ['another method', ONLY_GET, allowing('PUT'), allowing('PUT'), 1],
])('a script is told %s', (_, compare, then, { answer, ...now }, code) => {
  const pool = traffic({ ...then, path: '/api/v2/tickets/products', method: 'POST' })
  const observed = `status ${then.status}`
  const script = replayScript({ ...SUBJECT, observed, ...(compare && { compare }) }, ['a1'], pool)!
  expect(ran(script, answering(answer, now))).toMatchObject({ status: code, stderr: '' })
})

const MISSING = { error: { code: 'BOOKING_NOT_FOUND' } }

needing('jq').each([
  ['V2-ERR-STATUS-BOOKING-NOT-FOUND', '/api/v2/bookings/0/cancel', MISSING, 410, 404],
  ['V1-PARK-A-ERR-AGE', '/api/v1/parkA/ticketConfirm', { error: 'Age mismatch' }, 422, 400],
])('a script takes the refusal for kept that %s expects', (id, path, json, then, now) => {
  const sketch = { method: 'POST', path }
  const rows = observe(exchangeOf({ ...sketch, status: then, json }))
  const { violation } = rows.find(({ clause }) => clause === id)!
  const script = replayScript(
    { ...SUBJECT, ...violation! },
    ['a1'],
    traffic({ ...sketch, status: then, answer: json }),
  )!
  for (const [status, code] of [
    [now, 0],
    [then, 1],
    [200, 2],
  ] as const)
    expect(ran(script, answering(json, { status })), `${status}`).toMatchObject({ status: code, stderr: '' })
})

needing('jq')('a hostile record cannot make a script do anything else', () => {
  const bin = answering({ booking_id: 7, offer_id: 'x' })
  const [cwd, answers] = [temporaryFolder(), temporaryFolder()]
  writeProgram(join(bin, 'sleep'), '')
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: cwd, TMPDIR: answers, TSS_TOKEN: 'a-credential' }
  let written = 0
  fc.assert(
    fc.property(
      fc.record({
        clause: nasty,
        says: nasty,
        expected: nasty,
        observed: nasty,
        arranged: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(nasty, { maxLength: 2 })),
        compare: fc.record({
          of: fc.constantFrom('status', 'error', 'flag', 'json', 'booking', 'header', 'order', 'pdf'),
          at: nasty,
          is: fc.array(nasty),
        }),
      }),
      fc.array(nastyExchange, { minLength: 1, maxLength: 3 }),
      (subject, exchanges) => {
        const script = replayScript(
          subject as ScriptSubject,
          exchanges.map(({ id }) => id),
          exchanges,
        )
        if (script !== undefined) {
          written++
          const { status, stderr } = spawnSync('sh', ['-c', script], { cwd, env, encoding: 'utf8' })
          expect([0, 1, 2], `${stderr}\n${script}`).toContain(status)
          expect(stderr).not.toMatch(/^sh:/m)
        }
        for (const exchange of exchanges)
          spawnSync('sh', ['-c', toCurl(exchange)], { cwd, env, encoding: 'utf8', input: '' })
        expect(readdirSync(cwd), script).toEqual([])
        expect(readdirSync(answers), script).toEqual([])
      },
    ),
    { numRuns: 40, endOnFailure: true },
  )
  expect(written).toBeGreaterThan(10)
})
