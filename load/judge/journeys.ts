import { productOf } from '../../fixtures/ground/products.ts'
import type { Fact } from '../../fixtures/ground/record-load.ts'
import type { Settings } from '../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../read/evidence.ts'
import { METRIC } from '../scenarios/lib/output.ts'
import { clauseOfBookings, takenKeys } from './bookings/booking-contention.ts'
import { achievedRate, breakingOf, p95Of } from './figures/figures.ts'
import { type Judge, notExercised, type Question, sliced, slicesOf } from './judge.ts'
import { isAnswered, isFailure, isLimited, settingOf, spanOf, tallied } from './timeouts.ts'

/** The factor by which the 95th percentile may exceed that before the rush for the deployment to count as recovered. */
const RECOVERED = 1.5
/** Differences of fewer milliseconds are noise. */
const NOISE = 5
const SLICES = { most: 60, narrowest: 500 }
/** The minimum number of answers in a slice for a 95th percentile. */
const TELLING_OF_RUSH = 5

/** Yields the latency during a rush, and the time until recovery. */
function* recoveryFacts(stage: StageEvidence, settings: Settings): Generator<Fact> {
  const name = 'recovered after'
  if (stage.iterations.dropped > 0) {
    yield { name, value: `not reported: ${stage.iterations.dropped} iterations were dropped` }
    return
  }
  const { from } = spanOf(stage)
  const rush = { from: from + 1000 * settingOf(settings, 'before'), to: 0 }
  rush.to = rush.from + 1000 * settingOf(settings, 'during')
  const answered = stage.requests.filter(isAnswered)
  const before = percentile(answered.filter(({ at }) => at < rush.from))
  const during = percentile(answered.filter(({ at }) => at >= rush.from && at < rush.to))
  if (before === null || during === null) {
    yield { name, value: 'not reported: too few answers before the rush, or in it' }
    return
  }
  yield { name: 'p95 before the rush', value: Math.round(before), unit: 'ms' }
  yield { name: 'p95 in the rush', value: Math.round(during), unit: 'ms' }
  const allowed = Math.max(RECOVERED * before, before + NOISE)
  if (during <= allowed) {
    yield { name, value: 'nothing to recover from' }
    return
  }
  const seconds = secondsUntil(stage, rush.to, allowed)
  const end = (spanOf(stage).to - rush.to) / 1000
  yield seconds === null
    ? { name, value: `not within the ${Math.round(end)} seconds that were left` }
    : { name, value: seconds, unit: 's' }
}

/** Returns the seconds from a moment until the 95th percentile stays within the limit; `null` if it never does. */
function secondsUntil(stage: StageEvidence, since: number, allowed: number): number | null {
  const { to } = spanOf(stage)
  if (to <= since) return null
  const slices = slicesOf({ from: since, to }, SLICES)
  const later = stage.requests.filter(row => isAnswered(row) && row.at >= since)
  const values = sliced(slices, later).map(percentile)
  if (values.every(value => value === null)) return null
  const last = values.findLastIndex(value => value !== null && value > allowed)
  if (!values.slice(last + 1).some(value => value !== null)) return null
  return ((last + 1) * slices.width) / 1000
}

const percentile = (rows: readonly RequestRow[]): number | null => p95Of(rows, TELLING_OF_RUSH)

/** The minimum number of answers of a call for a 95th percentile. */
const TELLING = 20

/** Yields the difference between the last and the first quarter of a long run, and the growth of the heap. */
function* driftFacts(stage: StageEvidence): Generator<Fact> {
  yield* heapFacts(stage.vitals)
  if (stage.iterations.dropped > 0) return
  const { from, to } = spanOf(stage)
  const quarter = (to - from) / 4
  const answered = Map.groupBy(stage.requests.filter(isAnswered), ({ op }) => op)
  for (const [op, rows] of [...answered].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const before = p95Of(
      rows.filter(({ at }) => at < from + quarter),
      TELLING,
    )
    const after = p95Of(
      rows.filter(({ at }) => at >= to - quarter),
      TELLING,
    )
    if (before === null || after === null) continue
    yield {
      name: `${op}: p95 in the last quarter, relative to the first`,
      value: before === 0 ? `${rounded(after)} ms of 0 ms` : Math.round((100 * after) / before),
      ...(before === 0 ? {} : { unit: '%' }),
    }
  }
}

function* heapFacts(vitals: StageEvidence['vitals']): Generator<Fact> {
  const slope = slopeOf(vitals)
  if (slope === null) return
  yield { name: 'growth of the heap', value: rounded((slope * 60_000) / 1e6), unit: 'MB/min' }
  yield {
    name: 'largest heap',
    value: rounded(vitals.reduce((most, { heapBytes }) => Math.max(most, heapBytes), 0) / 1e6),
    unit: 'MB',
  }
}

/** Shorter runs cannot tell heap growth from a pending garbage collection. In milliseconds. */
const LONG_ENOUGH = 20_000

/** Returns the slope of the best-fitting line in bytes per millisecond; `null` if the run was too short. */
function slopeOf(vitals: StageEvidence['vitals']): number | null {
  const [first, last] = [vitals[0], vitals.at(-1)]
  if (first === undefined || last === undefined || last.at - first.at < LONG_ENOUGH) return null
  const points = vitals.map(({ at, heapBytes }) => ({ x: at - first.at, y: heapBytes }))
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean('x'), mean('y')]
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Asks for the products that nothing was ever booked of, by whatever journeys came by: nothing else would tell. */
const neverBooked = ({ measures, plan: { products, shapes } }: StageEvidence): Question[] =>
  products.flatMap(product => {
    const visits = (measures.get(METRIC.booked) ?? []).filter(({ tags }) => tags.op === product)
    if (shapes.asks[product] === undefined || visits.some(({ value }) => value > 0)) return []
    const why =
      visits.length === 0
        ? 'no journey came by it: a longer run, or a higher rate, has some'
        : `nothing was found that can be booked, in ${visits.length} journeys`
    const title = `${productOf(product).title} can be booked under load`
    return { title, clauses: [clauseOfBookings(product)], whyOpen: () => notExercised(why), isAlone: true }
  })

/** Asks of a mix of journeys which products were booked, and tells how they went. */
const judging =
  (facts: (stage: StageEvidence, settings: Settings) => Iterable<Fact>): Judge =>
  (stages, { settings }) => {
    const all = [...stages.values()]
    return {
      questions: all.flatMap(neverBooked),
      claims: all.flatMap(takenKeys),
      facts: all.flatMap(stage => [...commonFacts(stage), ...facts(stage, settings)]),
      plots: [],
    }
  }

/** Judges the deployment under ordinary load. */
export const judgeJourneyMix = judging(() => [])

/** Judges whether a long run ends as it began. */
export const judgeSoak = judging(driftFacts)

/** Measures the recovery from a rush. */
export const judgeSpike = judging(recoveryFacts)

/** Determines the rate at which the deployment misses its objectives. */
export const judgeBreakpoint = judging(function* (stage, settings) {
  const breaking = breakingOf(stage, settings)
  if (breaking === null) {
    const lost = stage.iterations.dropped > 0
    const value = lost
      ? `unknown: ${stage.iterations.dropped} iterations were dropped at unknown times`
      : `not reached up to ${settingOf(settings, 'to')} iterations a second`
    yield { name: 'rate at which the objectives fail', value }
    return
  }
  const rate = Math.round(breaking.rate * 100) / 100
  yield { name: 'rate at which the objectives fail', value: rate, unit: 'iterations/s' }
  yield { name: 'what failed first', value: breaking.because }
})

function* commonFacts(stage: StageEvidence): Generator<Fact> {
  const { intendedRate, requests } = stage
  const achieved = achievedRate(stage)
  if (intendedRate !== undefined && achieved !== undefined) {
    const share = Math.round((1000 * achieved) / intendedRate) / 10
    yield { name: 'achieved share of the planned rate', value: share, unit: '%' }
  }
  const failures = requests.filter(row => isFailure(row) || isLimited(row))
  yield { name: 'requests that failed', value: percent(failures.length, requests.length), unit: '%' }
  for (const [op, failed] of Map.groupBy(failures, row => row.op)) {
    const all = requests.filter(row => row.op === op).length
    yield { name: `${op}: requests that failed`, value: percent(failed.length, all), unit: '%' }
  }
  const refused = requests.filter(isRefused)
  for (const [op, rows] of Map.groupBy(refused, row => row.op))
    yield { name: `${op}: requests that were refused`, value: tallied(rows) }
}

/** Every request of a journey can succeed; 409 reports a change since the previous one. */
const isRefused = (row: RequestRow): boolean =>
  row.status >= 400 && row.status < 500 && row.status !== 409 && !isLimited(row)

const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100
