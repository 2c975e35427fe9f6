import { expect, test } from 'vitest'
import { BOOKING, errorOf } from '../../fixtures/checkers/testing/exchanges.ts'
import type { LoadExchange } from '../read/evidence.ts'
import { exchangeFor, request, SENDER, START } from '../testing/evidence.ts'
import { PassiveRules } from './passive-rules.ts'

const STRANGER = { ...SENDER, tenant: 'tenant-2' }
const DAY = '2027-09-01'

const found = exchangeFor(request(0, { op: 'v2 transfer availability' }), {
  method: 'POST',
  path: '/api/v2/transfers/availability',
  sent: { product_ids: [7], from: DAY, to: DAY, pax: { adult: 1, child: 0, infant: 0 } },
  json: {
    request_id: 'r1',
    results: [
      {
        product_id: 7,
        currency: 'EUR',
        days: [{ date: DAY, availability: 'available', total: 50, offer_id: 'offer-7', expires_at: null }],
      },
    ],
  },
})

const made = (id: number): LoadExchange =>
  exchangeFor(request(20, { op: 'v2 book', status: 201 }), {
    method: 'POST',
    path: '/api/v2/bookings',
    json: { request_id: 'r3', booking: { ...BOOKING, booking_id: id } },
  })

const gone = exchangeFor(request(40, { op: 'v2 booking', status: 404 }), {
  path: '/api/v2/bookings/1',
  json: errorOf('BOOKING_NOT_FOUND'),
})

test('answers are held against those before them, and those to somebody else are independent', () => {
  const broken = (later: LoadExchange) => {
    const rules = new PassiveRules()
    rules.observe({ ...made(1), id: 'a0' })
    rules.observe({ ...later, id: 'a1', startedAt: new Date(START + 1000).toISOString() })
    rules.close()
    return rules.findings().filter(({ clause }) => clause === 'V2-BOOK-READ-SAME')
  }
  expect(broken(gone)).toMatchObject([{ exchanges: expect.arrayContaining(['a0', 'a1']) }])
  expect(broken({ ...gone, sender: { role: STRANGER.role, tenant: STRANGER.tenant! } })).toEqual([])
})

test("a fresh offer must not be refused as altered or another company's", () => {
  const rules = new PassiveRules()
  const check = exchangeFor(request(0, { op: 'v2 offer check', status: 400 }), {
    method: 'POST',
    path: '/api/v2/offers/check',
    sent: { offer_id: 'offer-7' },
    json: errorOf('OFFER_INVALID'),
  })
  rules.observe(check)
  expect(rules.findings().map(({ clause }) => clause)).toContain('V2-OFFER-CHECK-OK')
})

test('a credential that is refused with 401 is a finding if it is served before and after', () => {
  const refused = exchangeFor(request(50, { op: 'v1 probe', status: 401 }), { path: '/api/v1/p', json: {} })
  const later = { ...found, startedAt: new Date(Date.parse(refused.startedAt) + 60_000).toISOString() }
  const clausesOf = (...exchanges: LoadExchange[]) => {
    const rules = new PassiveRules()
    for (const exchange of exchanges) rules.observe(exchange)
    return rules.findings().map(({ clause }) => clause)
  }
  expect(clausesOf(found, refused, later)).toContain('AUTH-BOTH-VERSIONS')
  for (const lawful of [
    [found, refused],
    [refused, later],
    [{ ...found, sender: STRANGER }, refused, later],
  ])
    expect(clausesOf(...lawful)).not.toContain('AUTH-BOTH-VERSIONS')
})

test('an answer that k6 left packed is not judged', () => {
  const rules = new PassiveRules()
  const packed = exchangeFor(request(0, { op: 'v2 booking', status: 404 }), {
    path: '/api/v2/bookings/1',
    headers: [['Content-Encoding', 'x-gzip']],
  })
  rules.observe(packed)
  expect([rules.judged, rules.findings()]).toEqual([0, []])
})

const book = (at: number, heardAt: number, status: number, json: unknown): LoadExchange => ({
  ...exchangeFor(request(at, { op: 'v2 book', status }), {
    method: 'POST',
    path: '/api/v2/bookings',
    asking: [['Idempotency-Key', 'key-1']],
    sent: { items: [{ offer_id: 'offer-7' }] },
    json,
  }),
  heardAt: START + heardAt,
})
const booked = (id: number) => ({ request_id: 'r1', booking: { ...BOOKING, booking_id: id } })
const clausesFor = (heardAt: number, repeat: LoadExchange) => {
  const rules = new PassiveRules()
  rules.observe(book(0, heardAt, 201, booked(1)))
  rules.observe(repeat)
  rules.close()
  return rules.findings().map(({ clause }) => clause)
}

test('requests with one key: are later ones only if they left after the script had the answer', () => {
  const busy = book(20, 30, 409, errorOf('BOOKING_IN_PROGRESS'))
  expect(clausesFor(20, busy)).not.toContain('V2-IDEM-REPLAY-STATUS')
  expect(clausesFor(19, busy)).toContain('V2-IDEM-REPLAY-STATUS')
})

test('requests with one key: make one booking where they run at once, and may fail as any may under load', () => {
  expect(clausesFor(20, book(10, 30, 201, booked(2)))).toContain('V2-IDEM-RACE-ONE-BOOKING')
  const failed = book(10, 30, 500, errorOf('INTERNAL_ERROR'))
  expect(clausesFor(20, failed)).not.toContain('V2-IDEM-RACE-ANSWERS')
})

test('an order of v1 that is not found any more is a finding', () => {
  const rules = new PassiveRules()
  const order = exchangeFor(request(0, { op: 'v1 hotel confirm' }), {
    method: 'POST',
    path: '/api/v1/hotel/distribution/bookingConfirm',
    json: { statusCode: 'SUCCESS', id_orden: 7, booking: { status: 'CO' } },
  })
  const read = (at: number, status: number, json: unknown) =>
    exchangeFor(request(at, { op: 'v1 hotel booking', status }), {
      path: '/api/v1/hotel/distribution/bookingDetail?id_orden=7',
      json,
    })
  rules.observe(order)
  rules.observe(read(50, 503, {}))
  rules.observe(read(90, 404, { error: 'Booking not found', message: '-', code: 404 }))
  rules.close()
  const found = rules.findings().filter(({ clause }) => clause === 'V1-HOTEL-STATE-CONFIRMED')
  expect(found.map(({ observed }) => observed)).toEqual(['404'])
})
