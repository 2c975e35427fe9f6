import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { PROFILES, type RunRecord } from '../../fixtures/ground/record.ts'
import { derivedFrom } from '../judge/assemble.ts'
import { measureProfile, unreached } from '../judge/profile.ts'

/**
 * Returns why a record of this version of the kit is not what the kit makes of its clauses, in a sentence, or `undefined`.
 * Nothing that follows from the clauses is believed: verdict, numbers, profile and share are computed again.
 */
export function whyNotComputed(record: RunRecord): string | undefined {
  const catalogue: Readonly<Record<string, Clause>> = CLAUSES
  const { clauses, lacking, profile } = record
  const ids = clauses.map(({ id }) => id)
  const missing = Object.keys(catalogue).find((id, at) => ids[at] !== id)
  if (missing !== undefined || ids.length > Object.keys(catalogue).length)
    return `its clauses are not those of this version of the kit${missing === undefined ? '' : `: ${missing} is not in its place`}`
  for (const { id, level, side } of clauses) {
    const own = catalogue[id]!
    if (level !== own.level || side !== own.side)
      return `${id} is not a clause of level ${level} that binds the ${side}`
  }
  if (lacking === undefined) return 'it does not say what its definition lacks: run again with this version'
  const name = PROFILES.find(one => one === profile?.name)
  const measured =
    name &&
    measureProfile({ profile: name, selected: undefined, catalogue, deployment: { lacking } }, clauses)
  const derived = derivedFrom(
    { ...record, deployment: { lacking }, selected: undefined, measured },
    catalogue,
  )
  const differs = differenceOf(derived, record, false)
  if (differs !== undefined)
    return `it says ${differs.told} under ${differs.path}, and its clauses come to ${differs.said}`
  return measured && unreached(measured)[0]?.replace(/\.$/, '')
}

/** Returns the first field in which two JSON values differ. `whole`: fields that only the second has count too. */
export function differenceOf(
  one: unknown,
  other: unknown,
  whole: boolean,
  path = '',
): { path: string; said: string; told: string } | undefined {
  if (isAny(one) && isAny(other) && Array.isArray(one) === Array.isArray(other)) {
    const names = new Set([...Object.keys(one), ...(whole || Array.isArray(one) ? Object.keys(other) : [])])
    for (const name of names) {
      const found = differenceOf(one[name], other[name], whole, path === '' ? name : `${path}.${name}`)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (Object.is(one, other)) return undefined
  return { path, said: JSON.stringify(one) ?? 'nothing', told: JSON.stringify(other) ?? 'nothing' }
}

const isAny = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
