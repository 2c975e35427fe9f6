import { type Clause, type Need, whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { CONTROL_PARTS, type Control } from '../../fixtures/control.ts'
import type { Role } from '../../fixtures/deployments/definition.ts'
import { type ClauseRecord, isExercised, type Profile, type RunRecord } from '../../fixtures/record.ts'
import { isUndecided } from './judge-check.ts'
import { type Share, sharesOf } from './kinds.ts'
import type { Offering, RunInput } from './run-input.ts'

/**
 * Share of what a profile asks for that has to be exercised, in all and for each kind of product. A conforming market
 * that refuses every fourth offer and every fifth cancellation left 5 to 8 % unexercised; the rest is for bad luck.
 */
export const LEAST: Record<Profile, number> = { partner: 0.8, staging: 0.85, full: 0.85 }

/** Returns what a definition does not offer of what a clause needs. */
export function lacks(needs: readonly Need[], offering: Offering): Need[] {
  const { control = {}, credentials = {}, allowLiveBookings, disposable, exhaustStandard } = offering
  const mints = control.mint !== undefined
  return needs.filter(need => {
    if (need in CONTROL_PARTS) {
      const [part] = CONTROL_PARTS[need as keyof typeof CONTROL_PARTS] as readonly [keyof Control]
      // Stock that checks have in common cannot be put back.
      return control[part] === undefined || (part === 'setStock' && !mints)
    }
    if (need.startsWith('role:')) {
      const role = need.slice('role:'.length) as Role
      return !mints && credentials[role] === undefined && !(role === 'expendable' && exhaustStandard === true)
    }
    if (need === 'mode:live')
      return (!mints && credentials.live === undefined) || !(allowLiveBookings || disposable)
    return need === 'time' && control.advanceClock === undefined
  })
}

const controlled = (needs: readonly Need[]): boolean => needs.some(need => need.startsWith('control:'))

/** Returns whether a profile asks for a clause of a deployment. */
export function asksFor(
  profile: Profile,
  clause: Pick<Clause, 'level' | 'planned' | 'unobservable' | 'unpromised' | 'needs'>,
  offering: Offering,
): boolean {
  const { level, planned, needs = [] } = clause
  if (level !== 'must' || planned === true || whyUndecidable(clause) !== undefined) return false
  if (profile === 'full') return true
  if (profile === 'partner' && controlled(needs)) return false
  return lacks(needs, offering).length === 0
}

/** Returns the profile that fits what a definition offers. */
export function profileFor(offering: Offering, catalogue: Readonly<Record<string, Clause>>): Profile {
  const binding = Object.values(catalogue).filter(row => asksFor('full', row, offering))
  if (binding.every(({ needs = [] }) => lacks(needs, offering).length === 0)) return 'full'
  return binding.some(({ needs = [] }) => controlled(needs) && lacks(needs, offering).length === 0)
    ? 'staging'
    : 'partner'
}

/** How far a run went in what its profile asks for. */
export interface Measured {
  profile: NonNullable<RunRecord['profile']>
  asked: Share[]
}

/** Returns what of a profile was exercised; `undefined` where none was to be judged by. */
export function measureProfile(
  { profile: name, selected, catalogue, deployment }: RunInput,
  clauses: readonly ClauseRecord[],
): Measured | undefined {
  if (name === undefined) return undefined
  // What the kit itself left undecided is asked of nobody.
  const asked = sharesOf(clauses).filter(
    share =>
      (selected === undefined || selected.has(share.clause.id)) &&
      asksFor(name, catalogue[share.clause.id]!, deployment) &&
      !isUndecided(share),
  )
  const exercised = asked.filter(isExercised).length
  return { asked, profile: { name, least: LEAST[name], asked: asked.length, exercised } }
}
