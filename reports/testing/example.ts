import type { Clause } from '../../fixtures/clauses/clause.ts'
import type { StoredExchange } from '../../fixtures/client/redaction/stored.ts'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { assemble } from '../judge/assemble.ts'
import type { RunInput } from '../judge/run-input.ts'
import { checkOf } from './checks.ts'

/** Texts that a hostile or broken deployment may have put into a finding. */
export const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)> & "quotes" \'here\'',
  ']]> <![CDATA[ <!-- -->',
  '\u001b[31mred\u001b[0m \u001b]8;;http://h.example\u0007link\u001b]8;;\u0007 \u009b2J',
  'NUL \u0000 BEL \u0007 DEL \u007f ZWSP \u200b RLO \u202e lone \ud800 end',
  'emoji 👩‍👩‍👧‍👦 and | pipes | in `code` [link](http://h.example)\r\nnew line @someone',
] as const

const bookings = { part: '4.5', area: 'v2-bookings', level: 'must', side: 'server' } as const
const common = { ...bookings, area: 'http' } as const
const vouchers = { ...bookings, area: 'v2-vouchers' } as const

const catalogue: Record<string, Clause> = {
  'V2-IDEM-REPLAY': {
    ...bookings,
    says: 'A repeat of a finished booking MUST answer 200 with the same booking.',
  },
  'V2-IDEM-KEY-REUSED': {
    ...bookings,
    says: 'A key that was used with another body MUST be refused with 409.',
  },
  'V2-BOOK-CREATED': { ...bookings, says: 'A booking made in full MUST answer 201 with status confirmed.' },
  'V2-BOOK-ABANDONED': {
    ...bookings,
    needs: ['control:clock'],
    says: 'A key in progress for longer than fifteen minutes MUST be taken as abandoned.',
  },
  'V2-OFFER-FORGED': {
    ...bookings,
    area: 'v2-offers',
    part: '7.5',
    says: 'An offer that was altered MUST be refused with 400 OFFER_INVALID.',
  },
  'V2-ERR-REQUEST-ID': {
    ...common,
    part: '7.5',
    says: 'A v2 error MUST carry the request id of its header.',
  },
  'V2-CACHE-OTHER': { ...common, part: '8', level: 'should', says: 'A v2 error SHOULD not be stored.' },
  'V2-VOUCHER-READY': { ...vouchers, part: '3.2', says: 'A voucher that is ready MUST be served as a PDF.' },
  'V2-VOUCHER-LANGUAGE': {
    ...vouchers,
    part: '5.5',
    planned: true,
    says: 'A voucher MUST be written in the language of the credential.',
  },
  'V1-HOTEL-SEARCH-FINISH': {
    ...bookings,
    area: 'v1-hotels',
    part: '4.1',
    says: 'A search MUST say finish once it has ended.',
  },
  'CLIENT-IGNORES-UNKNOWN': {
    ...common,
    part: '9',
    side: 'client',
    unobservable: 'only the client’s own process can tell',
    says: 'A client MUST ignore fields that it does not know.',
  },
}

const check = (name: string, clauses: string[], report: Partial<CheckReport>): CollectedCheck =>
  checkOf(name, clauses, { kind: 'transfers', sold: true, ...report })

const replay =
  'suites/v2-bookings/idempotency.suite.ts > Idempotency-Key > the same key and body replays the booking'
const forged = 'suites/v2-offers/forged.suite.ts > Offers > an altered offer is refused'
const voucher = 'suites/v2-vouchers/download.suite.ts > Vouchers > a ready voucher is a PDF'

const checks: CollectedCheck[] = [
  check(replay, ['V2-IDEM-REPLAY', 'V2-IDEM-KEY-REUSED', 'V2-BOOK-CREATED'], {
    findings: [
      {
        clause: 'V2-IDEM-REPLAY',
        message:
          'POST /api/v2/bookings: expected status 200, got 201 with another booking_id (exchanges a3, a4)',
        expected: 'status 200',
        observed: '201',
        source: 'check',
        check: replay,
        exchanges: ['a3', 'a4'],
      },
      ...Array.from({ length: 4 }, (_, at) => ({
        clause: 'V2-CACHE-OTHER',
        message: `GET /api/v2/bookings/${at}: expected Cache-Control: private, no-store, got no Cache-Control (exchange a5)`,
        source: 'passive' as const,
        check: replay,
        exchanges: ['a5'],
      })),
    ],
    exercised: [
      'V2-IDEM-REPLAY',
      'V2-IDEM-KEY-REUSED',
      'V2-BOOK-CREATED',
      'V2-ERR-REQUEST-ID',
      'V2-CACHE-OTHER',
    ],
  }),
  check(forged, ['V2-OFFER-FORGED'], {
    findings: HOSTILE.map(text => ({
      clause: 'V2-OFFER-FORGED',
      message: `POST /api/v2/offers/check: expected 400 OFFER_INVALID, got ${text}`,
      expected: '400 OFFER_INVALID',
      observed: text,
      source: 'check',
      check: forged,
      exchanges: ['b1', 'b2'],
    })),
    properties: [{ seed: 7, runs: 12, planned: 50, path: '11:0', counterexample: '["flip", 40]' }],
  }),
  check(voucher, ['V2-VOUCHER-READY'], {
    exercised: [],
    stopped: {
      verdict: 'blocked',
      reason: 'no offers for product 118 within 90 days, although v2-transfers is claimed',
    },
  }),
  check(
    'suites/v2-bookings/abandoned.suite.ts > Idempotency-Key > is abandoned after fifteen minutes',
    ['V2-BOOK-ABANDONED'],
    {
      exercised: [],
      stopped: {
        verdict: 'not exercised',
        reason: 'needs control:clock, which the definition does not offer',
        lacking: true,
      },
    },
  ),
]

/** The input of the example record: a deployment with a bit of everything wrong. */
export const exampleInput: RunInput = {
  kit: { name: 'travel-sales-conformance', version: '0.1.0', node: '24.21.0' },
  context: { run: '2026-10-01T09-30-00-k3f9', seed: 1_234_567 },
  deployment: {
    name: 'Staging of Example Travel',
    baseUrl: 'https://staging.example.com/sales',
    products: ['v2-transfers'],
  },
  catalogue,
  passiveClauses: new Map([
    ['V2-ERR-REQUEST-ID', 'an error'],
    ['V2-CACHE-OTHER', 'an answer'],
  ]),
  collected: { checks, moduleErrors: [], unhandledErrors: [], ended: true },
  requests: { v1: 12, v2: 2_304 },
  leftovers: [
    {
      bookingId: '99120',
      product: 'transfers',
      role: 'standard',
      reason: 'cancelling answered 409 CANCELLATION_REJECTED',
    },
  ],
  startedAt: '2026-10-01T09:30:00.000Z',
  finishedAt: '2026-10-01T09:30:02.412Z',
}

/** A record with everything in it that reports have to show: for their tests, and to look at them. */
export const exampleRecord: RunRecord = assemble(exampleInput)

const sent = (id: string, path: string, body: string | null): Omit<StoredExchange, 'response'> => ({
  id,
  check: id.startsWith('a') ? replay : forged,
  sender: { role: 'standard', tenant: 't-41' },
  version: 'v2',
  startedAt: '2026-10-01T09:30:01.120Z',
  milliseconds: 41.7,
  request: {
    method: body === null ? 'GET' : 'POST',
    url: `https://staging.example.com/sales${path}`,
    path,
    headers: [
      ['Authorization', 'Bearer ‹credential of role standard›'],
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', 'k-7f3a'],
    ],
    body: body === null ? null : { kind: 'text', text: body, bytes: body.length },
  },
})

const answered = (status: number, text: string): NonNullable<StoredExchange['response']> => ({
  status,
  rawBytes: text.length,
  headers: [
    ['content-type', 'application/json; charset=utf-8'],
    ['x-request-id', 'req_9c1'],
  ],
  body: { kind: 'text', text, bytes: text.length },
})

const booking = (id: number): string =>
  JSON.stringify(
    { booking: { booking_id: id, status: 'confirmed', total: 79.9 }, request_id: 'req_9c1' },
    null,
    2,
  )
const order = JSON.stringify({ items: [{ offer_id: '‹offer 5d1c›', travelers: [{ first_name: '‹name›' }] }] })

/** The exchanges that the findings of the example record cite, as the recorder would have stored them. */
export const exampleExchanges: StoredExchange[] = [
  { ...sent('a3', '/api/v2/bookings', order), response: answered(201, booking(99_120)) },
  { ...sent('a4', '/api/v2/bookings', order), response: answered(201, booking(99_121)) },
  {
    ...sent('a5', '/api/v2/bookings/99120/voucher', null),
    response: {
      status: 200,
      rawBytes: 20_480,
      headers: [['content-type', 'application/pdf']],
      body: { kind: 'binary', bytes: 20_480, sha256: '9f86d081884c7d65', firstBytes: '255044462d312e37' },
    },
  },
  {
    ...sent(
      'b1',
      '/api/v2/offers/check?x=</pre><script>alert(1)</script>',
      '{"offer_id":"‹offer 5d1c, altered›"}',
    ),
    response: {
      ...answered(400, HOSTILE.join('\n')),
      headers: [['x-hostile', HOSTILE[1]]],
      jsonError: 'Unexpected token < at position 0',
    },
  },
  {
    ...sent('b2', '/api/v2/offers/check', '{}'),
    error: { kind: 'reset', message: 'the connection was reset' },
  },
]

/** The same as the text of `exchanges.ndjson`. */
export const exampleNdjson = linesOf(exampleExchanges)

/** Exchanges as the file of a run holds them. */
export function linesOf(exchanges: readonly StoredExchange[]): string {
  return exchanges.map(exchange => `${JSON.stringify(exchange)}\n`).join('')
}
