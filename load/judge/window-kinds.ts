import { type Instants, possibly, surely, upTo, within } from './instants.ts'

/** What a limiter did with requests, in seconds of its own clock. */
export interface Ruled {
  admitted: Instants
  refused: Instants
  /** Seconds by which that clock may be off. */
  slack: number
}

const MINUTE = 60
/** Lengths of windows that limits are made of, in seconds; shorter ones are excluded by `mayBeShort`. */
const LENGTHS = [10, 12, 15, 20, 30, 45, MINUTE, 90, 120, 300, 600]
const SHORTEST = LENGTHS[0]!
/** Requests that may contradict a kind before it is out of the question. */
const STRAYS = 3

/**
 * Whether windows of any such length, each of which begins with nothing counted, can have ruled so: those of a clock,
 * or those that open with the first request after the last one ended.
 */
export function isFixed(ruled: Ruled): boolean {
  const run = freeRun(ruled)
  return LENGTHS.some(
    length => length >= run / 2 && offsets(length).some(offset => fixedFits(ruled, length, offset)),
  )
}

/** How many seconds before the first request a window of that length may have begun. */
const offsets = (length: number): number[] => Array.from({ length: 2 * length }, (_, index) => index / 2)

function fixedFits({ admitted, refused, slack }: Ruled, length: number, offset: number): boolean {
  const first = Math.min(admitted.from[0]!, refused.from[0]!)
  const last = Math.max(admitted.from.at(-1)!, refused.from.at(-1)!)
  return [true, false].some(opensWithRequest => {
    let [least, most] = [0, Number.POSITIVE_INFINITY]
    for (let from = first - offset; from <= last; ) {
      const to = opensWithRequest ? Math.max(nextOf(admitted, from + length), from + length) : from + length
      const [begins, ends] = [from + slack, to - slack]
      least = Math.max(least, surely(admitted, begins, ends))
      const full = refusedBy(refused, begins, ends)
      if (full !== undefined) {
        most = Math.min(most, possibly(admitted, from - slack, to + slack))
        // Once its window is full nothing is served before the next.
        if (surely(admitted, full, ends) > STRAYS) return false
      }
      from = to
    }
    return least <= most + STRAYS
  })
}

/** When several had been refused in a stretch of time; `undefined` where that is not certain. */
function refusedBy({ list, from }: Instants, after: number, before: number): number | undefined {
  const ends = list
    .slice(upTo(from, after), upTo(from, before))
    .map(({ by }) => by)
    .filter(by => by < before)
  return ends.sort((one, other) => one - other)[STRAYS - 1]
}

const nextOf = ({ from }: Instants, at: number): number =>
  from[upTo(from, at - 1e-9)] ?? Number.POSITIVE_INFINITY

/** Whether windows that reach back from each request can have ruled so. */
export function isSliding(ruled: Ruled): boolean {
  const lengths = LENGTHS.filter(length => length >= freeRun(ruled) - ruled.slack)
  if (lengths.some(length => slidingFits(ruled, [ruled.admitted], length))) return true
  return !comesAndGoes(ruled) && (countsRefusals(ruled, lengths) || isWeighted(ruled))
}

/**
 * Whether long pauses follow each other, with much service in between. Where the rate of requests does not change, only
 * what lets go of many at once does that: neither what counts refusals, which would be over its limit for good, nor what
 * lets go of the last minute evenly.
 */
function comesAndGoes(ruled: Ruled): boolean {
  const [first, second] = pausesOf(ruled, Math.max(3, 2 * ruled.slack))
  return first !== undefined && second !== undefined && surely(ruled.admitted, first.to, second.from) >= MANY
}

const MANY = 100

/** Whether a window that counts what it refuses, too, can have ruled so. */
const countsRefusals = (ruled: Ruled, lengths: readonly number[]): boolean =>
  lengths.some(length => length <= 2 * MINUTE && slidingFits(ruled, [ruled.admitted, ruled.refused], length))

function slidingFits({ admitted, refused, slack }: Ruled, counted: Instants[], length: number): boolean {
  const sum = (count: (of: Instants) => number) => counted.reduce((total, of) => total + count(of), 0)
  let most = Number.POSITIVE_INFINITY
  for (const { from, by } of refused.list) {
    const counts = sum(of => possibly(of, from - length - slack, by))
    most = Math.min(most, counts)
  }
  return admitted.list.every(
    ({ from, by }) => sum(of => surely(of, by - length + slack, from)) <= most + STRAYS,
  )
}

/**
 * Whether a sliding window that is reckoned from two fixed ones can have ruled so: the share of the last one that still
 * counts shrinks evenly.
 */
function isWeighted({ admitted, refused, slack }: Ruled): boolean {
  const rate = admitted.list.length / Math.max(1, admitted.from.at(-1)! - admitted.from[0]!)
  return offsets(MINUTE).some(offset => {
    const origin = admitted.from[0]! - offset
    const reckoned = (at: number, count: typeof surely, late: number) => {
      const begins = origin + Math.floor((at - origin) / MINUTE) * MINUTE
      const still = Math.min(1, Math.max(0, 1 - (at + late - begins) / MINUTE))
      return still * count(admitted, begins - MINUTE, begins) + count(admitted, begins, at)
    }
    let most = Number.POSITIVE_INFINITY
    for (const { by } of refused.list) most = Math.min(most, reckoned(by, possibly, -slack))
    // Requests about the edge of a window may belong to either side.
    const allowed = most + STRAYS + 2 * rate * slack
    return admitted.list.every(({ from }) => reckoned(from, surely, slack) <= allowed)
  })
}

/** Whether a bucket that fills up evenly can have ruled so: between two refusals it serves what has flowed in. */
export function isBucket({ admitted, refused, slack }: Ruled): boolean {
  const some = refused.list.filter((_, index) => index % Math.ceil(refused.list.length / 500) === 0)
  let [least, most] = [0, Number.POSITIVE_INFINITY]
  for (const [index, one] of some.entries()) {
    for (const other of some.slice(index + 1)) {
      if (other.from - one.by <= 4 * slack) continue
      const served = surely(admitted, one.by, other.from) - STRAYS
      least = Math.max(least, served / (other.by - one.from + slack))
      const flowed = possibly(admitted, one.from, other.by) + STRAYS
      most = Math.min(most, flowed / (other.from - one.by - slack))
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
function freeRun({ admitted, refused }: Ruled): number {
  const [full] = refused.from
  if (full === undefined) return 0
  const last = Math.max(admitted.from.at(-1) ?? full, refused.from.at(-1)!)
  const pace = within(admitted.from, full, last) / Math.max(last - full, 1)
  const isFast = (to: number) => within(admitted.from, to - STEP, to) > 1.05 * pace * STEP
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
  let since = Number.POSITIVE_INFINITY
  for (const { from, by } of admitted.list) {
    if (from - since >= atLeast && surely(refused, since, from) >= STRAYS) {
      pauses.push({ from: since, to: from })
    }
    since = since === Number.POSITIVE_INFINITY ? by : Math.max(since, by)
  }
  return pauses
}
