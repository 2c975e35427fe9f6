import { RATE_LIMITS } from '../../../fixtures/clauses/rate-limits.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { answeredIn, blocked, broken, type Decision, kept, notExercised, showing } from '../decision.ts'
import { tallied } from '../outcomes.ts'
import { amiss, type Burst, type Bursts, burstOf, wrongStatusOf } from './burst.ts'
import { isOwn, LIMIT, MINUTE, senderOf, type Version } from './limits.ts'
import { certainlyWithinAMinute, slackAt } from './window.ts'

const refusedIn = (version: Version) => answeredIn(version, status => status >= 400)
const servedIn = (version: Version) => answeredIn(version, status => status < 400)

/**
 * Decides whether the first 500 requests of a minute are served.
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
  if (alone.served >= LIMIT) return kept(clause)
  if (alone.rows.length < LIMIT) return notExercised(clause, tooSmall(alone))
  if (cutShortBy !== undefined) return notExercised(clause, cutShortBy)
  if (!isOwn(senderOf(alone.stage, alone.rows[0]!.who), circumstances))
    return notExercised(clause, 'needs a credential that nobody else uses meanwhile')
  return broken(clause, {
    tried: `Sending ${alone.rows.length} requests of ${version} in ${seconds(alone)} with a credential that had been idle`,
    expected: `${LIMIT} of them to be served`,
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
  if (!circumstances.minted)
    return notExercised(clause, 'needs credentials that are made for the run: a higher limit can be arranged')
  const certain = overrun === undefined ? 0 : certainlyWithinAMinute(overrun.rows, circumstances.timeScale)
  // A bucket shows in every burst.
  const isBucket = [alone, together].every(one => one === undefined || isOfBucket(one))
  if (
    overrun !== undefined &&
    certain > LIMIT &&
    !(isBucket && isOfBucket(overrun, circumstances.timeScale))
  ) {
    const { perMinute, minutes } = paceOf(overrun, circumstances.timeScale)
    return broken(clause, {
      tried: `Sending ${perMinute} requests of ${version} a minute for ${minutes} minutes`,
      expected: `no more than ${LIMIT} a minute to be served`,
      observed: `${certain} or more in some minute, however minutes are counted`,
      exchanges: showing(overrun.stage, servedIn(version)),
    })
  }
  const hindrance = hindranceOf(alone, version)
  if (alone === undefined || hindrance !== undefined) return blockedOrNone(clause, alone, hindrance)
  if (alone.rows.length <= LIMIT) return notExercised(clause, tooSmall(alone))
  if (alone.served <= LIMIT) return kept(clause)
  const again = hindranceOf(together, version)
  if (together === undefined || again !== undefined || !areBrief(alone, together)) {
    const why = again ?? 'a second burst of less than some seconds is needed'
    return notExercised(
      clause,
      `${alone.served} requests of a burst were served, which may have met the end of a minute: ${why}`,
    )
  }
  if (together.served <= LIMIT) return kept(clause)
  if (isBucket) {
    if (alone.limited + together.limited > 0) return kept(clause)
    const why = `all of ${alone.rows.length} requests were served, as a bucket would that fills evenly`
    return notExercised(clause, `${why}: a larger burst is needed, or a faster one`)
  }
  return broken(clause, {
    tried: `Sending ${alone.rows.length} requests of ${version} in ${seconds(alone)} with a new credential, and again with another`,
    expected: `${LIMIT} of them to be served each time`,
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
    expected: `${LIMIT} of them to be served, and the others to be refused with 429`,
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

const tooSmall = ({ rows }: Burst): string =>
  `a burst of ${rows.length} requests does not reach past a limit of ${LIMIT}`

const seconds = (burst: Burst): string => `${burst.seconds.toFixed(1)} seconds`

/** Returns whether two bursts are so short that both can hardly have crossed the end of a window. */
const areBrief = (one: Burst, other: Burst): boolean =>
  (one.seconds / MINUTE) * (other.seconds / MINUTE) < 0.01

/** Returns whether just as much was served as a full bucket has at first, and gets while requests come. */
function isOfBucket({ rows, served, seconds }: Burst, timeScale = 1): boolean {
  const holds = (seconds: number) => LIMIT + ((seconds * timeScale) / MINUTE) * LIMIT
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
