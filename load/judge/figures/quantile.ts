import type { Quantiles } from '../../../fixtures/record-load.ts'
import type { RequestRow } from '../../read/evidence.ts'

/** Returns the values in ascending order, in a copy. Fast for millions of them. */
export const ascending = (values: ArrayLike<number> | Iterable<number>): Float64Array =>
  Float64Array.from(values as Iterable<number>).sort()

/** Returns how many of ascending values are not above that one. */
export function upTo(values: ArrayLike<number>, most: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns how long requests took, in ascending order. */
export const latenciesOf = (rows: readonly RequestRow[]): Float64Array =>
  ascending(rows.map(({ took }) => took))

/** Returns the 95th percentile of how long requests took; `null` where there are fewer than say something of it. */
export const p95Of = (rows: readonly RequestRow[], telling: number): number | null =>
  rows.length < telling ? null : nearestRank(latenciesOf(rows), 0.95)

/**
 * Quantile by the nearest rank: the smallest of the values that at least `share` of them do not exceed. It is always
 * one of the values, so that samples of several machines give the same one in whatever order they are put together.
 *
 * @param values in ascending order, at least one
 * @param share above 0, up to 1
 */
export function nearestRank(values: Float64Array, share: number): number {
  // What should be whole may come out a little above it: 0.07 × 100.
  const rank = Math.ceil(share * values.length - 1e-9)
  return values[Math.max(rank, 1) - 1]!
}

/** Quantiles of some milliseconds, exact and whatever their order; `null` when there are none. */
export function quantilesOf(milliseconds: ArrayLike<number> | Iterable<number>): Quantiles | null {
  const values = ascending(milliseconds)
  if (values.length === 0) return null
  // Added up in ascending order: sums of floating point depend on it.
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
