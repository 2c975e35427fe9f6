import type { SuiteProgress } from '../../fixtures/run/collected.ts'
import { usualOf } from './usual-requests.ts'

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
interface Moment {
  /** Seconds since its start. */
  elapsed: number
  /** The numbers of finished checks and of all checks, as far as known. */
  done: number
  checks: number
  /** The number of requests. */
  sent: number
  /** The suite files, in the order in which they are run. */
  suites: readonly SuiteProgress[]
  /** The state of the limits of v1 and v2; empty without pacing. */
  paced: readonly Paced[]
  /** The requests a minute that a credential may send, and the maximum number of checks at once. */
  perMinute: number
  atOnce: number
}

/** The share of the work from which the rest is estimated, and the seconds before which it is not. */
const FORETELLING = 0.02
const SOONEST = 5
/** The share of the limit above which a credential will soon wait. */
const NEAR_ITS_LIMIT = 0.8
/** The factor by which the estimate may grow from one time to the next. */
const GROWTH = 1.2
/** Requests as in the measured runs that are assumed before those of this run count. */
const ASSUMED = 150
/** More checks at once make no difference to a simulation. */
const MOST_AT_ONCE = 100
/** Seconds for which an estimate is only counted down. */
const BETWEEN = 1
/** Seconds after which the same request of a credential may be sent again. */
const WINDOW = 60.1
/** The seconds of a request, for what is not limited. */
const OF_A_REQUEST = 0.1

/**
 * Returns a function that estimates the remaining seconds of a run. The work that is left is known from earlier runs, by suite
 * file, corrected by what this run needed for the same. With a rate limit that work is simulated: a minute's worth is sent at
 * once and the next has to wait, so the elapsed time says little. Otherwise the time since the first request of a check decides.
 *
 * @returns `undefined` while it cannot be known, and when everything is done
 */
export function createRest(): (moment: Moment) => number | undefined {
  let limited = false
  let told: number | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  /** When no check had ended yet: before, suites were loaded. */
  let begun = 0
  return moment => {
    const { elapsed, done, checks, paced, perMinute } = moment
    if (done === 0) begun = elapsed
    limited ||= paced.some(({ lastMinute }) => lastMinute >= NEAR_ITS_LIMIT * perMinute)
    if (checks === 0 || done >= checks || elapsed < SOONEST) return undefined
    if (elapsed - toldAt < BETWEEN) return told
    const work = workOf(moment)
    if (work.done < FORETELLING || (limited && moment.suites.length === 0)) return undefined
    const left = limited ? simulated(work, moment) : ((elapsed - begun) * (1 - work.done)) / work.done
    toldAt = elapsed
    told = Math.max(1, told === undefined ? left : Math.min(left, told * GROWTH))
    return told
  }
}

/** Checks that will send about the same. */
interface Ahead {
  checks: number
  /** Requests of each by the busiest credential, in v1 and v2. */
  requests: readonly [number, number]
}

interface Work {
  /** The finished share. */
  done: number
  /** What is left, in the order in which it is done. */
  left: Ahead[]
  /** The requests that checks under way have sent already: those of the busiest credential, in v1 and v2. */
  underWay: readonly number[]
}

function workOf({ suites, done, checks, sent, paced }: Moment): Work {
  if (suites.length === 0) return { done: done / checks, left: [], underWay: [] }
  const [v1, v2, minted] = [createSum(), createSum(), createSum()]
  const left = suites.map((suite): Ahead => {
    const usual = usualOf(suite.file)
    const all = suite.checks ?? usual.checks
    const rest = suite.ended ? 0 : Math.max(0, all - suite.done)
    const { requests } = suite
    const share = { past: (all - rest) / usual.checks, all: all / usual.checks }
    v1.add(usual.v1, share, requests.v1, usual.standard.v1)
    v2.add(usual.v2, share, requests.v2, usual.standard.v2)
    minted.add(usual.minted, share, requests.v1 + requests.v2)
    return { checks: rest, requests: [usual.standard.v1 / usual.checks, usual.standard.v2 / usual.checks] }
  })
  const corrected = left.map(
    ({ checks, requests: [ofV1, ofV2] }): Ahead => ({
      checks,
      requests: [ofV1 * v1.ratio(), ofV2 * v2.ratio()],
    }),
  )
  // Checks that run have sent requests, too. With a limit, the requests of the busiest credential are what counts.
  const finished = paced.length > 0 || sent === 0 ? done / checks : sent / minted.whole()
  const underWay = [v1, v2].map((sum, at) => {
    const all = Math.max(0, (paced[at]?.sent ?? 0) - sum.seen())
    const rest = corrected.reduce((total, { checks, requests }) => total + checks * requests[at as 0 | 1], 0)
    // Those that need more than the usual send as much again.
    return Math.min(sum.standard() * all, rest) / 2
  })
  return { done: Math.min(1, finished), left: corrected, underWay }
}

/** Sums what suites usually send, and what they have sent. */
function createSum() {
  let [past, whole, seen, ofStandard] = [0, 0, 0, 0]
  const ratio = () => (seen + ASSUMED) / (past + ASSUMED)
  return {
    add(usual: number, share: { past: number; all: number }, requests: number, standard = usual) {
      past += usual * share.past
      whole += usual * share.all
      seen += requests
      ofStandard += standard * share.all
    },
    /** What the finished checks sent, as a multiple of the usual. */
    ratio,
    seen: () => seen,
    /** The share of the busiest credential. */
    standard: () => (whole === 0 ? 1 : ofStandard / whole),
    /** What all checks will have sent. */
    whole: () => Math.max(1, whole * ratio()),
  }
}

/** Returns the seconds in which checks, some of which run at once, have sent their requests under the limits. */
function simulated({ left, underWay }: Work, { paced, perMinute, atOnce }: Moment): number {
  const limits = paced.map(({ until }, at) => createLimit(until, perMinute, underWay[at]))
  const running: number[] = Array.from({ length: Math.max(1, Math.min(atOnce, MOST_AT_ONCE)) }, () => 0)
  let end = 0
  for (const { checks, requests } of left) {
    for (let check = 0; check < checks; check++) {
      const place = running.indexOf(Math.min(...running))
      const start = running[place]!
      const over = requests.map((each, version) => limits[version]?.(each, start) ?? start)
      running[place] = Math.max(...over) + OF_A_REQUEST * (requests[0] + requests[1])
      end = Math.max(end, running[place]!)
    }
  }
  return end
}

/**
 * Returns a function that takes a number of requests, also a part of one, from some time on, and returns when the last of them
 * may be sent.
 *
 * @param sent the number of the first ones that are sent already
 */
function createLimit(until: Paced['until'], perMinute: number, sent = 0) {
  /** When each request of the last window may be repeated, from `next` on. */
  const free = Array.from({ length: Math.ceil(perMinute) }, (_, at) => until(at + 1))
  let [next, owed] = [0, -sent]
  return (requests: number, start: number): number => {
    let now = start
    for (owed += requests; owed >= 1; owed--) {
      now = Math.max(now, free[next]!)
      free[next] = now + WINDOW
      next = (next + 1) % free.length
    }
    return now
  }
}
