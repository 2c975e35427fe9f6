import { describe, expect, test } from 'vitest'
import { BOOKING, errorOf, PENDING } from '../../fixtures/checkers/sample.ts'
import type { LoadExchange } from '../read/evidence.ts'
import { exchangeFor, request, SENDER, stageOf } from '../testing/evidence.ts'
import { remembered } from './remembered.ts'

const STRANGER = { ...SENDER, tenant: 'tenant-2' }

const made = (id: number, more: object = {}, status = 201): LoadExchange =>
  exchangeFor(request(0, { op: 'v2 book', status }), {
    method: 'POST',
    path: '/api/v2/bookings',
    json: { booking: { ...BOOKING, booking_id: id, ...more } },
  })

const read = (id: number, said: { status?: number; json?: unknown }, sender = SENDER): LoadExchange =>
  exchangeFor(
    request(50, { op: 'v2 booking', status: said.status ?? 200 }),
    { path: `/api/v2/bookings/${id}`, ...said },
    sender,
  )

const showing = (id: number, more: object = {}) => ({
  json: { booking: { ...BOOKING, booking_id: id, ...more } },
})

const decided = (...exchanges: LoadExchange[]) =>
  remembered([stageOf({ scenario: 'journey-mix', exchanges })])

describe('what was booked', () => {
  test('is read as it was made', () => {
    expect(decided(made(1), read(1, showing(1)))).toEqual({ clause: 'V2-BOOK-READ-SAME', outcome: 'kept' })
  })

  test.each<[string, { status?: number; json?: unknown }, RegExp]>([
    ['is not there', { status: 404, json: errorOf('BOOKING_NOT_FOUND') }, /got 404 for booking 1 \(/],
    ["is somebody else's", showing(2), /got booking 2 for booking 1 \(/],
    ['costs something else', showing(1, { total: 1.5 }), /got total 1\.5 of booking 1 that was made with /],
    ['has another currency', showing(1, { currency: 'XXX' }), /got currency "XXX" of booking 1 /],
  ])('%s: a finding, with both exchanges', (_, said, message) => {
    const [created, answer] = [made(1), read(1, said)]
    expect(decided(created, answer, made(3), read(3, showing(3)))).toMatchObject({
      outcome: 'broken',
      findings: [{ message: expect.stringMatching(message), exchanges: [created.id, answer.id] }],
    })
  })
})

test.each<[string, LoadExchange[]]>([
  ['nothing was read', [made(1)]],
  ['the read failed, or was refused for the load', [made(1), read(1, { status: 503, json: {} })]],
  ['an answer cannot be read', [made(1), read(1, { status: 200 })]],
  ['the booking was pending', [made(1, PENDING, 202), read(1, { status: 404, json: {} })]],
  ['another company reads it', [made(1), read(1, { status: 404, json: {} }, STRANGER)]],
])('says nothing where %s', (_, exchanges) => {
  expect(decided(...exchanges)).toBeUndefined()
})

test('a booking that changed its state may have changed its price', () => {
  const later = read(1, showing(1, { status: 'cancelled', total: 0 }))
  expect(decided(made(1), later)).toMatchObject({ outcome: 'kept' })
})
