import { expect, test } from 'vitest'
import { BOOKING } from '../../../fixtures/checkers/testing/exchanges.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { exchangeFor, request, SENDER, stageOf } from '../../testing/evidence.ts'
import { idIn } from './race.ts'
import { readBack } from './read-back.ts'

const STRANGER = { ...SENDER, tenant: 'tenant-2' }

const ordered = exchangeFor(request(0, { op: 'v1 hotel confirm' }), {
  method: 'POST',
  path: '/api/v1/hotel/distribution/bookingConfirm',
  json: { statusCode: 'SUCCESS', id_orden: 7, booking: { status: 'CO' } },
})
const detail = (status: number, json: unknown, sender = SENDER) =>
  exchangeFor(
    request(50, { op: 'v1 hotel booking', status }),
    { path: '/api/v1/hotel/distribution/bookingDetail?id_orden=7', json },
    sender,
  )

const GONE = { error: 'Booking not found', message: '-', code: 404 }
const judged = (...exchanges: LoadExchange[]) =>
  readBack([stageOf({ scenario: 'journey-mix', exchanges })])[0]

test('an order that is found conforms', () => {
  const there = detail(200, { booking: { status: 'confirmed' } })
  expect(judged(ordered, there)).toMatchObject({ exercised: ['V1-HOTEL-STATE-CONFIRMED'], findings: [] })
})

test('an order that is not found is a finding with both exchanges', () => {
  const lost = [ordered, detail(404, GONE)] as const
  expect(judged(...lost)).toMatchObject({
    findings: [{ message: expect.stringContaining('got 1 × 404 ('), exchanges: lost.map(({ id }) => id) }],
  })
})

test.each<[string, LoadExchange[]]>([
  ['nothing was read', [ordered]],
  ['the read failed, or was refused for the load', [ordered, detail(503, {})]],
  ['an answer cannot be read', [ordered, detail(404, undefined)]],
  ['another company reads it', [ordered, detail(404, GONE, STRANGER)]],
])('nothing is decided where %s', (_, exchanges) => {
  expect(judged(...exchanges)).toBeUndefined()
})

test.each([[{ toString: null, valueOf: 1 }], [['a', 1]], [null], ['x']])('an id may be anything: %j', id => {
  const answer = exchangeFor(request(0, { op: 'v2 book', status: 201 }), {
    method: 'POST',
    path: '/api/v2/bookings',
    json: { booking: { ...BOOKING, booking_id: id } },
  })
  expect(idIn(answer)).toBe(typeof id === 'string' ? id : JSON.stringify(id))
})

const orderOf = (op: 'v1 transfer confirm' | 'v1 park A confirm', json: object) =>
  exchangeFor(request(0, { op }), { method: 'POST', path: '/api/v1/x', json })
const TRANSFER = orderOf('v1 transfer confirm', { id_order: 'T-7' })
const PARK = orderOf('v1 park A confirm', { success: true, id_order: 7 })

test.each([
  ['V1-TRANSFER-PDF', TRANSFER, 'v1 transfer voucher', '/api/v1/transfer/pdf?order_id=T-7'],
  ['V1-PARK-A-PDF', PARK, 'v1 park A voucher', '/api/v1/parkA/pdf?order_id=7'],
] as const)('what was booked and nobody knows any more is a finding: %s', (clause, booking, op, path) => {
  const answered = (status: number, said: object) =>
    exchangeFor(request(50, { op, status }), { path, ...said })
  const refused = { json: { error: 'ANYTHING', message: '-', code: 404, request_id: 'r' } }
  expect(judged(booking, answered(404, refused))).toMatchObject({
    findings: [{ clause, observed: '1 × 404' }],
  })
  const there = judged(booking, answered(200, { body: '%PDF-1.7' }))
  expect(there).toMatchObject({ exercised: [clause], findings: [] })
  expect(judged(booking, answered(409, refused))).toBeUndefined()
})
