import { describe, expect, test } from 'vitest'
import { BOOKING, errorOf, PENDING } from '../../../fixtures/checkers/testing/exchanges.ts'
import type { Counters } from '../../../fixtures/ground/control.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import {
  circumstancesOf,
  exchangeFor,
  request,
  SENDER,
  type StageSaid,
  staged,
  stageOf,
} from '../../testing/evidence.ts'
import { judgeBookingContention } from './booking-contention.ts'

/** The answer to one request of a key. */
interface ExchangeParts {
  status: number
  json?: unknown
  /** Milliseconds after the first request with the key. */
  at?: number
}

const shown = (status: number, booking: object, at = 0, beside = {}): ExchangeParts => ({
  status,
  json: { booking: { ...BOOKING, ...booking }, ...beside },
  at,
})
const booked = (id: number, at?: number) => shown(201, { booking_id: id }, at)
const replayed = (id: number, at?: number) => shown(200, { booking_id: id, idempotent_replay: true }, at)
const replayedBeside = (id: number) => shown(200, { booking_id: id }, 0, { idempotent_replay: true })
const pending = (id: number) => shown(202, { ...PENDING, booking_id: id })
const refused = (status: number, code: string): ExchangeParts => ({ status, json: errorOf(code) })
const busy = refused(409, 'BOOKING_IN_PROGRESS')
const bare = (status: number): ExchangeParts => ({ status, json: {} })

let keys = 0
/** Returns all exchanges of one key. */
function keyOf(...answers: ExchangeParts[]): LoadExchange[] {
  const key = `key-${++keys}`
  return answers.map(({ status, json, at = 0 }) =>
    exchangeFor(request(at, { op: 'v2 book', status, took: 50 }), {
      method: 'POST',
      path: '/api/v2/bookings',
      asking: [['Idempotency-Key', key]],
      json,
    }),
  )
}

const judged = (races: LoadExchange[][], said: StageSaid = {}, rest: Partial<Circumstances> = {}) =>
  judgeBookingContention(
    staged(stageOf({ scenario: 'booking-contention', exchanges: races.flat(), ...said })),
    circumstancesOf('booking-contention', rest),
  )

const clausesOf = ({ answers }: ReturnType<typeof judged>) =>
  answers.flatMap(({ findings }) => findings.map(({ clause }) => clause))

const counting = (transfers: number): StageSaid => {
  const counters: Counters = {
    requests: { v1: 0, v2: 0 },
    bookings: { transfers, parkA: 0, parkB: 0, hotels: 0, total: transfers },
  }
  return { counted: new Map([[SENDER.alias, counters]]) }
}

const ALL = ['V2-IDEM-RACE-ONE-BOOKING', 'V2-IDEM-RACE-ANSWERS']

test.each([
  ['a replay that is flagged beside the booking', [booked(1), replayedBeside(1)]],
  ['pending, failed, and booked anew', [pending(1), pending(1), booked(2, 400)]],
])('keys with concurrent requests keep every clause: %s', (_, answers) => {
  const result = judged([keyOf(...answers), keyOf(booked(7), busy)], counting(2))
  expect(clausesOf(result)).toEqual([])
  expect(result.answers[0]).toMatchObject({ clauses: ALL, exercised: ALL })
  expect(result.answers[0]).not.toHaveProperty('stopped')
})

describe("the deployment's own count", () => {
  test('reveals bookings that no answer shows', () => {
    const result = judged([keyOf(booked(1), busy), keyOf(booked(2), replayed(2))], counting(3))
    const [finding] = result.answers[0]!.findings
    expect(finding).toMatchObject({
      clause: ALL[0],
      expected: "2 bookings by the deployment's own count",
      observed: '3',
    })
    expect(finding!.exchanges.length).toBeGreaterThan(0)
    expect(finding!.message).toMatch(
      /^Sending 2 keys, each with the same booking several times at once: expected /,
    )
  })

  test('may be higher by the keys with an unknown result', () => {
    const races = [keyOf(booked(1), busy), keyOf(bare(503), busy), keyOf(busy, busy)]
    expect(clausesOf(judged(races, counting(3)))).toEqual([])
    expect(clausesOf(judged(races, counting(4)))).toEqual([ALL[0]])
  })

  test('may be higher by the keys that had no answer', () => {
    const failures = ['lost-1', 'key-lost-2'].map(key => {
      const asking: [string, string][] = [['Idempotency-Key', key]]
      const { response: _, ...sent } = exchangeFor(request(0, { op: 'v2 book' }), { asking })
      return { ...sent, error: { code: 1220, message: 'reset' } }
    })
    const result = judged([keyOf(booked(1), busy)], { ...counting(3), failures })
    expect(clausesOf(result)).toEqual([])
    expect(result.facts).toContainEqual({ name: 'requests without an answer', value: 2 })
  })

  test('may be lower, and is ignored if others may book too', () => {
    expect(clausesOf(judged([keyOf(booked(1), busy)], counting(0)))).toEqual([])
    expect(clausesOf(judged([keyOf(booked(1), busy)], counting(9), { minted: false }))).toEqual([])
  })
})

const failing = refused(500, 'INTERNAL_ERROR')
const races = (count: number) =>
  Array.from({ length: count }, (_, index) => keyOf(booked(index), failing, failing, replayed(index, 400)))

test('failures under contention: are a finding if they are frequent and only for repeats of a running request', () => {
  const [answer] = judged(races(15)).answers
  expect(answer?.findings.map(({ clause }) => clause)).toEqual([ALL[1]])
  expect(answer?.findings[0]?.observed).toMatch(/^30 failures, such as 500, only of such repeats/)
})

test.each([
  ['some of them to others, as an overload does', [...races(20), keyOf({ ...failing, at: 0 })]],
  ['some of them to repeats after the booking', [...races(20), keyOf(booked(99), { ...failing, at: 400 })]],
])('failures under contention: are none where they are %s', (_, sent) => {
  expect(clausesOf(judged(sent))).toEqual([])
})

describe('references of v1', () => {
  const order = (id: number | undefined, at = 0) =>
    exchangeFor(request(at, { op: 'v1 park A confirm', status: id === undefined ? 409 : 200, took: 50 }), {
      method: 'POST',
      path: '/api/v1/parkA/ticketConfirm',
      sent: { external_reference: 'reference-1' },
      json: id === undefined ? { error: 'ORDER_CONFIRMATION_IN_PROGRESS' } : { success: true, id_order: id },
    })
  const answersFor = (exchanges: LoadExchange[], parkA?: number, rest: Partial<Circumstances> = {}) => {
    const stage = stageOf({
      scenario: 'booking-contention',
      senders: [{ ...SENDER, product: 'v1-park-a' }],
      exchanges,
      ...(parkA !== undefined && {
        counted: new Map([[SENDER.alias, { requests: { v1: 0, v2: 0 }, bookings: { parkA } }]]),
      }),
    })
    const sold = { ...stage, plan: { ...stage.plan, products: ['v1-park-a'] as const } }
    return judgeBookingContention(staged(sold), circumstancesOf('booking-contention', rest)).answers
  }
  const clause = 'V1-IDEM-NEVER-TWO-PARK-A'

  test.each([
    ['an order that nobody was told of', [order(1), order(undefined)], 2, [clause]],
    ['the order that was told', [order(1), order(undefined)], 1, []],
    ['two orders that were told, as the model finds', [order(1), order(2, 400), order(undefined)], 2, []],
  ])('count %s', (_, exchanges, made, found) => {
    const [answer] = answersFor(exchanges, made)
    expect(answer).toMatchObject({ exercised: [clause], findings: found.map(one => ({ clause: one })) })
  })

  test.each([
    ['were sent one after the other', [order(1), order(1, 400)], {}, /ran at the same time/],
    ['were not sent', [], {}, /no request with a reference was sent/],
    ['are promised by nobody', [], { leftOut: { 'v1-park-a': 'nobody promises it' } }, /nobody promises it/],
  ])('decide nothing where they %s', (_, exchanges, rest, reason) => {
    const stopped = { verdict: 'not exercised', reason: expect.stringMatching(reason) }
    expect(answersFor(exchanges, undefined, rest)).toMatchObject([{ exercised: [], stopped }])
  })

  test('decide nothing where nobody counts', () => {
    expect(answersFor([order(1), order(undefined)])).toEqual([])
  })
})

test('one after the other is no race, and two companies may use the same key', () => {
  const { answers } = judged([keyOf(booked(1), replayed(1, 500))])
  expect(answers).toMatchObject([{ exercised: [], findings: [], stopped: { verdict: 'not exercised' } }])
  const [one] = keyOf(booked(1))
  const other = { ...one!, sender: { role: 'expendable', tenant: 'tenant-2' } }
  expect(clausesOf(judged([[one!, other], keyOf(booked(3), busy)]))).toEqual([])
})
