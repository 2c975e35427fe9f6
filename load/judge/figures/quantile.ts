import type { Quantiles } from '../../../fixtures/ground/record-load.ts'
import type { RequestRow } from '../../read/evidence.ts'

/** Returns an ascending copy of the values. Fast for millions of them. */
export const ascending = (values: ArrayLike<number> | Iterable<number>): Float64Array =>
  Float64Array.from(values as Iterable<number>).sort()

/** Returns the durations of requests in ascending order. */
export const latenciesOf = (rows: readonly RequestRow[]): Float64Array =>
  ascending(rows.map(({ took }) => took))

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
export function nearestRank(values: Float64Array, share: number): number {
  // Floating point may yield slightly more than a whole number: 0.07 × 100.
  const rank = Math.ceil(share * values.length - 1e-9)
  return values[Math.max(rank, 1) - 1]!
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
