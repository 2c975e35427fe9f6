import type { CallFigures, Plot, ScenarioFigures } from '../../../fixtures/record-load.ts'
import type { Circumstances, ScenarioName } from '../../plan/plan.ts'
import { type Measure, type RequestRow, type StageEvidence, sumOf } from '../../read/evidence.ts'
import { METRIC } from '../../scenarios/lib/output.ts'
import { drops, isAnswered, tally } from '../outcomes.ts'
import { type Breaking, breakingOf } from './breaking.ts'
import { distributionPlot, heapPlot, latencyPlot, ratePlot } from './plots.ts'
import { quantilesOf } from './quantile.ts'
import { achievedRate } from './rate.ts'

/** The figures that every scenario has. */
export type Figures = Pick<ScenarioFigures, 'rate' | 'iterations' | 'refused' | 'calls' | 'plots'>

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
    ...(achieved === undefined ? {} : { rate: { ...intended(only), achieved } }),
    iterations,
    ...(refused === undefined ? {} : { refused }),
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
