import { type Doubt, isBucket, isFixed, isSliding, mayBeShort, type Ruled, within } from './window-kinds.ts'

/**
 * What kind of window a rate limiter counts in.
 *
 * - `fixed`: windows that begin with nothing counted, whatever was before
 * - `sliding`: the minute before each request, exactly or reckoned
 * - `bucket`: tokens that flow in evenly
 * - `unclear`: more than one of these could have done what was seen, or none
 */
export type WindowKind = 'fixed' | 'sliding' | 'bucket' | 'unclear'

/** When requests were sent, and whether each was refused for coming too fast; in epoch milliseconds, in any order. */
export interface Overrun {
  admitted: Iterable<number>
  refused: Iterable<number>
}

/** What was seen of a rate limiter. */
export interface ObservedWindow {
  kind: WindowKind
  /** Most requests that were admitted in any 60 seconds of the deployment's clock. */
  mostAdmitted: number
}

const MINUTE = 60
/** Fewer refusals could be anything. */
const TELLING = 20

/**
 * Tells what kind of window a limiter has from a sender that kept asking too much of it. It is never asserted: the
 * document leaves it open. A kind is only named when none of the others can have done what was seen.
 *
 * @param timeScale how many times faster the deployment's clock ran than the one that the times are of
 */
export function observeWindow({ admitted, refused }: Overrun, timeScale: number): ObservedWindow {
  const seconds = (times: Iterable<number>) =>
    Float64Array.from(times, time => (time / 1000) * timeScale).sort()
  const ruled: Ruled = { admitted: seconds(admitted), refused: seconds(refused) }
  return { kind: kindOf(ruled, doubtAt(timeScale)), mostAdmitted: mostWithin(ruled.admitted, MINUTE) }
}

/** A clock that runs faster is moved on in steps of up to 0.1 seconds of ours, and small delays grow with it. */
const doubtAt = (timeScale: number): Doubt => ({
  slack: 1 + 0.1 * (timeScale - 1),
  shuffle: 0.2 + 0.05 * (timeScale - 1),
})

function kindOf(ruled: Ruled, doubt: Doubt): WindowKind {
  const { admitted, refused } = ruled
  if (refused.length < TELLING || admitted.length < TELLING || mayBeShort(ruled)) return 'unclear'
  const kinds = (
    [
      ['fixed', isFixed],
      ['sliding', isSliding],
      ['bucket', isBucket],
    ] as const
  )
    .filter(([, can]) => can(ruled, doubt))
    .map(([kind]) => kind)
  return kinds.length === 1 ? kinds[0]! : 'unclear'
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

/**
 * Most requests of which it is certain that one minute admitted them, in whatever windows a limiter counts: for every
 * way to cut time into minutes, the fullest of them, and of those the least.
 *
 * @param times of admitted requests, in ascending seconds of the deployment's clock
 */
export function certainlyWithinAMinute(times: Float64Array, timeScale: number): number {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return 0
  const { slack } = doubtAt(timeScale)
  let least = Number.POSITIVE_INFINITY
  for (let phase = 0; phase < MINUTE; phase += 0.25) {
    let fullest = 0
    for (let from = first - phase; from < last; from += MINUTE) {
      fullest = Math.max(fullest, within(times, from + slack / 2, from + MINUTE - slack / 2))
    }
    least = Math.min(least, fullest)
  }
  return least
}
