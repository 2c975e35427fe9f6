import type { Ahead } from '../../fixtures/client/pace/index.ts'

/** The requests that one rate limit has let through. */
export interface Paced {
  /** The requests of the last minute of the busiest credential, and its share of those of all. */
  lastMinute: number
  share: number
  /** Returns the seconds until that credential may have sent that many more. */
  until(more: number): number
}

/** The progress of a run at a moment. */
interface Moment {
  /** Seconds since its start. */
  elapsed: number
  /** The number of requests. */
  sent: number
  ahead: Ahead
  /** The state of the limits of v1 and v2; empty without pacing. */
  paced: readonly Paced[]
  /** The requests a minute that a credential may send. */
  perMinute: number
  /** Whether anything but a rate limit is waited for. */
  isWaiting: boolean
}

/** The seconds before which nothing is estimated, and those below which only waits count. */
const SOONEST = 5
const SOON = 5
/** The share of the limit above which a credential will soon wait. */
const NEAR_ITS_LIMIT = 0.8
/** The factor by which the estimate may grow from one time to the next. */
const GROWTH = 1.2
/** Seconds for which an estimate is only counted down. */
const BETWEEN = 1

/**
 * Returns a function that estimates the remaining seconds of a run: with a rate limit, by when the requests that are ahead may be
 * sent; otherwise by the time that those so far took.
 *
 * @returns `undefined` while it cannot be known, and where a run only waits
 */
export function createRest(): (moment: Moment) => number | undefined {
  let limited = false
  let told: number | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  /** When nothing had been sent yet: before, suites were loaded. */
  let begun = 0
  return ({ elapsed, sent, ahead, paced, perMinute, isWaiting }) => {
    if (sent === 0) begun = elapsed
    limited ||= paced.some(({ lastMinute }) => lastMinute >= NEAR_ITS_LIMIT * perMinute)
    if (ahead.checks === 0 || sent === 0 || elapsed < SOONEST) return undefined
    if (elapsed - toldAt < BETWEEN) return told
    const owed = [ahead.v1, ahead.v2]
    const left = limited
      ? Math.max(...paced.map(({ share, until }, at) => until(Math.ceil(share * owed[at]!))))
      : ((elapsed - begun) * (ahead.v1 + ahead.v2)) / sent
    toldAt = elapsed
    told =
      isWaiting && left < SOON
        ? undefined
        : Math.max(1, told === undefined ? left : Math.min(left, told * GROWTH))
    return told
  }
}
