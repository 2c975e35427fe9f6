import { NEED_GROUPS } from '../../fixtures/clauses/needs.ts'
import type { ClauseRecord, RunRecord } from '../../fixtures/record.ts'
import { isUndecided } from './judge-check.ts'
import { sharesOf } from './kinds.ts'
import { lacks } from './profile.ts'
import type { RunInput } from './run-input.ts'

type NotLookedAt = NonNullable<RunRecord['notLookedAt']>
type Undecided = NonNullable<RunRecord['undecided']>

/**
 * Returns the required clauses that nothing was seen of, by group: because the definition lacks what they need, or because
 * the deployment refused it, for a kind of product at least. No verdict vouches for them.
 */
export function notLookedAt(
  { catalogue, deployment, selected }: Pick<RunInput, 'catalogue' | 'deployment' | 'selected'>,
  clauses: readonly ClauseRecord[],
): NotLookedAt {
  const counts = new Map<string, number>()
  for (const clause of clauses) {
    const { id, level, verdict } = clause
    if (level !== 'must' || selected?.has(id) === false) continue
    const lacking = verdict === 'not exercised' ? lacks(catalogue[id]!.needs ?? [], deployment) : []
    const unseen = sharesOf([clause]).filter(share => share.verdict === 'not exercised')
    const group = NEED_GROUPS.find(
      ({ needs, reason }) =>
        needs.some(need => lacking.includes(need)) ||
        (reason !== undefined && unseen.some(share => share.reason?.includes(reason))),
    )
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
