import { expect, test } from 'vitest'
import type { Circumstances, ScenarioName } from '../plan/plan.ts'
import type { RequestRow } from '../read/evidence.ts'
import { METRIC } from '../scenarios/lib/output.ts'
import {
  circumstancesOf,
  measure,
  request,
  START,
  type StageSaid,
  staged,
  stageOf,
} from '../testing/evidence.ts'
import { JUDGES } from './index.ts'

function judged(scenario: ScenarioName, said: StageSaid, rest: Partial<Circumstances> = {}) {
  return JUDGES[scenario].judge(
    staged(stageOf({ scenario, ...said })),
    circumstancesOf(scenario, { ...rest }),
  )
}

const factOf = ({ facts }: ReturnType<typeof judged>, name: string) => facts.find(fact => fact.name === name)
/** Requests every so many milliseconds; what each is like goes by the second it is sent in. */
const steady = (seconds: number, every: number, row: (second: number) => Partial<RequestRow>) =>
  Array.from({ length: (seconds * 1000) / every }, (_, index) =>
    request(index * every, row(Math.floor((index * every) / 1000))),
  )

test('a product that nothing is booked of is told with the reason', () => {
  const visits = (op: string, ...found: number[]) => found.map((value, at) => measure(at, value, { op }))
  const measures = { [METRIC.booked]: [...visits('v1-hotels', 0, 0), ...visits('v2-hotels', 0, 1, 0)] }
  const stage = stageOf({ scenario: 'journey-mix', measures })
  const products = ['v1-hotels', 'v2-hotels', 'v1-park-a', 'v1-park-b'] as const
  const shapes = { ...stage.plan.shapes, asks: { 'v1-hotels': [], 'v2-hotels': [], 'v1-park-a': [] } }
  const stages = staged({ ...stage, plan: { ...stage.plan, products, shapes } })
  const { questions } = JUDGES['journey-mix'].judge(stages, circumstancesOf('journey-mix'))
  expect(questions.map(({ title, whyOpen }) => [title, whyOpen().reason])).toEqual([
    ['v1 hotels can be booked under load', 'nothing was found that can be booked, in 2 journeys'],
    [
      'v1 tickets of operator A can be booked under load',
      'no journey came by it: a longer run, or a higher rate, has some',
    ],
  ])
  expect(questions.every(({ isAlone }) => isAlone)).toBe(true)
})

const vitals = [0, 30, 60].map(second => ({ at: START + second * 1000, heapBytes: 50e6 + second * 1e5 }))

test('a long run reports how much slower its end is, and how the heap grew', () => {
  const requests = steady(40, 100, second => ({ took: second < 10 ? 100 : second < 30 ? 5000 : 150 }))
  const result = judged('soak', { requests, vitals })
  expect(factOf(result, 'v2 probe: p95 in the last quarter, relative to the first')).toMatchObject({
    value: 150,
    unit: '%',
  })
  expect(factOf(result, 'growth of the heap')).toMatchObject({ value: 6, unit: 'MB/min' })
  expect(factOf(result, 'largest heap')).toMatchObject({ value: 56, unit: 'MB' })
})

test('a rush reports the time of recovery', () => {
  const requests = steady(40, 50, second => ({
    took: second < 10 ? 20 : second < 20 ? 400 : second < 24 ? 100 : 22,
  }))
  const result = judged('spike', { requests }, { settings: { before: 10, during: 10, after: 20 } })
  expect(factOf(result, 'p95 before the rush')).toMatchObject({ value: 20 })
  expect(factOf(result, 'p95 in the rush')).toMatchObject({ value: 400 })
  expect(factOf(result, 'recovered after')).toEqual({ name: 'recovered after', value: 4, unit: 's' })
})

const settings = { from: 0, to: 100, duration: 40, p95: 500, errorShare: 0.01 }
const NAME = 'rate at which the objectives fail'

test.each<[string, (second: number) => Partial<RequestRow>, string]>([
  ['is slow', second => ({ took: second < 20 ? 100 : 501 }), 'p95 501 ms'],
  ['fails', second => ({ status: second < 20 ? 200 : 500 }), '100.0 % of requests failed'],
  ['refuses', second => ({ status: second < 20 ? 200 : 429 }), '100.0 % of requests failed'],
])('a load that rises tells the rate at which it %s', (_, row, because) => {
  const result = judged('breakpoint', { requests: steady(40, 50, row) }, { settings })
  expect(factOf(result, NAME)).toEqual({ name: NAME, value: 51.25, unit: 'iterations/s' })
  expect(factOf(result, 'what failed first')).toEqual({ name: 'what failed first', value: because })
})
