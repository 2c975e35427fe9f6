import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Plot } from '../../../fixtures/ground/record-load.ts'
import type { ScenarioName } from '../../plan/plan.ts'
import type { RequestRow } from '../../read/evidence.ts'
import { DROPPED, METRIC } from '../../scenarios/lib/output.ts'
import { circumstancesOf, measure, request, type StageSaid, staged, stageOf } from '../../testing/evidence.ts'
import { figuresOf, quantilesOf } from './figures.ts'

const figuresFor = (scenario: ScenarioName, ...stages: StageSaid[]) =>
  figuresOf(
    scenario,
    staged(...stages.map(said => stageOf({ scenario, ...said }))),
    circumstancesOf(scenario),
  )
const mixOf = (said: StageSaid) => figuresFor('journey-mix', said)

const titled = (plots: readonly Plot[], title: string) => plots.find(plot => plot.title === title)

/** Returns the named series of a line plot. */
function seriesOf(plots: readonly Plot[], title: string, name: string) {
  const plot = titled(plots, title)
  if (plot?.kind !== 'lines') throw new Error(`no lines called ${title}`)
  return plot.series.find(series => series.name === name)?.points
}

/** Returns ten requests per second for a number of seconds. */
const steady = (seconds: number, row: Partial<RequestRow> = {}) =>
  Array.from({ length: seconds * 10 }, (_, index) => request(index * 100, row))

const said: StageSaid = {
  requests: steady(10),
  iterations: { completed: 100, dropped: 3 },
  measures: { [METRIC.fromSchedule]: [measure(5, 5, { op: 'v2 probe' })] },
}

test('iterations that were dropped: suppress latencies but not counts', () => {
  const { refused, iterations, calls, plots } = mixOf(said)
  expect(refused).toMatch(/^3 of 103 iterations could not be started/)
  expect(iterations).toEqual({ completed: 100, dropped: 3 })
  expect(calls).toMatchObject([{ sent: 100, latency: null, fromSchedule: null }])
  expect(plots.map(({ title }) => title)).toEqual(['Requests and refusals'])
})

const rising = (dropped: Record<string, ReturnType<typeof measure>[]>) =>
  figuresFor('breakpoint', { ...said, measures: { ...said.measures, ...dropped } })

test('iterations that were dropped: of a rising load leave the latencies from before it broke', () => {
  const { refused, calls, plots } = rising({ [DROPPED]: [measure(5500, 3)] })
  expect(refused).toBeUndefined()
  expect(calls).toMatchObject([{ sent: 100, latency: { p50: 5 } }])
  const points = seriesOf(plots, 'Latency', 'p50')!
  expect(points.at(-1)![0]).toBeLessThan(5.5)
  expect(titled(plots, 'Requests and refusals')).toMatchObject({
    marks: [{ x: 5, label: '3 iterations dropped' }],
  })
})

const due = (at: number, took: number) => measure(at + took, took, { op: 'v2 probe', scenario: 'v2' })

test('the rate counts starts, however long the last answers took', () => {
  const rows = Array.from({ length: 100 }, (_, index) => request(index * 100, { took: 3000 }))
  const measures = { [METRIC.fromSchedule]: rows.map((_, index) => due(index * 100, 3000)) }
  const { rate } = mixOf({ requests: rows, measures, intendedRate: 10 })
  expect(rate?.intended).toBe(10)
  expect(rate?.achieved).toBeCloseTo(10, 6)
})

test('plots show a distribution in which every answered request is counted once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 5e6, noNaN: true }), { minLength: 1, maxLength: 50 }),
      tooks => {
        const { plots } = mixOf({ requests: tooks.map((took, at) => request(at, { took })) })
        const plot = titled(plots, 'Distribution of the latency')
        if (plot?.kind !== 'bars') throw new Error('no bars')
        for (const { from, to, count } of plot.bars)
          expect(count).toBe(tooks.filter(took => took >= from && took < to).length)
        expect(plot.bars.reduce((sum, { count }) => sum + count, 0)).toBe(tooks.length)
      },
    ),
  )
})

test.each([
  [11, 11],
  [20, 19],
])('of the whole numbers up to %d, the 95th percentile is %d', (most, p95) => {
  expect(quantilesOf(Array.from({ length: most }, (_, index) => index + 1))).toMatchObject({ p95 })
})
