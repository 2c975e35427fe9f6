/** The requests that one rate limit has let through. */
export interface Paced {
  /** The number of requests in the API version so far. */
  sent: number
  /** The requests of the last minute of the busiest credential. */
  lastMinute: number
  /** Returns the seconds until that credential may have sent that many more. */
  until(more: number): number
}

/** The progress of a run at a moment. */
export interface Moment {
  /** Seconds since its start. */
  elapsed: number
  /** The numbers of finished checks and of all checks, as far as known. */
  done: number
  checks: number
  /** The state of each API version's limit; empty without pacing. */
  paced: readonly Paced[]
  /** The requests a minute that a credential may send. */
  perMinute: number
}

/** The share of finished checks from which the rest is estimated. */
const FORETELLING = 0.1
/** The share of the limit above which a credential will soon wait. */
const NEAR_ITS_LIMIT = 0.8
/** The factor by which the estimate may grow from one time to the next. */
const GROWTH = 1.2

/**
 * Returns a function that estimates the remaining seconds of a run. With a rate limit its requests decide: a
 * minute's worth is sent at once and the next has to wait, so the elapsed time says little. Otherwise the elapsed
 * time decides.
 *
 * @returns `undefined` while it cannot be known, and when everything is done
 */
export function createRest(): (moment: Moment) => number | undefined {
  let limited = false
  let told: number | undefined
  return ({ elapsed, done, checks, paced, perMinute }) => {
    limited ||= paced.some(({ lastMinute }) => lastMinute >= NEAR_ITS_LIMIT * perMinute)
    if (checks === 0 || done >= checks || done < checks * FORETELLING) return undefined
    const ahead = (checks - done) / done
    const left = limited
      ? Math.max(...paced.map(({ sent, until }) => until(Math.ceil(sent * ahead))))
      : elapsed * ahead
    told = Math.max(1, told === undefined ? left : Math.min(left, told * GROWTH))
    return told
  }
}
