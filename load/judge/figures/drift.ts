import type { Fact } from '../../../fixtures/record-load.ts'
import type { StageEvidence } from '../../read/evidence.ts'
import { isAnswered, spanOf } from '../outcomes.ts'
import { p95Of } from './quantile.ts'

/** The minimum number of answers of a call for a 95th percentile. */
const TELLING = 20

/** Yields the difference between the last and the first quarter of a long run, and the growth of the heap. */
export function* driftFacts(stage: StageEvidence): Generator<Fact> {
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
