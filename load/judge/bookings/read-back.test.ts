import { expect, test } from 'vitest'
import { BOOKING, errorOf, PENDING } from '../../../fixtures/checkers/testing/exchanges.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { exchangeFor, request, SENDER, stageOf } from '../../testing/evidence.ts'
import { idIn } from './race.ts'
import { readBack } from './read-back.ts'

const STRANGER = { ...SENDER, tenant: 'tenant-2' }

const showing = (id: number, more: object = {}) => ({
  json: { booking: { ...BOOKING, booking_id: id, ...more } },
})

const made = (id: number, more: object = {}, status = 201): LoadExchange =>
  exchangeFor(request(0, { op: 'v2 book', status }), {
    method: 'POST',
    path: '/api/v2/bookings',
    ...showing(id, more),
  })

const read = (id: number | string, said: { status?: number; json?: unknown }, sender = SENDER) =>
  exchangeFor(
    request(50, { op: 'v2 booking', status: said.status ?? 200 }),
    { path: `/api/v2/bookings/${id}`, ...said },
    sender,
  )

const ordered = exchangeFor(request(0, { op: 'v1 hotel confirm' }), {
  method: 'POST',
  path: '/api/v1/hotel/distribution/bookingConfirm',
  json: { statusCode: 'SUCCESS', id_orden: 7, booking: { status: 'CO' } },
})
const detail = (status: number, json: unknown) =>
  exchangeFor(request(50, { op: 'v1 hotel booking', status }), {
    path: '/api/v1/hotel/distribution/bookingDetail?id_orden=7',
    json,
  })

const GONE = { status: 404, json: errorOf('BOOKING_NOT_FOUND') }
const judged = (...exchanges: LoadExchange[]) =>
  readBack([stageOf({ scenario: 'journey-mix', exchanges })])[0]

test('a booking that is found conforms', () => {
  const exercised = ['V2-BOOK-READ-SAME', 'V1-HOTEL-STATE-CONFIRMED']
  const there = detail(200, { booking: { status: 'confirmed' } })
  expect(judged(made(1), read(1, showing(1)), ordered, there)).toMatchObject({ exercised, findings: [] })
})

test('a booking that is not found is a finding with both exchanges', () => {
  const gone = [made(1), read(1, GONE)] as const
  const lost = [ordered, detail(404, { error: 'Booking not found', message: '-', code: 404 })] as const
  expect(judged(...gone, made(3), read(3, showing(3)), ...lost)).toMatchObject({
    findings: [gone, lost].map(both => ({
      message: expect.stringContaining('got 1 × 404 ('),
      exchanges: both.map(({ id }) => id),
    })),
  })
})

test.each<[string, LoadExchange[]]>([
  ['nothing was read', [made(1)]],
  ['the read failed, or was refused for the load', [made(1), read(1, { status: 503, json: {} })]],
  ['an answer cannot be read', [made(1), read(1, { status: 404 })]],
  ['the booking was pending', [made(1, PENDING, 202), read(1, GONE)]],
  ['another company reads it', [made(1), read(1, GONE, STRANGER)]],
  ['a path names no booking, as nobody can decode it', [made(1), read('%E0%A4%A', GONE)]],
])('nothing is decided where %s', (_, exchanges) => {
  expect(judged(...exchanges)).toBeUndefined()
})

test.each([[{ toString: null, valueOf: 1 }], [['a', 1]], [null], ['x']])('an id may be anything: %j', id => {
  const answer = {
    ...made(7),
    response: { ...made(7).response, json: { booking: { ...BOOKING, booking_id: id } } },
  }
  expect(idIn(answer)).toBe(typeof id === 'string' ? id : JSON.stringify(id))
  expect(() => judged(answer, read(7, { json: answer.response.json }))).not.toThrow()
})

const orderOf = (op: 'v1 transfer confirm' | 'v1 park A confirm', json: object) =>
  exchangeFor(request(0, { op }), { method: 'POST', path: '/api/v1/x', json })
const TRANSFER = orderOf('v1 transfer confirm', { id_order: 'T-7' })
const PARK = orderOf('v1 park A confirm', { success: true, id_order: 7 })

test.each([
  ['V1-TRANSFER-PDF', TRANSFER, 'v1 transfer voucher', '/api/v1/transfer/pdf?order_id=T-7'],
  ['V1-PARK-A-PDF', PARK, 'v1 park A voucher', '/api/v1/parkA/pdf?order_id=7'],
  ['V2-CANCEL-ACCEPTED', made(1), 'v2 cancel', '/api/v2/bookings/1/cancel'],
  ['V2-VOUCHER-READY', made(1, { voucher: { status: 'ready' } }), 'v2 voucher', '/api/v2/bookings/1/voucher'],
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
