import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { StageEvidence } from '../../read/evidence.ts'
import { blocked, broken, type Decision, kept, notExercised, showing } from '../decision.ts'
import { areLetThrough, isLimited, tallied } from '../outcomes.ts'
import type { Burst } from './burst.ts'
import { rowsOf } from './bystanders.ts'
import { isOwn, LIMIT, senderOf, type Version } from './limits.ts'

/** A credential that was refused, and asks again when the time has passed. */
export interface Recovery {
  clause: ClauseId
  version: Version
  /** The requests that the version serves of a burst with nothing beside it. */
  alone: Burst | undefined
  /** The burst that used the limit up. */
  together: Burst | undefined
  /** The later requests. */
  stage: StageEvidence | undefined
  circumstances: Circumstances
}

/** Returns whether a credential that used up its own limit is served again once the time has passed. */
export function recovers({ clause, version, alone, together, stage, circumstances }: Recovery): Decision {
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
  return broken(clause, {
    tried: `Asking ${version} ${rows.length} times once Retry-After of a 429 had passed in silence`,
    expected: 'every request to be served',
    observed: tallied(rows),
    exchanges: [
      ...showing(together.stage, ({ part, response }) => part === version && response.status === 429, 1),
      ...showing(stage, ({ part, response }) => part === version && response.status === 429),
    ],
  })
}
