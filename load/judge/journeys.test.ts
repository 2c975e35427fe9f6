import { describe, expect, test } from 'vitest'
import type { Circumstances, ScenarioName } from '../plan/plan.ts'
import type { RequestRow } from '../read/evidence.ts'
import { DROPPED, METRIC } from '../scenarios/lib/output.ts'
import {
  circumstancesOf,
  exchangeFor,
  measure,
  request,
  START,
  type StageSaid,
  staged,
  stageOf,
} from '../testing/evidence.ts'
import { JUDGES } from './index.ts'

function judged(scenario: ScenarioName, said: StageSaid, rest: Partial<Circumstances> = {}) {
  const exchanges = (said.requests ?? []).filter(({ status }) => status > 0).map(row => exchangeFor(row))
  const stage = stageOf({ scenario, exchanges, ...said })
  return JUDGES[scenario].judge(staged(stage), circumstancesOf(scenario, { ...rest }))
}

const factOf = ({ facts }: ReturnType<typeof judged>, name: string) => facts.find(fact => fact.name === name)
const toldIn = (result: ReturnType<typeof judged>, name: string) => factOf(result, name)?.value

/** Requests every so many milliseconds; what each is like goes by the second it is sent in. */
const steady = (seconds: number, every: number, row: (second: number) => Partial<RequestRow>) =>
  Array.from({ length: (seconds * 1000) / every }, (_, index) =>
    request(index * every, row(Math.floor((index * every) / 1000))),
  )

const MIXES = ['journey-mix', 'soak', 'spike', 'breakpoint'] as const

describe.each(MIXES)('%s', scenario => {
  const rows = (every: number) => steady(60, every, second => ({ status: second === 50 ? 429 : 200 }))

  test('finds a partner refused that never came near the limit', () => {
    const { answers } = judged(scenario, { requests: rows(200) })
    expect(answers).toMatchObject([{ clauses: ['LIMIT-V2-SERVES-500'], exercised: ['LIMIT-V2-SERVES-500'] }])
    expect(answers[0]!.findings[0]).toMatchObject({
      message: expect.stringMatching(/^Sending 300 requests of v2 as burst, at most 251 in any minute/),
      observed: '5 × 429',
    })
    expect(answers[0]!.findings[0]!.exchanges).toHaveLength(3)
  })

  test.each<[string, number, Partial<Circumstances>]>([
    ['that came near the limit', 100, {}],
    ['whose credential others may use', 200, { minted: false }],
  ])('finds nothing in the refusal of a partner %s', (_, every, rest) => {
    const result = judged(scenario, { requests: rows(every) }, rest)
    expect(result.answers).toEqual([])
    expect(toldIn(result, 'requests that failed')).toBeGreaterThan(0)
  })

  test('asks nothing of a clause where nobody is refused, or nothing was sent', () => {
    expect(judged(scenario, { requests: steady(2, 100, () => ({})) }).answers).toEqual([])
    expect(judged(scenario, {}).answers).toEqual([])
  })
})

test('a product that nothing is booked of is told with the reason', () => {
  const visits = (op: string, ...found: number[]) => found.map((value, at) => measure(at, value, { op }))
  const measures = { [METRIC.booked]: [...visits('v1-hotels', 0, 0), ...visits('v2-hotels', 0, 1, 0)] }
  const stage = stageOf({ scenario: 'journey-mix', measures })
  const products = ['v1-hotels', 'v2-hotels', 'v1-park-a', 'v1-park-b'] as const
  const shapes = { ...stage.plan.shapes, asks: { 'v1-hotels': [], 'v2-hotels': [], 'v1-park-a': [] } }
  const stages = staged({ ...stage, plan: { ...stage.plan, products, shapes } })
  const { answers } = JUDGES['journey-mix'].judge(stages, circumstancesOf('journey-mix'))
  expect(answers.map(({ title, stopped }) => [title, stopped?.reason])).toEqual([
    ['v1 hotels can be booked under load', 'nothing was found that can be booked, in 2 journeys'],
    [
      'v1 tickets of operator A can be booked under load',
      'no journey came by it: a longer run, or a higher rate, has some',
    ],
  ])
  expect(answers.every(({ clauses, exercised }) => clauses.length > exercised.length)).toBe(true)
})

test('a mix of journeys reports the achieved rate and the failures by call', () => {
  const requests = [
    ...steady(10, 100, second => ({ op: 'v2 book', status: second < 1 ? 503 : 201, took: 5 })),
    ...steady(10, 100, () => ({ op: 'v2 voucher', status: 409 })),
  ]
  const measures = {
    [METRIC.fromSchedule]: Array.from({ length: 100 }, (_, index) =>
      measure(index * 100 + 5, 5, { op: 'v2 book', scenario: 'journey-mix' }),
    ),
  }
  const said = { requests, measures, intendedRate: 10, iterations: { completed: 100, dropped: 0 } }
  const result = judged('journey-mix', said)
  expect(factOf(result, 'achieved share of the planned rate')).toEqual({
    name: 'achieved share of the planned rate',
    value: 100,
    unit: '%',
  })
  expect(toldIn(result, 'requests that failed')).toBe(5)
  expect(toldIn(result, 'v2 book: requests that failed')).toBe(10)
  expect(factOf(result, 'v2 voucher: requests that failed')).toBeUndefined()
})

describe('a long run', () => {
  const vitals = [0, 30, 60].map(second => ({ at: START + second * 1000, heapBytes: 50e6 + second * 1e5 }))

  test('reports how much slower its end is, and how the heap grew', () => {
    const requests = steady(40, 100, second => ({ took: second < 10 ? 100 : second < 30 ? 5000 : 150 }))
    const result = judged('soak', { requests, vitals })
    expect(factOf(result, 'v2 probe: p95 in the last quarter, relative to the first')).toMatchObject({
      value: 150,
      unit: '%',
    })
    expect(factOf(result, 'growth of the heap')).toMatchObject({ value: 6, unit: 'MB/min' })
    expect(factOf(result, 'largest heap')).toMatchObject({ value: 56, unit: 'MB' })
  })

  test('reports no latency if iterations were dropped or there are too few answers', () => {
    const name = 'v2 probe: p95 in the last quarter, relative to the first'
    const dropped = { completed: 1, dropped: 1 }
    const often = judged('soak', { requests: steady(40, 100, () => ({})), iterations: dropped })
    expect(factOf(often, name)).toBeUndefined()
    expect(factOf(judged('soak', { requests: steady(40, 1000, () => ({})) }), name)).toBeUndefined()
    const unwatched = judged('soak', { requests: [], vitals: vitals.slice(2) })
    expect(factOf(unwatched, 'growth of the heap')).toBeUndefined()
  })
})

describe('a rush', () => {
  const settings = { before: 10, during: 10, after: 20 }
  const rushed = (took: (second: number) => number, said: StageSaid = {}) =>
    judged('spike', { requests: steady(40, 50, second => ({ took: took(second) })), ...said }, { settings })

  test('reports the time of recovery', () => {
    const result = rushed(second => (second < 10 ? 20 : second < 20 ? 400 : second < 24 ? 100 : 22))
    expect(factOf(result, 'p95 before the rush')).toMatchObject({ value: 20 })
    expect(factOf(result, 'p95 in the rush')).toMatchObject({ value: 400 })
    expect(factOf(result, 'recovered after')).toEqual({ name: 'recovered after', value: 4, unit: 's' })
  })

  test('reports that it recovered at once, or not in time', () => {
    const [atOnce, never] = [[20, 20] as const, [20, 400] as const].map(([before, after]) =>
      rushed(second => (second < 10 ? before : second < 20 ? 400 : after)),
    )
    expect(factOf(atOnce!, 'recovered after')).toMatchObject({ value: 0, unit: 's' })
    expect(toldIn(never!, 'recovered after')).toBe('not within the 20 seconds that were left')
  })

  test('reports no recovery if nothing became slower', () => {
    expect(
      toldIn(
        rushed(second => (second < 20 ? 20 : 400)),
        'recovered after',
      ),
    ).toMatch(/^nothing to recover/)
  })

  test('reports no recovery if iterations were dropped or nothing was answered before', () => {
    const dropped = rushed(() => 20, { iterations: { completed: 1, dropped: 2 } })
    expect(toldIn(dropped, 'recovered after')).toBe('not reported: 2 iterations were dropped')
    const late = judged('spike', { requests: [request(15_000)] }, { settings })
    expect(toldIn(late, 'recovered after')).toMatch(/^not reported: too few/)
  })
})

describe('a load that rises', () => {
  const settings = { from: 0, to: 100, duration: 40, p95: 500, errorShare: 0.01 }
  const rising = (row: (second: number) => Partial<RequestRow>, said: StageSaid = {}) =>
    judged('breakpoint', { requests: steady(40, 50, row), ...said }, { settings })
  const NAME = 'rate at which the objectives fail'

  test.each<[string, (second: number) => Partial<RequestRow>, StageSaid, string]>([
    ['is slow', second => ({ took: second < 20 ? 100 : 501 }), {}, 'p95 501 ms'],
    ['fails', second => ({ status: second < 20 ? 200 : 500 }), {}, '100.0 % of requests failed'],
    ['refuses', second => ({ status: second < 20 ? 200 : 429 }), {}, '100.0 % of requests failed'],
    [
      'cannot be started any more',
      () => ({}),
      { iterations: { completed: 9, dropped: 2 }, measures: { [DROPPED]: [measure(20_100, 2)] } },
      '2 iterations dropped',
    ],
  ])('tells the rate at which it %s', (_, row, said, because) => {
    const result = rising(row, said)
    expect(factOf(result, NAME)).toEqual({ name: NAME, value: 51.25, unit: 'iterations/s' })
    expect(factOf(result, 'what failed first')).toEqual({ name: 'what failed first', value: because })
  })

  test('reports the highest rate if nothing failed', () => {
    const result = rising(() => ({}))
    expect(toldIn(result, NAME)).toBe('not reached up to 100 iterations a second')
  })

  test('reports nothing if iterations were dropped at unknown times', () => {
    const result = rising(() => ({}), { iterations: { completed: 9, dropped: 2 } })
    expect(toldIn(result, NAME)).toMatch(/^unknown: 2 iterations/)
  })
})

test.each(MIXES)('%s sets out to decide what reading back decides', scenario => {
  const at = (milliseconds: number, op: RequestRow['op'], path: string, json: object) =>
    exchangeFor(request(milliseconds, { op, took: 10 }), { path, json })
  const { answers } = judged(scenario, {
    exchanges: [
      at(0, 'v1 hotel confirm', '/api/v1/hotel/distribution/bookingConfirm', { id_orden: 7 }),
      at(50, 'v1 hotel booking', '/api/v1/hotel/distribution/bookingDetail?id_orden=7', {
        booking: { status: 'confirmed' },
      }),
    ],
  })
  const exercised = answers.flatMap(answer => answer.exercised)
  expect(exercised).toEqual(['V1-HOTEL-STATE-CONFIRMED'])
  expect(JUDGES[scenario].clauses).toEqual(expect.arrayContaining(exercised))
})
