import { expect, test } from 'vitest'
import { BOOKING } from '../../fixtures/checkers/sample.ts'
import type { LoadExchange } from '../read/evidence.ts'
import { exchangeFor, request, SENDER, stageOf } from '../testing/evidence.ts'
import { cancelled } from './cancelled.ts'

const showing = (id: number, status: string) => ({ booking: { ...BOOKING, booking_id: id, status } })

const cancel = (id: number, state: string, status = 200): LoadExchange =>
  exchangeFor(request(0, { op: 'v2 cancel', status, took: 40 }), {
    method: 'POST',
    path: `/api/v2/bookings/${id}/cancel`,
    json: showing(id, state),
  })

const read = (id: number, state: string, at = 50, sender = SENDER): LoadExchange =>
  exchangeFor(
    request(at, { op: 'v2 booking', status: 200 }),
    { path: `/api/v2/bookings/${id}`, json: showing(id, state) },
    sender,
  )

const decided = (...exchanges: LoadExchange[]) => cancelled([stageOf({ scenario: 'journey-mix', exchanges })])

test('what was cancelled is read as cancelled', () => {
  expect(decided(cancel(1, 'cancelled'), read(1, 'cancelled'))).toEqual({
    clause: 'V2-CANCEL-READ',
    outcome: 'kept',
  })
})

test('what stands after its cancellation is a finding, with both exchanges', () => {
  const [done, after] = [cancel(1, 'cancelled'), read(1, 'confirmed')]
  expect(decided(cancel(2, 'cancelled'), read(2, 'cancelled'), done, after)).toMatchObject({
    outcome: 'broken',
    findings: [{ message: expect.stringContaining('got "confirmed" ('), exchanges: [done.id, after.id] }],
  })
})

test.each<[string, LoadExchange[]]>([
  ['it was read before it was cancelled', [cancel(1, 'cancelled'), read(1, 'confirmed', 10)]],
  ['its cancellation was refused', [cancel(1, 'confirmed', 409), read(1, 'confirmed')]],
  ['its cancellation says that something else came of it', [cancel(1, 'pending'), read(1, 'pending')]],
  [
    'another company has a booking of that id',
    [cancel(1, 'cancelled'), read(1, 'confirmed', 50, { ...SENDER, tenant: 'tenant-2' })],
  ],
])('says nothing where %s', (_, exchanges) => {
  expect(decided(...exchanges)).toBeUndefined()
})
