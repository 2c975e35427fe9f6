import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import type { RequestRow } from '../../read/evidence.ts'
import { blocked, broken, type Decision, kept, limitedIn, notExercised, showing } from '../decision.ts'
import { areLetThrough, isLimited, tallied } from '../outcomes.ts'
import { type Burst, type Bursts, rowsOf } from './burst.ts'
import { MINUTE, type Version } from './limits.ts'

/** A sender that the limit of a burst does not concern. */
export interface Bystander {
  clause: ClauseId
  part: string
  /** The sender and its request in words: `the same credential, in v2`. */
  who: string
  /** Whether only this run can have used its own limit. */
  isOwn: boolean
  /** Why it may be refused, if another finding explains it. */
  explained?: string | undefined
}

/** Decides whether senders that the burst does not concern are served during it. */
export function spared(
  { alone, stages }: Bursts,
  version: Version,
  { clause, part, who, isOwn, explained }: Bystander,
): Decision {
  const [burst, stage] = [alone[version], stages.get(`alone-${version}-others`)]
  const rows = rowsOf(stage, part)
  if (burst === undefined || stage === undefined || rows.length === 0)
    return notExercised(clause, `needs ${who}, to ask beside a burst`)
  if (burst.limited === 0) return notExercised(clause, 'no credential was brought past its limit with a 429')
  const refused = rows.filter(isLimited)
  if (refused.length === 0) {
    if (!areLetThrough(rows)) return blocked(clause, `${who} was answered with ${tallied(rows)}`)
    if (isWithinTheMinute(burst, rows)) return kept(clause)
    return notExercised(clause, `${who} asked only after the minute of the burst`)
  }
  if (explained !== undefined) return notExercised(clause, explained)
  if (!isOwn) return notExercised(clause, `${who} was refused, and others may use that credential`)
  return broken(clause, {
    tried: `Sending ${rows.length} requests with ${who}, right after ${burst.rows.length} requests that another limit counts, of which ${burst.limited} were refused`,
    expected: 'all of them to be served',
    observed: tallied(rows),
    exchanges: [
      ...showing(burst.stage, ({ response }) => response.status === 429, 1),
      ...showing(stage, limitedIn(part)),
    ],
  })
}

/** Returns whether the limit was still exhausted at the last request, for any kind of window. */
const isWithinTheMinute = ({ rows }: Burst, asked: readonly RequestRow[]): boolean =>
  asked.at(-1)!.at - rows[0]!.at < (MINUTE - 1) * 1000
