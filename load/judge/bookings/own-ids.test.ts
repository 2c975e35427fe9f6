import { expect, test } from 'vitest'
import { BOOKING } from '../../../fixtures/checkers/testing/exchanges.ts'
import type { Sender } from '../../plan/plan.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { exchangeFor, request, SENDER, stageOf } from '../../testing/evidence.ts'
import { ownIds } from './booking-contention.ts'

const STRANGER = { ...SENDER, tenant: 'tenant-2' }

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

const judged = (...exchanges: LoadExchange[]) =>
  ownIds([stageOf({ scenario: 'journey-mix', senders: [SENDER, STRANGER], exchanges })])[0]

test.each([201, 200])('bookings of different keys that have one id are found: %i', status => {
  const exchanges = [booked('a', 1), booked('b', 1, status)]
  const { findings = [] } = judged(...exchanges, booked('c', 3), booked('d', 4)) ?? {}
  const observed = '1 ids that several have, such as 1'
  expect(findings).toMatchObject([{ clause: 'V2-IDEM-KEY-WHOLE', observed }])
  expect(findings[0]!.exchanges).toEqual(exchanges.map(({ id }) => id))
})

test('a key without a booking that is taken for another one is found', () => {
  const taken = booked('b', 0, 409)
  taken.response = { ...taken.response, json: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } }
  const { findings = [] } = judged(booked('a', 1), taken) ?? {}
  const observed = '1 × 409 IDEMPOTENCY_KEY_REUSED'
  expect(findings).toMatchObject([{ clause: 'V2-IDEM-KEY-WHOLE', observed }])
})

test('ids of their own, replays and other companies are no finding, and one booking shows nothing', () => {
  const result = judged(booked('a', 1), booked('b', 2), booked('a', 1, 200), booked('c', 1, 201, STRANGER))
  expect(result).toMatchObject({ findings: [], exercised: ['V2-IDEM-KEY-WHOLE'] })
  expect(judged(booked('a', 1))).toBeUndefined()
})
