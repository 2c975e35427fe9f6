import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plot } from '../../../fixtures/ground/record-load.ts'
import type { ScenarioName } from '../../plan/plan.ts'
import type { RequestRow } from '../../read/evidence.ts'
import { DROPPED, METRIC, type Operation } from '../../scenarios/lib/output.ts'
import {
  circumstancesOf,
  measure,
  request,
  START,
  type StageSaid,
  staged,
  stageOf,
} from '../../testing/evidence.ts'
import { figuresOf } from './figures.ts'

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

describe('figures by call', () => {
  test('count every outcome, and time what was answered', () => {
    const { calls } = mixOf({
      requests: [
        request(0, { op: 'v2 book', status: 201, took: 10 }),
        request(1, { op: 'v2 book', status: 503, took: 30 }),
        request(2, { op: 'v2 book', status: 0, errorCode: 1050, took: 60_000 }),
        request(3, { op: 'v2 book', status: 0, errorCode: 1212, took: 0 }),
        request(4, { op: 'v2 book', status: 0, errorCode: 1999, took: 0 }),
        request(5, { op: 'v1 destinations', took: 7 }),
      ],
    })
    expect(calls.map(({ op, sent, outcomes }) => ({ op, sent, outcomes }))).toEqual([
      { op: 'v1 destinations', sent: 1, outcomes: { 200: 1 } },
      {
        op: 'v2 book',
        sent: 5,
        outcomes: { 201: 1, 503: 1, timeout: 1, 'connection refused': 1, 'error 1999': 1 },
      },
    ])
    expect(calls[1]!.latency).toMatchObject({ min: 10, max: 30, mean: 20, p50: 10, p99: 30 })
  })

  test('report latency from the schedule by call and by journey', () => {
    const { calls } = mixOf({
      requests: [request(0), request(100)],
      measures: {
        [METRIC.fromSchedule]: [
          measure(5, 5, { op: 'v2 probe' }),
          measure(300, 200, { op: 'v2 probe' }),
          measure(400, 390, { op: 'journey' }),
        ],
      },
    })
    expect(calls).toMatchObject([
      { op: 'v2 probe', sent: 2, fromSchedule: { min: 5, max: 200 } },
      { op: 'journey', sent: 1, outcomes: { ended: 1 }, latency: null, fromSchedule: { p50: 390 } },
    ])
  })

  test('are the same to the last digit in whatever order several machines left their samples', () => {
    const row = fc
      .record({
        at: fc.nat(60_000),
        took: fc.double({ min: 0, max: 1e4, noNaN: true }),
        status: fc.constantFrom(200, 201, 409, 429, 500, 0),
        op: fc.constantFrom<Operation>('v2 book', 'v2 probe', 'v1 probe'),
      })
      .map(({ at, ...rest }) => request(at, rest))
    const split = fc
      .array(row, { minLength: 1, maxLength: 80 })
      .chain(rows =>
        fc.tuple(
          fc.constant(rows),
          fc.shuffledSubarray(rows, { minLength: rows.length }),
          fc.nat(rows.length),
        ),
      )
    fc.assert(
      fc.property(split, ([rows, shuffled, cut]) => {
        const merged = [...shuffled.slice(cut), ...shuffled.slice(0, cut)]
        expect(mixOf({ requests: merged })).toEqual(mixOf({ requests: rows }))
      }),
    )
  })
})

describe('iterations that were dropped', () => {
  const said: StageSaid = {
    requests: steady(10),
    iterations: { completed: 100, dropped: 3 },
    measures: { [METRIC.fromSchedule]: [measure(5, 5, { op: 'v2 probe' })] },
  }

  test('suppress latencies but not counts', () => {
    const { refused, iterations, calls, plots } = mixOf(said)
    expect(refused).toMatch(/^3 of 103 iterations could not be started/)
    expect(iterations).toEqual({ completed: 100, dropped: 3 })
    expect(calls).toMatchObject([{ sent: 100, latency: null, fromSchedule: null }])
    expect(plots.map(({ title }) => title)).toEqual(['Requests and refusals'])
  })

  test('in one stage suppress the latencies of all', () => {
    const { refused, calls } = figuresFor(
      'rate-limit-burst',
      { stage: 'alone-v1', requests: steady(1) },
      { stage: 'overrun', requests: steady(1), iterations: { completed: 9, dropped: 1 } },
    )
    expect(refused).toContain('1 of 20')
    expect(calls.every(({ latency }) => latency === null)).toBe(true)
  })

  const rising = (dropped: Record<string, ReturnType<typeof measure>[]>) =>
    figuresFor('breakpoint', { ...said, measures: { ...said.measures, ...dropped } })

  test('of a rising load leave the latencies from before it broke', () => {
    const { refused, calls, plots } = rising({ [DROPPED]: [measure(5500, 3)] })
    expect(refused).toBeUndefined()
    expect(calls).toMatchObject([{ sent: 100, latency: { p50: 5 } }])
    const points = seriesOf(plots, 'Latency', 'p50')!
    expect(points.at(-1)![0]).toBeLessThan(5.5)
    expect(titled(plots, 'Requests and refusals')).toMatchObject({
      marks: [{ x: 5, label: '3 iterations dropped' }],
    })
  })

  test('of a rising load suppress the latencies if it is unknown when they were dropped', () => {
    expect(rising({}).refused).toMatch(/^3 of 103/)
  })
})

describe('the rate', () => {
  const due = (at: number, took: number) => measure(at + took, took, { op: 'v2 probe', scenario: 'v2' })

  test('counts starts, however long the last answers took', () => {
    const rows = Array.from({ length: 100 }, (_, index) => request(index * 100, { took: 3000 }))
    const measures = { [METRIC.fromSchedule]: rows.map((_, index) => due(index * 100, 3000)) }
    const { rate } = mixOf({ requests: rows, measures, intendedRate: 10 })
    expect(rate?.intended).toBe(10)
    expect(rate?.achieved).toBeCloseTo(10, 6)
  })

  test('shows a generator that lags behind its schedule', () => {
    const rows = Array.from({ length: 101 }, (_, index) => request(index * 200, { took: 10 }))
    const measures = {
      [METRIC.fromSchedule]: rows.map((_, index) =>
        measure(index * 200 + 10, index * 100 + 10, { op: 'v2 probe', scenario: 'v2' }),
      ),
    }
    expect(mixOf({ requests: rows, measures, intendedRate: 10 }).rate?.achieved).toBeCloseTo(5, 6)
  })

  test('is undefined for a closed model or several stages', () => {
    expect(mixOf({ requests: steady(1) }).rate).toBeUndefined()
  })
})

describe('plots', () => {
  test('show requests a second, and refusals only where there were any', () => {
    const { plots } = mixOf({
      requests: [...steady(30), request(20_000, { status: 429 }), request(20_001, { status: 0 })],
    })
    expect(seriesOf(plots, 'Requests and refusals', 'sent')![0]).toEqual([0.1, 10])
    expect(seriesOf(plots, 'Requests and refusals', '429')!.filter(([, y]) => y! > 0)).toEqual([[20.1, 5]])
    expect(seriesOf(plots, 'Requests and refusals', 'no answer')).toHaveLength(150)
    expect(seriesOf(plots, 'Requests and refusals', '5xx')).toBeUndefined()
  })

  test('leave a gap between stages, and mark where each began', () => {
    const later = steady(1).map(row => ({ ...row, at: row.at + 60_000 }))
    const together = { stage: 'together', requests: steady(1) }
    const { plots } = figuresFor('rate-limit-burst', together, { stage: 'recovery', requests: later })
    const points = seriesOf(plots, 'Requests and refusals', 'sent')!
    expect(points.filter(([, y]) => y === null)).toHaveLength(1)
    expect(titled(plots, 'Requests and refusals')).toMatchObject({
      marks: [
        { x: 0, label: 'together' },
        { x: 60, label: 'recovery' },
      ],
    })
  })

  test('show percentiles of the latency by the time of sending', () => {
    const slow = Array.from({ length: 10 }, (_, index) => request(5000 + index, { took: 2000 }))
    const { plots } = mixOf({ requests: [...steady(10), ...slow] })
    expect(new Set(seriesOf(plots, 'Latency', 'p50')!.map(([, y]) => y))).toEqual(new Set([5, 2000]))
    // Ten answers have no 99th percentile.
    expect(seriesOf(plots, 'Latency', 'p99')).toBeUndefined()
    expect(seriesOf(plots, 'Latency', 'slowest')!.filter(([, y]) => y === 2000)).toEqual([[5.25, 2000]])
  })

  test('show a distribution in which every answered request is counted once', () => {
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

  test('show the heap if the deployment reports it', () => {
    const vitals = [0, 500, 1000].map(at => ({ at: START + at, heapBytes: 10e6 + at * 1000 }))
    const { plots } = mixOf({ requests: steady(1), vitals })
    expect(seriesOf(plots, 'Heap of the deployment', 'heap')!.map(([, y]) => y)).toEqual([10, 10.5, 11])
    expect(titled(mixOf({ requests: steady(1) }).plots, 'Heap of the deployment')).toBeUndefined()
  })

  test('stay within 300 points a series, however long it took', () => {
    const day = Array.from({ length: 5000 }, (_, index) => request(index * 17_280))
    const vitals = day.map(({ at }) => ({ at, heapBytes: 1e6 }))
    const { plots } = mixOf({ requests: day, vitals })
    for (const plot of plots) {
      if (plot.kind === 'lines')
        for (const { points } of plot.series) expect(points.length).toBeLessThanOrEqual(300)
      else expect(plot.bars.length).toBeLessThanOrEqual(300)
    }
  })

  test('are absent without a stage, and empty without a request', () => {
    expect(figuresFor('spike').plots).toEqual([])
    expect(mixOf({}).calls).toEqual([])
  })
})
