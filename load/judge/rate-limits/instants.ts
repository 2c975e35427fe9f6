import { upTo } from '../figures/quantile.ts'

/** Moments that are known as intervals, in seconds. */
export interface Instants {
  /** The earliest times, ascending. */
  from: Float64Array
  /** The latest times, ascending. */
  by: Float64Array
}

export const instantsOf = (some: readonly { from: number; by: number }[]): Instants => ({
  from: Float64Array.from(some, ({ from }) => from).sort(),
  by: Float64Array.from(some, ({ by }) => by).sort(),
})

/** Returns how many were certainly after one moment and before another. */
export const surely = ({ from, by }: Instants, after: number, before: number): number =>
  before <= after ? 0 : Math.max(0, upTo(by, before) - upTo(from, after))

/** Returns how many of ascending times are after one, and not after the other. */
export const within = (times: Float64Array, after: number, until: number): number =>
  until <= after ? 0 : upTo(times, until) - upTo(times, after)

/** Returns the most of ascending times that lie in a stretch of that length, its end left out. */
export function mostWithin(times: Float64Array, length: number): number {
  let [most, from] = [0, 0]
  for (let to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= length) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}
