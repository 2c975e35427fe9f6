import type { CheckRecord } from '../../fixtures/ground/record.ts'

/**
 * Pairs the checks of an earlier run with those of a later one. Checks have the same id, or, if only one of the runs has that
 * id, the same file, kind of product and clauses: then only the title changed.
 *
 * @returns the later check by the id of the earlier one; a check without counterpart has no entry
 */
export function laterChecks(
  then: readonly CheckRecord[],
  now: readonly CheckRecord[],
): ReadonlyMap<string, CheckRecord> {
  const before = new Set(then.map(({ id }) => id))
  const after = new Map(now.map(check => [check.id, check]))
  const renamed = Map.groupBy(
    now.filter(({ id }) => !before.has(id)),
    withoutTitle,
  )
  const pairs = then.flatMap(check => {
    const later = after.get(check.id) ?? renamed.get(withoutTitle(check))?.shift()
    return later === undefined ? [] : [[check.id, later] as const]
  })
  return new Map(pairs)
}

/** Returns everything that identifies a check except its title. */
const withoutTitle = ({ id, clauses }: CheckRecord): string =>
  JSON.stringify([id.split(' > ')[0], kindIn(id), [...clauses].sort()])

/** Returns the kind of product at the end of a check's id; an empty text if it names none. */
const kindIn = (id: string): string => / \(([^()]*)\)$/.exec(id)?.[1] ?? ''
