import type { RequestRow } from '../read/evidence.ts'
import { type Instants, instantsOf, mostWithin, surely } from './instants.ts'
import { MINUTE } from './limits.ts'
import { isLimited, isServed } from './outcomes.ts'
import { isBucket, isFixed, isSliding, mayBeShort, type Ruled } from './window-kinds.ts'

/**
 * What kind of window a rate limiter counts in.
 *
 * - `fixed`: windows that begin with nothing counted, whatever was before
 * - `sliding`: the minute before each request, exactly or reckoned
 * - `bucket`: tokens that flow in evenly
 * - `unclear`: more than one of these could have done what was seen, or none
 */
export type WindowKind = 'fixed' | 'sliding' | 'bucket' | 'unclear'

/** What was seen of a rate limiter. */
export interface ObservedWindow {
  kind: WindowKind
  /** Most requests that were admitted in any 60 seconds of the deployment's clock. */
  mostAdmitted: number
}

/** A request, of which it is known when it was sent and answered, and with which status. */
export type Seen = Pick<RequestRow, 'at' | 'took' | 'status'>

/** Fewer refusals could be anything. */
const TELLING = 20

/**
 * Tells what kind of window a limiter has from a sender that kept asking too much of it. It is never asserted: the
 * document leaves it open. A kind is only named when none of the others can have done what was seen.
 *
 * @param rows in any order; those that were neither served nor refused with a 429 do not count
 * @param timeScale how many times faster the deployment's clock ran than the one that the times are of
 */
export function observeWindow(rows: readonly Seen[], timeScale: number): ObservedWindow {
  const admitted = instantsAt(rows.filter(isServed), timeScale)
  const refused = instantsAt(rows.filter(isLimited), timeScale)
  return {
    kind: kindOf({ admitted, refused, slack: slackAt(timeScale) }),
    mostAdmitted: mostWithin(admitted.from, MINUTE),
  }
}

/** When they were decided on, in seconds of the deployment's clock. */
const instantsAt = (rows: readonly Seen[], timeScale: number): Instants =>
  instantsOf(
    rows.map(({ at, took }) => ({ from: (at / 1000) * timeScale, by: ((at + took) / 1000) * timeScale })),
  )

/** A clock that runs faster is moved on in steps, and is up to 0.15 seconds of ours behind or ahead. */
const slackAt = (timeScale: number): number => 1 + 0.15 * (timeScale - 1)

function kindOf(ruled: Ruled): WindowKind {
  const { admitted, refused } = ruled
  if (refused.list.length < TELLING || admitted.list.length < TELLING || mayBeShort(ruled)) return 'unclear'
  let found: WindowKind = 'unclear'
  for (const [kind, can] of KINDS) {
    if (!can(ruled)) continue
    if (found !== 'unclear') return 'unclear'
    found = kind
  }
  return found
}

/** What each kind can do, the quickest to tell first. */
const KINDS = [
  ['bucket', isBucket],
  ['fixed', isFixed],
  ['sliding', isSliding],
] as const

/**
 * Most requests of which it is certain that one minute admitted them, in whatever windows a limiter counts: for every
 * way to cut time into minutes, the fullest of them, and of those the least.
 */
export function certainlyWithinAMinute(rows: readonly Seen[], timeScale: number): number {
  const admitted = instantsAt(rows.filter(isServed), timeScale)
  const [first, last] = [admitted.from[0], admitted.from.at(-1)]
  if (first === undefined || last === undefined) return 0
  const slack = slackAt(timeScale)
  let least = Number.POSITIVE_INFINITY
  for (let phase = 0; phase < MINUTE; phase += 0.25) {
    let fullest = 0
    for (let from = first - phase; from < last; from += MINUTE) {
      fullest = Math.max(fullest, surely(admitted, from + slack, from + MINUTE - slack))
    }
    least = Math.min(least, fullest)
  }
  return least
}
