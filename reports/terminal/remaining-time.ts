/** What one rate limit has let through. */
export interface Paced {
  /** Requests that left in the API version so far. */
  sent: number
  /** Those of the last minute, of the credential that sent the most. */
  lastMinute: number
  /** Returns the seconds until that credential may have sent so many more. */
  until(more: number): number
}

/** How far a run is at one moment. */
export interface Moment {
  /** Seconds since its start. */
  elapsed: number
  /** Checks that have ended, and all of them, as far as is known. */
  done: number
  checks: number
  /** What the limits of each API version let through; empty where nothing is paced. */
  paced: readonly Paced[]
  /** Requests a minute that a credential may send. */
  perMinute: number
}

/** Share of the checks that has to be done before the rest can be foretold. */
const FORETELLING = 0.1
/** A credential that has sent so much of its minute will soon wait. */
const NEAR_ITS_LIMIT = 0.8
/** By how much the rest that is told may grow from one time to the next. */
const GROWTH = 1.2

/**
 * Makes what foretells how many seconds are left of a run. Where a rate limit is in the way, its requests decide: a
 * minute's worth leaves at once, and the next has to wait, so the time so far says little. Elsewhere that time does.
 *
 * @returns `undefined` while nobody can know, and when everything is done
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
