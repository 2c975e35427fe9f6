/** Something that happened at a moment that is known to lie between two, in seconds. */
export interface Instant {
  /** Not before: it was sent. */
  from: number
  /** Not after: it was answered. */
  by: number
}

/** Many of them, to be counted fast. */
export interface Instants {
  /** In the order in which they were sent. */
  list: readonly Instant[]
  /** Their beginnings, ascending. */
  from: Float64Array
  /** Their ends, ascending. */
  by: Float64Array
}

export function instantsOf(some: Iterable<Instant>): Instants {
  const list = [...some].sort((one, other) => one.from - other.from)
  return {
    list,
    from: Float64Array.from(list, instant => instant.from),
    by: Float64Array.from(list, instant => instant.by).sort(),
  }
}

/** At least how many of them happened after a moment and before another. */
export const surely = ({ from, by }: Instants, after: number, before: number): number =>
  before <= after ? 0 : Math.max(0, upTo(by, before) - upTo(from, after))

/** At most how many of them happened after a moment and before another. */
export const possibly = ({ from, by }: Instants, after: number, before: number): number =>
  before <= after ? 0 : upTo(from, before) - upTo(by, after)

/** How many of ascending times are after one, and not after the other. */
export const within = (times: Float64Array, after: number, until: number): number =>
  until <= after ? 0 : upTo(times, until) - upTo(times, after)

/** How many of ascending times are not after that one. */
export function upTo(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** Most of ascending times that lie in a stretch of that length, its end left out. */
export function mostWithin(times: Float64Array, length: number): number {
  let [most, from] = [0, 0]
  for (let to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= length) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}
