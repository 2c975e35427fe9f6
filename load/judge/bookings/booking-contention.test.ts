import { describe, expect, test } from 'vitest'
import type { Counters } from '../../../fixtures/ground/control.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { Copy } from '../../read/copies.ts'
import type { RequestRow } from '../../read/evidence.ts'
import {
  circumstancesOf,
  request,
  SENDER,
  START,
  type StageSaid,
  staged,
  stageOf,
} from '../../testing/evidence.ts'
import { judgeBookingContention } from './booking-contention.ts'

/** Returns a request with a key; each takes 50 milliseconds. */
type Sent = (name: string) => RequestRow
const sent =
  (status: number, copy: Omit<Copy, 'name' | 'heardAt'>, at = 0, op: RequestRow['op'] = 'v2 book'): Sent =>
  name =>
    request(at, { op, status, took: 50, copy: { name, heardAt: START + at + 50, ...copy } })
const booked = (id: number, at?: number) => sent(201, { says: 'created', id: `${id}` }, at)
const replayed = (id: number, at?: number) => sent(200, { says: 'replay', id: `${id}` }, at)
const pending = (id: number) => sent(202, { says: 'pending', id: `${id}` })
const busy = sent(409, { says: 'in progress' })
const failing = sent(500, { says: 'beside the point' })
const lost = sent(0, {})

let keys = 0
const keyOf = (...all: Sent[]): RequestRow[] => {
  const name = `key-${++keys}`
  return all.map(one => one(name))
}

const judged = (races: RequestRow[][], said: StageSaid = {}, rest: Partial<Circumstances> = {}) =>
  judgeBookingContention(
    staged(stageOf({ scenario: 'booking-contention', requests: races.flat(), ...said })),
    circumstancesOf('booking-contention', rest),
  )

const brokenIn = ({ claims }: ReturnType<typeof judged>) =>
  claims.flatMap(({ clause, found }) => (found === undefined ? [] : [clause]))

const counting = (transfers: number): StageSaid => {
  const counters: Counters = {
    requests: { v1: 0, v2: 0 },
    bookings: { transfers, parkA: 0, parkB: 0, hotels: 0, total: transfers },
  }
  return { counted: new Map([[SENDER.alias, counters]]) }
}

const ALL = ['V2-IDEM-RACE-ONE-BOOKING', 'V2-IDEM-RACE-ANSWERS'] as const

describe("the deployment's own count", () => {
  test('reveals bookings that no answer shows', () => {
    const { claims } = judged([keyOf(booked(1), busy), keyOf(booked(2), replayed(2))], counting(3))
    expect(claims).toMatchObject([{ clause: ALL[0], found: { observed: '3' } }])
    const { message, expected, exchanges } = claims[0]!.found!
    expect(expected).toBe("2 bookings by the deployment's own count")
    expect(exchanges.length).toBeGreaterThan(0)
    expect(message).toMatch(/^Sending 2 keys, each with the same booking several times at once: expected /)
  })

  test('of keys that were pending, failed and were booked anew is as high as the answers show', () => {
    const races = [keyOf(pending(1), pending(1), booked(2, 400)), keyOf(booked(7), busy)]
    expect(judged(races, counting(3)).claims).toEqual([{ clause: ALL[0] }])
  })

  test('may be higher by the keys with an unknown result', () => {
    const races = [keyOf(booked(1), busy), keyOf(failing, busy), keyOf(busy, busy), keyOf(lost)]
    expect(brokenIn(judged(races, counting(4)))).toEqual([])
    expect(brokenIn(judged(races, counting(5)))).toEqual([ALL[0]])
    expect(judged(races).facts).toContainEqual({ name: 'requests without an answer', value: 1 })
  })

  test('may be lower, and is ignored if others may book too', () => {
    expect(brokenIn(judged([keyOf(booked(1), busy)], counting(0)))).toEqual([])
    expect(judged([keyOf(booked(1), busy)], counting(9), { minted: false }).claims).toEqual([])
  })
})

const races = (count: number) =>
  Array.from({ length: count }, (_, index) => keyOf(booked(index), failing, failing, replayed(index, 400)))

test('failures under contention: are a finding if they are frequent and only for repeats of a running request', () => {
  const { claims } = judged(races(15))
  expect(claims).toMatchObject([{ clause: ALL[1] }])
  expect(claims[0]!.found!.observed).toMatch(/^30 failures, such as 500, only of such repeats/)
})

test.each([
  ['some of them to others, as an overload does', [...races(20), keyOf(failing)]],
  ['some of them to repeats after the booking', [...races(20), keyOf(booked(99), sent(500, {}, 400))]],
])('failures under contention: are none where they are %s', (_, sent) => {
  expect(judged(sent).claims).toEqual([])
})

test('a key that is taken for another one is found, unless it has a booking', () => {
  const taken = sent(409, { says: 'beside the point', isTaken: true })
  expect(brokenIn(judged([keyOf(taken), keyOf(booked(1), taken)]))).toEqual(['V2-IDEM-KEY-WHOLE'])
  expect(judged([keyOf(booked(1), taken)]).claims).toEqual([])
})

describe('references of v1', () => {
  const order = (id?: string, at = 0) =>
    id === undefined
      ? sent(409, { says: 'in progress' }, at, 'v1 park A confirm')
      : sent(200, { says: 'created', id }, at, 'v1 park A confirm')
  const judgedFor = (all: Sent[], parkA?: number, rest: Partial<Circumstances> = {}) => {
    const stage = stageOf({
      scenario: 'booking-contention',
      senders: [{ ...SENDER, product: 'v1-park-a' }],
      requests: keyOf(...all),
      ...(parkA !== undefined && {
        counted: new Map([[SENDER.alias, { requests: { v1: 0, v2: 0 }, bookings: { parkA } }]]),
      }),
    })
    const sold = { ...stage, plan: { ...stage.plan, products: ['v1-park-a'] as const } }
    return judgeBookingContention(staged(sold), circumstancesOf('booking-contention', rest))
  }
  const clause = 'V1-IDEM-NEVER-TWO-PARK-A'

  test.each([
    ['an order that nobody was told of', [order('1'), order()], 2, [clause]],
    ['two orders that were told, as the model finds', [order('1'), order('2', 400), order()], 2, []],
  ])('count %s', (_, all, made, found) => {
    expect(brokenIn(judgedFor(all, made))).toEqual(found)
  })

  test.each([
    ['were sent one after the other', [order('1'), order('1', 400)], {}, /ran at the same time/],
    ['were not sent', [], {}, /no request with a reference was sent/],
    ['are promised by nobody', [], { leftOut: { 'v1-park-a': 'nobody promises it' } }, /nobody promises it/],
  ])('leave it open where they %s', (_, all, rest, reason) => {
    const { claims, questions } = judgedFor(all, 1, rest)
    expect(claims).toEqual([])
    expect(questions.map(one => one.whyOpen())).toMatchObject([
      { verdict: 'not exercised', reason: expect.stringMatching(reason) },
    ])
  })
})
