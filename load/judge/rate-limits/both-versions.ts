import { RATE_LIMITS } from '../../../fixtures/clauses/rate-limits.ts'
import { blocked, broken, type Decision, kept, limitedIn, notExercised, showing } from '../decision.ts'
import { isLimited, isServed } from '../outcomes.ts'
import { amiss, type Burst, type Bursts } from './burst.ts'
import { LIMIT, otherThan, type Version } from './limits.ts'

/** The number of requests of both versions that may be in flight at the first refusal. */
const UNDER_WAY = 100

/**
 * Decides whether a burst in one version leaves the other version of the same sender as it is alone.
 *
 * @param explained why the other version may be refused earlier, if another finding explains it
 */
export function sparesTogether(
  { circumstances, alone: bursts, together }: Bursts,
  other: Version,
  explained: string | undefined,
): Decision {
  const clause = RATE_LIMITS[other].sparesOther
  const version = otherThan(other)
  const [alone, mine, theirs] = [bursts[version], together[version], together[other]]
  if (mine === undefined || theirs === undefined || alone === undefined)
    return notExercised(clause, 'no bursts of both versions were sent at once')
  const hindrance = amiss(alone, version) ?? amiss(mine, version)
  if (hindrance !== undefined) return blocked(clause, hindrance)
  if (alone.served < LIMIT) return notExercised(clause, `${version} serves less than ${LIMIT} by itself`)
  if (mine.served >= LIMIT) {
    return theirs.limited > 0
      ? kept(clause)
      : notExercised(clause, `nothing of ${other} was refused with a 429`)
  }
  if (mine.rows.length < LIMIT)
    return notExercised(clause, `bursts of ${mine.rows.length} requests are too small`)
  if (explained !== undefined) return notExercised(clause, explained)
  const before = servedBeforeRefusal(mine, theirs)
  if (!circumstances.minted || before < LIMIT - UNDER_WAY) {
    return notExercised(
      clause,
      `${version} refused a burst after ${before} requests of both versions, for another reason than their sum`,
    )
  }
  return broken(clause, {
    tried: `Sending ${mine.rows.length} requests of ${version} and ${theirs.rows.length} of ${other} at once with a new credential`,
    expected: `${LIMIT} of ${version} to be served, whatever is sent to ${other}`,
    observed: `${mine.served} served, and ${theirs.served} of ${other}`,
    exchanges: showing(mine.stage, limitedIn(version)),
  })
}

/** Returns how many requests of both were sent before the first refusal of `mine` and served. */
function servedBeforeRefusal(mine: Burst, theirs: Burst): number {
  const refusedAt = mine.rows.find(isLimited)?.at ?? Number.POSITIVE_INFINITY
  return [...mine.rows, ...theirs.rows].filter(row => isServed(row) && row.at <= refusedAt).length
}
