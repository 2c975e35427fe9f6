import { RATE_LIMITS } from '../../../fixtures/clauses/rate-limits.ts'
import { blocked, broken, type Decision, kept, limitedIn, notExercised, showing } from '../decision.ts'
import { areLetThrough, isLimited, tallied } from '../outcomes.ts'
import { type Bursts, rowsOf } from './burst.ts'
import { isOwn, LIMIT, senderOf, type Version } from './limits.ts'

/** Decides whether a credential that used up its own limit is served again once the time has passed. */
export function recovers({ circumstances, stages, ...bursts }: Bursts, version: Version): Decision {
  const clause = RATE_LIMITS[version].recovers
  const [alone, together, stage] = [bursts.alone[version], bursts.together[version], stages.get('recovery')]
  const rows = rowsOf(stage, version)
  if (together === undefined || stage === undefined || rows.length === 0) {
    return notExercised(clause, `nobody asked ${version} again after a burst`)
  }
  if (together.limited === 0) return notExercised(clause, `no request of ${version} was refused with a 429`)
  if (together.served < Math.min(alone?.served ?? LIMIT, LIMIT)) {
    return notExercised(clause, `${version} refused the credential before its own limit was used up`)
  }
  const refused = rows.filter(isLimited)
  if (refused.length === 0) {
    return areLetThrough(rows) ? kept(clause) : blocked(clause, `${version} answered ${tallied(rows)}`)
  }
  if (!isOwn(senderOf(stage, rows[0]!.who), circumstances)) {
    return notExercised(clause, 'needs a credential that nobody else uses meanwhile')
  }
  if (rowsOf(stages.get('a-day-later'), version).some(isLimited)) {
    return notExercised(clause, 'needs a minute of real time, or a clock that the rate limit goes by')
  }
  return broken(clause, {
    tried: `Asking ${version} ${rows.length} times once Retry-After of a 429 had passed in silence`,
    expected: 'every request to be served',
    observed: tallied(rows),
    exchanges: [...showing(together.stage, limitedIn(version), 1), ...showing(stage, limitedIn(version))],
  })
}
