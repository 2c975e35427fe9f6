import type { CallFigures, Plot, ScenarioFigures } from '../../../fixtures/ground/record-load.ts'
import type { Circumstances, ScenarioName, Settings } from '../../plan/plan.ts'
import { type Measure, type RequestRow, type StageEvidence, sumOf } from '../../read/evidence.ts'
import { METRIC } from '../../scenarios/lib/output.ts'
import { drops, isAnswered, isFailure, isLimited, type Span, settingOf, tally } from '../timeouts.ts'
import { distributionPlot, heapPlot, latencyPlot, ratePlot } from './plots.ts'
import { p95Of, quantilesOf } from './quantile.ts'
import { sliced, slicesOf } from './slices.ts'

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
