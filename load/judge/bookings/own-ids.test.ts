import { expect, test } from 'vitest'
import { BOOKING } from '../../../fixtures/checkers/testing/exchanges.ts'
import type { Sender } from '../../plan/plan.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { exchangeFor, request, SENDER, stageOf } from '../../testing/evidence.ts'
import { ownIds } from './booking-contention.ts'

const STRANGER = { ...SENDER, tenant: 'tenant-2' }
const LIVE = { ...SENDER, role: 'live' }

const booked = (key: string, booking_id: number, status = 201, sender: Sender = SENDER): LoadExchange =>
  exchangeFor(
    request(0, { op: 'v2 book', status }),
    {
      method: 'POST',
      path: '/api/v2/bookings',
      asking: [['Idempotency-Key', key]],
      json: { booking: { ...BOOKING, booking_id }, ...(status === 200 && { idempotent_replay: true }) },
    },
    sender,
  )

const HOTEL = 'v1 hotel confirm'
const ordered = (
  external_reference: string,
  id: number,
  op: 'v1 park A confirm' | typeof HOTEL = 'v1 park A confirm',
  sender: Sender = SENDER,
) => {
  const json = op === HOTEL ? { id_orden: id } : { success: true, id_order: id }
  const said = { method: 'POST', path: '/api/v1/confirm', sent: { external_reference }, json }
  return exchangeFor(request(0, { op }), said, sender)
}

const judged = (...exchanges: LoadExchange[]) =>
  ownIds([stageOf({ scenario: 'journey-mix', senders: [SENDER, STRANGER, LIVE], exchanges })])[0]

test.each([
  ['bookings', 'V2-IDEM-KEY-WHOLE', [booked('a', 1), booked('b', 1)]],
  ['replays', 'V2-IDEM-KEY-WHOLE', [booked('a', 1), booked('b', 1, 200)]],
  ['orders', 'V1-IDEM-WHOLE-50-PARK-A', [ordered('a', 1), ordered('b', 1)]],
  ['hotels sold for real', 'V1-IDEM-WHOLE-50-HOTEL', ['a', 'b'].map(one => ordered(one, 1, HOTEL, LIVE))],
])('%s of different keys or references that have one id are found', (_, clause, exchanges) => {
  const { findings = [] } = judged(...exchanges, booked('c', 3), booked('d', 4)) ?? {}
  expect(findings).toMatchObject([{ clause, observed: '1 ids that several have, such as 1' }])
  expect(findings[0]!.exchanges).toEqual(exchanges.map(({ id }) => id))
})

test('a key without a booking that is taken for another one is found', () => {
  const taken = booked('b', 0, 409)
  taken.response = { ...taken.response, json: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } }
  const { findings = [] } = judged(booked('a', 1), taken) ?? {}
  const observed = '1 × 409 IDEMPOTENCY_KEY_REUSED'
  expect(findings).toMatchObject([{ clause: 'V2-IDEM-KEY-WHOLE', observed }])
})

test('ids of their own, replays, other companies and other products are no finding', () => {
  const result = judged(
    ...[booked('a', 1), booked('b', 2), booked('a', 1, 200), booked('c', 1, 201, STRANGER)],
    ...[ordered('a', 1), ordered('b', 2)],
  )
  expect(result).toMatchObject({ findings: [], exercised: ['V2-IDEM-KEY-WHOLE', 'V1-IDEM-WHOLE-50-PARK-A'] })
})

test('nothing is said of one booking, or of test orders of hotels', () => {
  const hotels = ['a', 'b'].map(reference => ordered(reference, 1, HOTEL))
  expect(judged(booked('a', 1), ...hotels)).toBeUndefined()
})
