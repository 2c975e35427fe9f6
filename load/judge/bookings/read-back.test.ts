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

const cancel = (id: number, state: string, status = 200): LoadExchange =>
  exchangeFor(request(0, { op: 'v2 cancel', status, took: 40 }), {
    method: 'POST',
    path: `/api/v2/bookings/${id}/cancel`,
    ...showing(id, { status: state }),
  })

const read = (id: number, said: { status?: number; json?: unknown }, sender = SENDER, at = 50) =>
  exchangeFor(
    request(at, { op: 'v2 booking', status: said.status ?? 200 }),
    { path: `/api/v2/bookings/${id}`, ...said },
    sender,
  )

const readState = (id: number, status: string, sender = SENDER, at = 50) =>
  read(id, showing(id, { status }), sender, at)

const [MADE, CANCELLED] = ['V2-BOOK-READ-SAME', 'V2-CANCEL-READ'] as const
const answering =
  (clause: typeof MADE | typeof CANCELLED) =>
  (...exchanges: LoadExchange[]) =>
    readBack([stageOf({ scenario: 'journey-mix', exchanges })]).find(({ clauses }) => clauses[0] === clause)
const [asMade, asCancelled] = [answering(MADE), answering(CANCELLED)]

test('what was booked or cancelled is read so', () => {
  expect(asMade(made(1), read(1, showing(1)))).toMatchObject({ exercised: [MADE], findings: [] })
  const kept = { exercised: [CANCELLED], findings: [] }
  expect(asCancelled(cancel(1, 'cancelled'), readState(1, 'cancelled'))).toMatchObject(kept)
})

test('a path that nobody can decode, as recordings of others may hold, names no booking', () => {
  const strange = exchangeFor(request(50, { op: 'v2 booking' }), {
    path: '/api/v2/bookings/%E0%A4%A',
    ...showing(1),
  })
  expect(asMade(made(1), strange)).toBeUndefined()
})

test.each<[string, { status?: number; json?: unknown }, RegExp]>([
  ['is not there', { status: 404, json: errorOf('BOOKING_NOT_FOUND') }, /got 404 for booking 1 \(/],
  ["is somebody else's", showing(2), /got booking 2 for booking 1 \(/],
  ['costs something else', showing(1, { total: 1.5 }), /got total 1\.5 of booking 1 that was made with /],
  ['has another currency', showing(1, { currency: 'XXX' }), /got currency "XXX" of booking 1 /],
])('what was booked and %s: a finding, with both exchanges', (_, said, message) => {
  const [created, answer] = [made(1), read(1, said)]
  expect(asMade(created, answer, made(3), read(3, showing(3)))).toMatchObject({
    findings: [{ message: expect.stringMatching(message), exchanges: [created.id, answer.id] }],
  })
})

test('what stands after its cancellation is a finding, with both exchanges', () => {
  const [done, after] = [cancel(1, 'cancelled'), readState(1, 'confirmed')]
  expect(asCancelled(cancel(2, 'cancelled'), readState(2, 'cancelled'), done, after)).toMatchObject({
    findings: [{ message: expect.stringContaining('got "confirmed" ('), exchanges: [done.id, after.id] }],
  })
})

test.each<[string, typeof asMade, LoadExchange[]]>([
  ['nothing was read', asMade, [made(1)]],
  ['the read failed, or was refused for the load', asMade, [made(1), read(1, { status: 503, json: {} })]],
  ['an answer cannot be read', asMade, [made(1), read(1, { status: 200 })]],
  ['the booking was pending', asMade, [made(1, PENDING, 202), read(1, { status: 404, json: {} })]],
  ['another company reads it', asMade, [made(1), read(1, { status: 404, json: {} }, STRANGER)]],
  [
    'it was read before it was cancelled',
    asCancelled,
    [cancel(1, 'cancelled'), readState(1, 'confirmed', SENDER, 10)],
  ],
  ['its cancellation was refused', asCancelled, [cancel(1, 'confirmed', 409), readState(1, 'confirmed')]],
  ['its cancellation says otherwise', asCancelled, [cancel(1, 'pending'), readState(1, 'pending')]],
  [
    'another company has a booking of that id',
    asCancelled,
    [cancel(1, 'cancelled'), readState(1, 'confirmed', STRANGER)],
  ],
])('nothing is decided where %s', (_, decided, exchanges) => {
  expect(decided(...exchanges)).toBeUndefined()
})

test('a booking that changed its state may have changed its price', () => {
  const later = read(1, showing(1, { status: 'cancelled', total: 0 }))
  expect(asMade(made(1), later)).toMatchObject({ exercised: [MADE], findings: [] })
})

test.each([[{ toString: null, valueOf: 1 }], [['a', 1]], [null], ['x']])('an id may be anything: %j', id => {
  const answer = {
    ...made(7),
    response: { ...made(7).response, json: { booking: { ...BOOKING, booking_id: id } } },
  }
  expect(idIn(answer)).toBe(typeof id === 'string' ? id : JSON.stringify(id))
  expect(() => asMade(answer, read(7, { json: answer.response.json }))).not.toThrow()
})
