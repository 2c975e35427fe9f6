import { RATE_LIMITS } from '../../../fixtures/clauses/rate-limits.ts'
import type { LoadExchange, RequestRow } from '../../read/evidence.ts'
import { answeredIn, blocked, broken, type Decision, kept, notExercised, showing } from '../decision.ts'
import { upTo } from '../figures/quantile.ts'
import { isServed, tallied } from '../outcomes.ts'
import { amiss, type Burst, type Bursts, burstOf, wrongStatusOf } from './burst.ts'
import { isOwn, limitOf, MINUTE, senderOf, type Version } from './limits.ts'

/** Moments that are known as intervals, in seconds. */
interface Instants {
  /** The earliest times, ascending. */
  from: Float64Array
  /** The latest times, ascending. */
  by: Float64Array
}

const instantsOf = (some: readonly { from: number; by: number }[]): Instants => ({
  from: Float64Array.from(some, ({ from }) => from).sort(),
  by: Float64Array.from(some, ({ by }) => by).sort(),
})

/** Returns how many were certainly after one moment and before another. */
const surely = ({ from, by }: Instants, after: number, before: number): number =>
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

/** The time, duration and status of a request. */
export type Seen = Pick<RequestRow, 'at' | 'took' | 'status'>

/** Returns when served requests were admitted, in seconds of the deployment's clock. */
const admittedOf = (rows: readonly Seen[], timeScale: number): Instants =>
  instantsOf(
    rows
      .filter(isServed)
      .map(({ at, took }) => ({ from: (at / 1000) * timeScale, by: ((at + took) / 1000) * timeScale })),
  )

/** Returns the most requests served in any 60 seconds of the deployment's clock. */
export const mostServed = (rows: readonly Seen[], timeScale: number): number =>
  mostWithin(admittedOf(rows, timeScale).from, MINUTE)

/** Returns the error of a clock that is moved in steps: up to 0.15 seconds of real time. */
const slackAt = (timeScale: number): number => 1 + 0.15 * (timeScale - 1)

/**
 * Returns how many requests one minute certainly admitted, for any kind of window: the minimum over all positions
 * of the windows of their fullest window.
 */
export function certainlyWithinAMinute(rows: readonly Seen[], timeScale: number): number {
  const admitted = admittedOf(rows, timeScale)
  const [first, last] = [admitted.from[0], admitted.from.at(-1)]
  if (first === undefined || last === undefined) return 0
  const slack = slackAt(timeScale)
  let least = Number.POSITIVE_INFINITY
  for (let phase = 0; phase < MINUTE; phase += 0.25) {
    let fullest = 0
    for (let from = first - phase; from < last; from += MINUTE)
      fullest = Math.max(fullest, surely(admitted, from + slack, from + MINUTE - slack))
    least = Math.min(least, fullest)
  }
  return least
}

const refusedIn = (version: Version) => answeredIn(version, status => status >= 400)
const servedIn = (version: Version) => answeredIn(version, status => status < 400)

/**
 * Decides whether as many requests of a minute as the limit admits are served.
 *
 * @param cutShortBy why fewer may have been served, if another finding explains it
 */
export function serves500(
  { circumstances, ...bursts }: Bursts,
  version: Version,
  cutShortBy: string | undefined,
): Decision {
  const alone = bursts.alone[version]
  const clause = RATE_LIMITS[version].serves
  const hindrance = hindranceOf(alone, version)
  if (alone === undefined || hindrance !== undefined) return blockedOrNone(clause, alone, hindrance)
  const { limit } = alone
  if (alone.served >= limit) return kept(clause)
  if (alone.rows.length < limit) return notExercised(clause, tooSmall(alone))
  if (cutShortBy !== undefined) return notExercised(clause, cutShortBy)
  if (!isOwn(senderOf(alone.stage, alone.rows[0]!.who), circumstances))
    return notExercised(clause, 'needs a credential that nobody else uses meanwhile')
  return broken(clause, {
    tried: `Sending ${alone.rows.length} requests of ${version} in ${seconds(alone)} with a credential that had been idle`,
    expected: `${limit} of them to be served`,
    observed: `${alone.served} (${tallied(alone.rows)})`,
    exchanges: showing(alone.stage, refusedIn(version)),
  })
}

/**
 * Decides whether requests above the limit are refused. One burst may have crossed the end of a window, two hardly
 * ever. It is certain if every minute of a long run admits too many, for all positions of the windows. A
 * bucket as large as the limit that fills evenly may admit what flows in meanwhile.
 */
export function refusesMore({ circumstances, stages, ...bursts }: Bursts, version: Version): Decision {
  const [alone, together] = [bursts.alone[version], bursts.together[version]]
  const overrun = burstOf(stages.get('overrun'), version)
  const clause = RATE_LIMITS[version].refuses
  const limit = limitOf(circumstances)
  if (!circumstances.minted)
    return notExercised(clause, 'needs credentials that are made for the run: a higher limit can be arranged')
  const certain = overrun === undefined ? 0 : certainlyWithinAMinute(overrun.rows, circumstances.timeScale)
  // A bucket shows in every burst.
  const isBucket = [alone, together].every(one => one === undefined || isOfBucket(one))
  if (
    overrun !== undefined &&
    certain > limit &&
    !(isBucket && isOfBucket(overrun, circumstances.timeScale))
  ) {
    const { perMinute, minutes } = paceOf(overrun, circumstances.timeScale)
    return broken(clause, {
      tried: `Sending ${perMinute} requests of ${version} a minute for ${minutes} minutes`,
      expected: `no more than ${limit} a minute to be served`,
      observed: `${certain} or more in some minute, however minutes are counted`,
      exchanges: showing(overrun.stage, servedIn(version)),
    })
  }
  const hindrance = hindranceOf(alone, version)
  if (alone === undefined || hindrance !== undefined) return blockedOrNone(clause, alone, hindrance)
  if (alone.rows.length <= limit) return notExercised(clause, tooSmall(alone))
  if (alone.served <= limit) return kept(clause)
  const again = hindranceOf(together, version)
  if (together === undefined || again !== undefined || !areBrief(alone, together)) {
    const why = again ?? 'a second burst of less than some seconds is needed'
    return notExercised(
      clause,
      `${alone.served} requests of a burst were served, which may have met the end of a minute: ${why}`,
    )
  }
  if (together.served <= limit) return kept(clause)
  if (isBucket) {
    if (alone.limited + together.limited > 0) return kept(clause)
    const why = `all of ${alone.rows.length} requests were served, as a bucket would that fills evenly`
    return notExercised(clause, `${why}: a larger burst is needed, or a faster one`)
  }
  return broken(clause, {
    tried: `Sending ${alone.rows.length} requests of ${version} in ${seconds(alone)} with a new credential, and again with another`,
    expected: `${limit} of them to be served each time`,
    observed: `${alone.served} and ${together.served}`,
    exchanges: [...showing(alone.stage, servedIn(version), 1), ...lastServed(alone, version)],
  })
}

/** Decides whether requests above the limit are refused with 429. */
export function refusesWith429({ circumstances, ...bursts }: Bursts, version: Version): Decision {
  const alone = bursts.alone[version]
  const clause = RATE_LIMITS[version].status
  if (alone !== undefined && alone.limited > 0) return kept(clause)
  const hindrance = hindranceOf(alone, version)
  if (alone === undefined || hindrance !== undefined) return blockedOrNone(clause, alone, hindrance)
  const status = wrongStatusOf(alone)
  if (status === undefined) return notExercised(clause, `none of ${alone.rows.length} requests was refused`)
  if (!circumstances.minted)
    return notExercised(clause, `${alone.otherwise.length} requests had a ${status}, for whatever reason`)
  return broken(clause, {
    tried: `Sending ${alone.rows.length} requests of ${version} in ${seconds(alone)} with a new credential`,
    expected: `${alone.limit} of them to be served, and the others to be refused with 429`,
    observed: tallied(alone.rows),
    exchanges: showing(alone.stage, refusedIn(version)),
  })
}

const hindranceOf = (burst: Burst | undefined, version: Version): string | undefined =>
  burst === undefined ? `no burst of ${version} was sent` : amiss(burst, version)

const blockedOrNone = (
  clause: Decision['clause'],
  burst: Burst | undefined,
  reason = 'nothing was sent',
): Decision => (burst === undefined ? notExercised(clause, reason) : blocked(clause, reason))

const tooSmall = ({ rows, limit }: Burst): string =>
  `a burst of ${rows.length} requests does not reach past a limit of ${limit}`

const seconds = (burst: Burst): string => `${burst.seconds.toFixed(1)} seconds`

/** Returns whether two bursts are so short that both can hardly have crossed the end of a window. */
const areBrief = (one: Burst, other: Burst): boolean =>
  (one.seconds / MINUTE) * (other.seconds / MINUTE) < 0.01

/** Returns whether just as much was served as a full bucket has at first, and gets while requests come. */
function isOfBucket({ limit, rows, served, seconds }: Burst, timeScale = 1): boolean {
  const holds = (seconds: number) => limit + ((seconds * timeScale) / MINUTE) * limit
  const firstAnswered = rows.reduce((first, { at, took }) => Math.min(first, at + took), Infinity)
  const surely = Math.max(0, rows.at(-1)!.at - firstAnswered) / 1000
  const slack = slackAt(timeScale)
  if (served > holds(seconds + (slack - 1) / timeScale) + 1) return false
  return served === rows.length || served > holds(surely - (slack - 1) / timeScale) - 2
}

const lastServed = ({ stage }: Burst, version: Version): LoadExchange[] =>
  stage.exchanges.filter(servedIn(version)).slice(-1)

function paceOf({ rows }: Burst, timeScale: number): { perMinute: number; minutes: number } {
  const minutes = ((rows.at(-1)!.at - rows[0]!.at) * timeScale) / 60_000
  return { perMinute: Math.round(rows.length / minutes), minutes: Math.round(minutes * 10) / 10 }
}
