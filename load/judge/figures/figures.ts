import type { CallFigures, Plot, Quantiles, ScenarioFigures } from '../../../fixtures/ground/record-load.ts'
import { upTo } from '../../../fixtures/model/limits/minutes.ts'
import type { Circumstances, ScenarioName, Settings } from '../../plan/plan.ts'
import { type Measure, type RequestRow, type StageEvidence, sumOf } from '../../read/evidence.ts'
import { METRIC } from '../../scenarios/lib/output.ts'
import { middleOf, type Slices, sliceAt, sliced, slicesOf } from '../judge.ts'
import {
  drops,
  isAnswered,
  isFailure,
  isLimited,
  type Span,
  settingOf,
  spanOf,
  tally,
  wholeSpan,
} from '../timeouts.ts'

/** Returns an ascending copy of the values. Fast for millions of them. */
const ascending = (values: ArrayLike<number> | Iterable<number>): Float64Array =>
  Float64Array.from(values as Iterable<number>).sort()

/** Returns the durations of requests in ascending order. */
const latenciesOf = (rows: readonly RequestRow[]): Float64Array => ascending(rows.map(({ took }) => took))

/** Returns the 95th percentile of the durations; `null` if there are fewer than `telling`. */
export const p95Of = (rows: readonly RequestRow[], telling: number): number | null =>
  rows.length < telling ? null : nearestRank(latenciesOf(rows), 0.95)

/**
 * Returns the quantile by the nearest rank: the smallest value that at least `share` of all do not exceed. It is
 * always one of the values, so the result does not depend on the order of merged samples.
 *
 * @param values in ascending order, at least one
 * @param share above 0, up to 1
 */
function nearestRank(values: Float64Array, share: number): number {
  // Floating point may yield slightly more than a whole number: 0.07 × 100.
  return values[Math.ceil(share * values.length - 1e-9) - 1]!
}

/** Returns exact quantiles of durations in milliseconds, independent of their order; `null` without values. */
export function quantilesOf(milliseconds: ArrayLike<number> | Iterable<number>): Quantiles | null {
  const values = ascending(milliseconds)
  if (values.length === 0) return null
  // A floating-point sum depends on the order, so it is always ascending.
  let sum = 0
  for (const value of values) sum += value
  return {
    min: values[0]!,
    mean: sum / values.length,
    p50: nearestRank(values, 0.5),
    p90: nearestRank(values, 0.9),
    p95: nearestRank(values, 0.95),
    p99: nearestRank(values, 0.99),
    max: values[values.length - 1]!,
  }
}

type Point = [number, number | null]
type Lines = Extract<Plot, { kind: 'lines' }>

/** The maximum number of points of a series, about the width of a picture. */
export const MOST_POINTS = 300
/** The slices of plots over time. They must be wide enough to contain requests. */
const PLOTTED = { rate: { most: 150, narrowest: 100 }, latency: { most: 60, narrowest: 500 } }

const SECONDS = 'seconds since the start'

/** The groups of answers in the plot of rates. */
const CLASSES: readonly [name: string, is: (row: RequestRow) => boolean][] = [
  ['sent', () => true],
  ['429', isLimited],
  ['other 4xx', row => row.status >= 400 && row.status < 500 && !isLimited(row)],
  ['5xx', row => row.status >= 500],
  ['no answer', row => !isAnswered(row)],
]

/** Returns a plot of requests per second, with those that failed. */
function ratePlot(stages: readonly StageEvidence[]): Plot {
  const slices = slicesOf(wholeSpan(stages), PLOTTED.rate)
  const rows = stages.flatMap(({ requests }) => requests)
  const series = CLASSES.filter(([, is], index) => index === 0 || rows.some(is)).map(([name, is]) => {
    const parts = sliced(slices, rows.filter(is))
    return { name, points: pointsOf(stages, slices, slice => (parts[slice]!.length * 1000) / slices.width) }
  })
  return lines('Requests and refusals', 'requests a second', series, stages)
}

/** The percentiles in the plot of latency, each with the number of answers in a slice that it takes. */
const PERCENTILES = [
  [50, 1],
  [95, 20],
  [99, 100],
] as const

/** Returns a plot of latency by the time of sending: percentiles where there are enough answers, else the slowest. */
function latencyPlot(stages: readonly StageEvidence[]): Plot {
  const slices = slicesOf(wholeSpan(stages), PLOTTED.latency)
  const answered = stages.flatMap(({ requests }) => requests.filter(isAnswered))
  const latencies = sliced(slices, answered).map(latenciesOf)
  const percentiles = PERCENTILES.map(([percent, least]) => ({
    name: `p${percent}`,
    points: pointsOf(stages, slices, slice =>
      latencies[slice]!.length < least ? null : nearestRank(latencies[slice]!, percent / 100),
    ),
  }))
  const shown = percentiles.filter(({ points }, at) => at === 0 || points.some(([, y]) => y !== null))
  const slowest = {
    name: 'slowest',
    points: pointsOf(stages, slices, slice =>
      latencies[slice]!.length === 0 ? null : nearestRank(latencies[slice]!, 1),
    ),
  }
  const series = shown.length === percentiles.length ? shown : [...shown, slowest]
  return lines('Latency', 'milliseconds', series, stages)
}

/** Returns a plot of the deployment's heap; `null` if it does not report it. */
function heapPlot(stages: readonly StageEvidence[]): Plot | null {
  const vitals = stages.flatMap(stage => stage.vitals)
  const [first, last] = [vitals[0], vitals.at(-1)]
  if (first === undefined || last === undefined) return null
  const zero = wholeSpan(stages).from
  const slices = slicesOf({ from: first.at, to: last.at }, { most: MOST_POINTS })
  const points = sliced(slices, vitals).flatMap((seen, slice): Point[] => {
    const most = Math.max(...seen.map(({ heapBytes }) => heapBytes))
    return seen.length === 0 ? [] : [[middleOf(slices, slice, zero), most / 1e6]]
  })
  return lines('Heap of the deployment', 'megabytes', [{ name: 'heap', points }], stages)
}

/** The bounds of a histogram's bars within a power of ten. */
const STEPS = [1, 1.5, 2, 3, 5, 7]
const BOUNDS = [0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap(power =>
  STEPS.map(step => Number((step * power).toPrecision(2))),
)

/** Returns a histogram with logarithmic bars; `null` without values. */
export function distributionPlot(title: string, y: string, milliseconds: readonly number[]): Plot | null {
  if (milliseconds.length === 0) return null
  const counts = new Array<number>(BOUNDS.length + 1).fill(0)
  // A bar includes its lower bound and excludes its upper bound.
  for (const value of milliseconds) counts[upTo(BOUNDS, value)]!++
  const used = (count: number) => count > 0
  const [first, last] = [counts.findIndex(used), counts.findLastIndex(used)]
  const bars = counts.slice(first, last + 1).map((count, index) => ({
    from: first + index === 0 ? 0 : BOUNDS[first + index - 1]!,
    to: BOUNDS[first + index] ?? Number.MAX_SAFE_INTEGER,
    count,
  }))
  return { kind: 'bars', title, x: 'milliseconds', y, bars }
}

/** Returns one point per slice, with a gap between stages. */
function pointsOf(
  stages: readonly StageEvidence[],
  slices: Slices,
  value: (slice: number) => number | null,
): Point[] {
  const ran = new Array<boolean>(slices.count).fill(false)
  for (const { from, to } of stages.map(spanOf))
    ran.fill(true, sliceAt(slices, from), sliceAt(slices, to) + 1)
  const points: Point[] = []
  for (const [slice, did] of ran.entries()) {
    const y = did ? value(slice) : null
    if (y !== null || points.at(-1)?.[1] !== null) points.push([middleOf(slices, slice, slices.from), y])
  }
  return points
}

/** Returns lines over time. With several stages, each beginning is marked. */
function lines(title: string, y: string, series: Lines['series'], stages: readonly StageEvidence[]): Lines {
  const zero = wholeSpan(stages).from
  const marks = stages.map(stage => ({ x: (spanOf(stage).from - zero) / 1000, label: stage.plan.stage }))
  return { kind: 'lines', title, x: SECONDS, y, series, ...(stages.length > 1 && { marks }) }
}

/**
 * Returns the iterations per second that an open model started; `undefined` for a closed model or too few
 * iterations.
 *
 * Each part has one interval fewer than iterations.
 */
export function achievedRate({ requests, measures, iterations }: StageEvidence): number | undefined {
  const firsts = (measures.get(METRIC.fromSchedule) ?? []).filter(({ tags }) => tags.op !== 'journey')
  const [first] = requests
  if (first === undefined || firsts.length === 0) return undefined
  const parts = new Set(firsts.map(({ tags }) => tags.scenario)).size
  const last = firsts.reduce((one, other) => (dueAt(other) > dueAt(one) ? other : one))
  const seconds = (startOf(last, requests) - first.at) / 1000
  return seconds > 0 ? (iterations.completed - parts) / seconds : undefined
}

const dueAt = ({ at, value }: Measure): number => at - value

/** Returns when a measured request was sent: the request of its kind that ended nearest to the measurement. */
function startOf({ at, tags }: Measure, requests: StageEvidence['requests']): number {
  let [nearest, distance] = [at, Number.POSITIVE_INFINITY]
  for (const { op, at: sentAt, took } of requests) {
    const apart = Math.abs(sentAt + took - at)
    if (op === tags.op && apart < distance) [nearest, distance] = [sentAt, apart]
  }
  return nearest
}

/** The first slice of a rising load in which an objective was missed. */
interface Breaking extends Span {
  /** The scheduled iterations per second in its middle. */
  rate: number
  /** The missed objective, in a few words. */
  because: string
}

const SLICES = { most: 40, narrowest: 1000 }
/** The minimum number of requests for a 95th percentile or a share. */
const TELLING = 10

/**
 * Returns where a rising load broke the deployment: the 95th percentile exceeded `p95` milliseconds, more than
 * `errorShare` of the requests failed or were refused, or an iteration could not be started. `null` if it never
 * did.
 */
export function breakingOf(stage: StageEvidence, settings: Settings): Breaking | null {
  const { requests } = stage
  const p95 = settingOf(settings, 'p95')
  const errorShare = settingOf(settings, 'errorShare')
  const [first, last] = [requests[0], requests.at(-1)]
  if (first === undefined || last === undefined) return null
  const slices = slicesOf({ from: first.at, to: last.at }, SLICES)
  const dropped = sliced(slices, drops(stage) ?? [])
  for (const [index, rows] of sliced(slices, requests).entries()) {
    const lost = dropped[index]!.reduce((sum, { value }) => sum + value, 0)
    const because = lost > 0 ? `${lost} iterations dropped` : failureOf(rows, p95, errorShare)
    if (because === null) continue
    const from = slices.from + index * slices.width
    return {
      from,
      to: from + slices.width,
      rate: dueRate(settings, from + slices.width / 2 - slices.from),
      because,
    }
  }
  return null
}

function failureOf(rows: readonly RequestRow[], p95: number, errorShare: number): string | null {
  const failed = rows.filter(row => isFailure(row) || isLimited(row)).length
  const nothingElse = failed > 0 && failed === rows.length
  if (rows.length < TELLING && !nothingElse) return null
  if (failed > errorShare * rows.length)
    return `${((100 * failed) / rows.length).toFixed(1)} % of requests failed`
  const slow = p95Of(rows.filter(isAnswered), 1)
  return slow !== null && slow > p95 ? `p95 ${Math.round(slow)} ms` : null
}

/** Returns the scheduled iterations per second at a time after the beginning of a linearly rising load. */
function dueRate(settings: Settings, milliseconds: number): number {
  const [from, to] = [settingOf(settings, 'from'), settingOf(settings, 'to')]
  const share = Math.min(1, milliseconds / 1000 / settingOf(settings, 'duration'))
  return from + (to - from) * share
}

/** The figures that every scenario has. */
type Figures = Pick<ScenarioFigures, 'rate' | 'iterations' | 'refused' | 'calls' | 'plots'>

/**
 * Returns the figures of all stages together. Latencies are reported only if an open model started every iteration,
 * since dropped ones would have been the slowest. For a rising load they cover the time before it broke.
 */
export function figuresOf(
  scenario: ScenarioName,
  stages: ReadonlyMap<string, StageEvidence>,
  { settings }: Circumstances,
): Figures {
  const all = [...stages.values()]
  const iterations = sumOf(all)
  const [only, ...others] = all
  const breaking = scenario === 'breakpoint' && only !== undefined ? breakingOf(only, settings) : null
  const told = all.flatMap(stage => tellable(stage, breaking) ?? [])
  const refused = told.length < all.length ? refusalOf(iterations) : undefined
  const achieved = only !== undefined && others.length === 0 ? achievedRate(only) : undefined
  return {
    ...(achieved !== undefined && { rate: { ...intended(only), achieved } }),
    iterations,
    ...(refused !== undefined && { refused }),
    calls: callsOf(all, refused === undefined ? told : []),
    plots: [...plotsOf(all, refused === undefined ? told : [], breaking)],
  }
}

const intended = (stage: StageEvidence | undefined): { intended?: number } =>
  stage?.intendedRate === undefined ? {} : { intended: stage.intendedRate }

const refusalOf = ({ completed, dropped }: Figures['iterations']): string =>
  `${dropped} of ${completed + dropped} iterations could not be started when they were due, and latencies of the others would flatter: lower the rate, or run k6 on a machine with more room.`

/** Returns the part of a stage whose latencies may be reported: all, or the time before it broke; `null` for none. */
function tellable(stage: StageEvidence, breaking: Breaking | null): StageEvidence | null {
  if (stage.iterations.dropped === 0) return stage
  if (breaking === null || drops(stage) === null) return null
  const before = ({ at }: { at: number }) => at < breaking.from
  const measures = new Map([...stage.measures].map(([name, values]) => [name, values.filter(before)]))
  return { ...stage, requests: stage.requests.filter(before), measures }
}

/** Returns the figures of each call. Counts cover everything, latencies only what may be reported. */
function callsOf(all: readonly StageEvidence[], told: readonly StageEvidence[]): CallFigures[] {
  const sent = byOperation(all)
  const timed = byOperation(told)
  const due = Map.groupBy(lateness(told), ({ tags }) => tags.op ?? '')
  const late = (op: string) => quantilesOf(valuesOf(due.get(op) ?? []))
  const calls = [...sent].map(([op, rows]): CallFigures => {
    const answered = (timed.get(op) ?? []).filter(isAnswered)
    return {
      op,
      sent: rows.length,
      outcomes: tally(rows),
      latency: quantilesOf(Float64Array.from(answered, ({ took }) => took)),
      fromSchedule: late(op),
    }
  })
  calls.sort((one, other) => (one.op < other.op ? -1 : 1))
  const journeys = lateness(all).filter(({ tags }) => tags.op === JOURNEY).length
  if (journeys === 0) return calls
  const outcomes = { ended: journeys }
  return [...calls, { op: JOURNEY, sent: journeys, outcomes, latency: null, fromSchedule: late(JOURNEY) }]
}

const JOURNEY = 'journey'

const byOperation = (stages: readonly StageEvidence[]): Map<string, RequestRow[]> =>
  Map.groupBy(
    stages.flatMap(({ requests }) => requests),
    ({ op }) => op,
  )

const lateness = (stages: readonly StageEvidence[]): Measure[] =>
  stages.flatMap(({ measures }) => measures.get(METRIC.fromSchedule) ?? [])

const valuesOf = (measures: readonly Measure[]): Float64Array =>
  Float64Array.from(measures, ({ value }) => value)

function* plotsOf(
  all: readonly StageEvidence[],
  told: readonly StageEvidence[],
  breaking: Breaking | null,
): Generator<Plot> {
  if (all.length === 0) return
  yield marked(ratePlot(all), all, breaking)
  if (told.length > 0) {
    yield latencyPlot(told)
    const answered = told.flatMap(({ requests }) => requests.filter(isAnswered))
    const distribution = distributionPlot(
      'Distribution of the latency',
      'requests',
      answered.map(({ took }) => took),
    )
    if (distribution !== null) yield distribution
  }
  const heap = heapPlot(all)
  if (heap !== null) yield marked(heap, all, breaking)
}

/** Marks in a plot over time where the deployment broke. */
function marked(plot: Plot, all: readonly StageEvidence[], breaking: Breaking | null): Plot {
  if (breaking === null || plot.kind !== 'lines') return plot
  const x = (breaking.from - (all[0]?.requests[0]?.at ?? breaking.from)) / 1000
  return { ...plot, marks: [...(plot.marks ?? []), { x, label: breaking.because }] }
}
