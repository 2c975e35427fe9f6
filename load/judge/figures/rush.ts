import type { Fact } from '../../../fixtures/record-load.ts'
import type { Settings } from '../../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../../read/evidence.ts'
import { isAnswered, settingOf, spanOf } from '../outcomes.ts'
import { p95Of } from './quantile.ts'
import { sliced, slicesOf } from './slices.ts'

/** The factor by which the 95th percentile may exceed that before the rush for the deployment to count as recovered. */
const RECOVERED = 1.5
/** Differences of fewer milliseconds are noise. */
const NOISE = 5
const SLICES = { most: 60, narrowest: 500 }
/** The minimum number of answers in a slice for a 95th percentile. */
const TELLING = 5

/** Yields the latency during a rush, and the time until recovery. */
export function* recoveryFacts(stage: StageEvidence, settings: Settings): Generator<Fact> {
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

const percentile = (rows: readonly RequestRow[]): number | null => p95Of(rows, TELLING)
