/** What a limiter did with requests, in seconds of its own clock, ascending. */
export interface Ruled {
  admitted: Float64Array
  refused: Float64Array
}

/** How far what a client saw may be from what the limiter went by. */
export interface Doubt {
  /** Seconds by which the time of a request may be wrong. */
  slack: number
  /** Seconds within which requests may have overtaken each other. */
  shuffle: number
}

/** Lengths of windows that limits are made of, in seconds; shorter ones are excluded by `freeRun`. */
const LENGTHS = [10, 12, 15, 20, 30, 45, 60, 90, 120, 300, 600]
const SHORTEST = LENGTHS[0]!
/** Requests that may contradict a kind before it is out of the question. */
const STRAYS = 3

/**
 * Whether windows of any such length, each of which begins with nothing counted, can have ruled so: those of a clock,
 * or those that open with the first request after the last one ended.
 */
export function isFixed(ruled: Ruled, doubt: Doubt): boolean {
  const run = freeRun(ruled)
  return LENGTHS.some(
    length => length >= run / 2 && offsets(length).some(offset => fixedFits(ruled, doubt, length, offset)),
  )
}

/** How many seconds before the first request a window of that length may have begun. */
const offsets = (length: number): number[] => Array.from({ length: 2 * length }, (_, index) => index / 2)

function fixedFits({ admitted, refused }: Ruled, doubt: Doubt, length: number, offset: number): boolean {
  const first = Math.min(admitted[0] ?? refused[0]!, refused[0] ?? admitted[0]!)
  const last = Math.max(admitted.at(-1) ?? first, refused.at(-1) ?? first)
  return [true, false].some(opensWithRequest => {
    let [least, most] = [0, Number.POSITIVE_INFINITY]
    for (let from = first - offset; from <= last; ) {
      const to = opensWithRequest ? Math.max(nextOf(admitted, from + length), from + length) : from + length
      least = Math.max(least, within(admitted, from + doubt.slack, to - doubt.slack))
      const refusedInside = inside(refused, from + doubt.slack, to - doubt.slack)
      if (refusedInside.length >= STRAYS) {
        most = Math.min(most, within(admitted, from - doubt.slack, to + doubt.slack))
        // Once its window is full nothing is served before the next.
        const full = refusedInside[STRAYS - 1]! + doubt.shuffle
        if (within(admitted, full, to - doubt.slack) > STRAYS) return false
      }
      from = to
    }
    return least <= most + STRAYS
  })
}

/** Whether windows that reach back from each request can have ruled so. */
export function isSliding(ruled: Ruled, doubt: Doubt): boolean {
  const lengths = LENGTHS.filter(length => length >= freeRun(ruled) - doubt.slack)
  if (lengths.some(length => slidingFits(ruled, ruled.admitted, doubt, length))) return true
  return !comesAndGoes(ruled, doubt) && (countsRefusals(ruled, doubt, lengths) || isWeighted(ruled, doubt))
}

/**
 * Whether long pauses follow each other, with much service in between. Where the rate of requests does not change, only
 * what lets go of many at once does that: neither what counts refusals, which would be over its limit for good, nor what
 * lets go of the last minute evenly.
 */
function comesAndGoes(ruled: Ruled, { slack }: Doubt): boolean {
  const [first, second] = pausesOf(ruled, Math.max(3, 2 * slack))
  return first !== undefined && second !== undefined && within(ruled.admitted, first.to, second.from) >= MANY
}

const MANY = 100

/** Whether a window that counts what it refuses, too, can have ruled so. */
function countsRefusals(ruled: Ruled, doubt: Doubt, lengths: readonly number[]): boolean {
  const all = Float64Array.from([...ruled.admitted, ...ruled.refused]).sort()
  return lengths.some(length => length <= 2 * MINUTE && slidingFits(ruled, all, doubt, length))
}

function slidingFits(
  { admitted, refused }: Ruled,
  counted: Float64Array,
  { slack, shuffle }: Doubt,
  length: number,
): boolean {
  let [least, most] = [0, Number.POSITIVE_INFINITY]
  for (const at of admitted) least = Math.max(least, within(counted, at - length + slack, at - shuffle))
  for (const at of refused) most = Math.min(most, within(counted, at - length - slack, at + shuffle))
  return least <= most + STRAYS
}

/**
 * Whether a sliding window that is reckoned from two fixed ones can have ruled so: the share of the last one that still
 * counts shrinks evenly.
 */
function isWeighted({ admitted, refused }: Ruled, { slack, shuffle }: Doubt): boolean {
  return offsets(MINUTE).some(offset => {
    const origin = (admitted[0] ?? 0) - offset
    const counted = (at: number, doubt: number) => {
      const from = origin + Math.floor((at - origin) / MINUTE) * MINUTE
      const still = Math.min(1, Math.max(0, 1 - (at - from - doubt) / MINUTE))
      return still * within(admitted, from - MINUTE, from) + within(admitted, from, at)
    }
    let [least, most] = [0, Number.POSITIVE_INFINITY]
    for (const at of admitted) least = Math.max(least, counted(at - shuffle, -slack))
    for (const at of refused) most = Math.min(most, counted(at + shuffle, slack))
    return least <= most + STRAYS + RATE_OF_DOUBT * slack
  })
}

const MINUTE = 60
/** Requests a second around the edge of a window that may belong to either side. */
const RATE_OF_DOUBT = 10

/** Whether a bucket that fills up evenly can have ruled so: between two refusals it serves what has flowed in. */
export function isBucket({ admitted, refused }: Ruled, { slack, shuffle }: Doubt): boolean {
  const some = refused.filter((_, index) => index % Math.ceil(refused.length / 500) === 0)
  let [least, most] = [0, Number.POSITIVE_INFINITY]
  for (const [index, from] of some.entries()) {
    for (const to of some.subarray(index + 1)) {
      if (to - from <= 4 * slack) continue
      const surely = within(admitted, from + shuffle, to - shuffle) - STRAYS
      const possibly = within(admitted, from - shuffle, to + shuffle) + STRAYS
      least = Math.max(least, surely / (to - from + slack))
      most = Math.min(most, possibly / (to - from - slack))
    }
  }
  return least <= most
}

/**
 * Whether a limiter of windows shorter than those that are tried can have ruled so. One that is overrun all the time
 * refuses in its second window at the latest.
 */
export const mayBeShort = (ruled: Ruled): boolean => freeRun(ruled) < 2 * SHORTEST

/**
 * Seconds before the first refusal in which requests came faster than they were served ever after, and all were
 * admitted: no window can be shorter than that, or half of it where one ended in between.
 */
export function freeRun({ admitted, refused }: Ruled): number {
  const [full] = refused
  if (full === undefined) return 0
  const last = Math.max(admitted.at(-1) ?? full, refused.at(-1)!)
  const pace = within(admitted, full, last) / Math.max(last - full, 1)
  const isFast = (to: number) => within(admitted, to - STEP, to) > 1.05 * pace * STEP
  if (!isFast(full)) return 0
  let run = 0
  while (isFast(full - run - 1)) run++
  return run + STEP
}

/** Seconds over which a pace is looked at. */
const STEP = 5

/** Pauses in service, in which several were refused. */
function pausesOf({ admitted, refused }: Ruled, atLeast: number): { from: number; to: number }[] {
  const pauses: { from: number; to: number }[] = []
  for (let index = 1; index < admitted.length; index++) {
    const [from, to] = [admitted[index - 1]!, admitted[index]!]
    if (to - from >= atLeast && within(refused, from, to) >= STRAYS) pauses.push({ from, to })
  }
  return pauses
}

/** How many of ascending times are after `from` and not after `to`. */
export const within = (times: Float64Array, from: number, to: number): number =>
  to <= from ? 0 : upTo(times, to) - upTo(times, from)

const inside = (times: Float64Array, from: number, to: number): Float64Array =>
  to <= from ? times.subarray(0, 0) : times.subarray(upTo(times, from), upTo(times, to))

const nextOf = (times: Float64Array, from: number): number =>
  times[upTo(times, from - 1e-9)] ?? Number.POSITIVE_INFINITY

/** How many of ascending times are not after that one. */
function upTo(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= time) low = middle + 1
    else high = middle
  }
  return low
}
