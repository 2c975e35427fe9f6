import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { blocked, broken, type Decision, kept, notExercised, showing } from '../decision.ts'
import { isLimited, isServed } from '../outcomes.ts'
import { amiss, type Burst } from './burst.ts'
import { LIMIT, otherThan, type Version } from './limits.ts'

/** Bursts of both versions at once, by one sender. */
export interface SideBySide {
  clause: ClauseId
  /** The version that must not be cut short by the other. */
  version: Version
  /** The requests that it serves of a burst with nothing beside it. */
  alone: Burst | undefined
  together: Readonly<Record<Version, Burst | undefined>>
  minted: boolean
  /** The reason why it may be cut short, where that is found elsewhere. */
  explained: string | undefined
}

/** Requests of both versions that may be under way when the first one is refused. */
const UNDER_WAY = 100

/** Returns whether a burst of one version is served as much beside one of the other as it is alone. */
export function sparedTogether({ clause, version, alone, together, ...rest }: SideBySide): Decision {
  const other = otherThan(version)
  const [mine, theirs] = [together[version], together[other]]
  if (mine === undefined || theirs === undefined || alone === undefined) {
    return notExercised(clause, 'no bursts of both versions were sent at once')
  }
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
  if (rest.explained !== undefined) return notExercised(clause, rest.explained)
  const before = servedBeforeRefusal(mine, theirs)
  if (!rest.minted || before < LIMIT - UNDER_WAY) {
    return notExercised(
      clause,
      `${version} refused a burst after ${before} requests of both versions, for another reason than their sum`,
    )
  }
  return broken(clause, {
    tried: `Sending ${mine.rows.length} requests of ${version} and ${theirs.rows.length} of ${other} at once with a new credential`,
    expected: `${LIMIT} of ${version} to be served, as without those of ${other}`,
    observed: `${mine.served}, beside ${theirs.served} of ${other}`,
    exchanges: showing(mine.stage, ({ part, response }) => part === version && response.status === 429),
  })
}

/** Returns how many requests of both were served that were sent before the first one of `mine` was refused. */
function servedBeforeRefusal(mine: Burst, theirs: Burst): number {
  const refusedAt = mine.rows.find(isLimited)?.at ?? Number.POSITIVE_INFINITY
  return [...mine.rows, ...theirs.rows].filter(row => isServed(row) && row.at <= refusedAt).length
}
