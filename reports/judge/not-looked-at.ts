import { NEED_GROUPS } from '../../fixtures/clauses/needs.ts'
import type { ClauseRecord, RunRecord } from '../../fixtures/record.ts'
import { isUndecided } from './judge-check.ts'
import { sharesOf } from './kinds.ts'
import { lacks } from './profile.ts'
import type { RunInput } from './run-input.ts'

type NotLookedAt = NonNullable<RunRecord['notLookedAt']>
type Undecided = NonNullable<RunRecord['undecided']>

/**
 * Returns the required clauses that nothing was seen of because the definition lacks what they need, by group. No
 * verdict vouches for them.
 */
export function notLookedAt(
  { catalogue, deployment, selected }: Pick<RunInput, 'catalogue' | 'deployment' | 'selected'>,
  clauses: readonly ClauseRecord[],
): NotLookedAt {
  const counts = new Map<string, number>()
  for (const { id, level, verdict } of clauses) {
    if (level !== 'must' || verdict !== 'not exercised' || selected?.has(id) === false) continue
    const lacking = lacks(catalogue[id]!.needs ?? [], deployment)
    const group = NEED_GROUPS.find(({ needs }) => needs.some(need => lacking.includes(need)))
    if (group !== undefined) counts.set(group.what, (counts.get(group.what) ?? 0) + 1)
  }
  return NEED_GROUPS.flatMap(({ what, shownBy }) => {
    const missed = counts.get(what)
    return missed === undefined ? [] : [{ what, clauses: missed, shownBy }]
  })
}

/** Returns what the checks of the kit left undecided, by clause and kind of product. */
export const undecidedOf = (clauses: readonly ClauseRecord[]): Undecided =>
  sharesOf(clauses)
    .filter(isUndecided)
    .map(({ clause: { id, checks }, kind }) => ({ clause: id, kind, checks }))
