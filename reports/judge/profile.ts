import { type Clause, type Need, whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { CONTROL_PARTS, type Control } from '../../fixtures/control.ts'
import type { Role } from '../../fixtures/deployments/definition.ts'
import { type ClauseRecord, isExercised, type Profile, type RunRecord } from '../../fixtures/record.ts'
import { isUndecided } from './judge-check.ts'
import { type Share, sharesOf } from './kinds.ts'
import type { Offering, RunInput } from './run-input.ts'

/**
 * The share of a profile that must be exercised, in total and for each kind of product. A conforming market that
 * refused every fourth offer and every fifth cancellation left 5 to 8 % unexercised; the rest is a margin.
 */
export const LEAST: Record<Profile, number> = { partner: 0.8, staging: 0.85, full: 0.85 }

/** Returns the needs of a clause that a definition does not fulfil. */
export function lacks(needs: readonly Need[], offering: Offering): Need[] {
  const { control = {}, credentials = {}, allowLiveBookings, disposable, exhaustStandard } = offering
  const mints = control.mint !== undefined
  return needs.filter(need => {
    if (need in CONTROL_PARTS) {
      const [part] = CONTROL_PARTS[need as keyof typeof CONTROL_PARTS] as readonly [keyof Control]
      // Stock that checks share cannot be restored.
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

/** Returns the profile that fits a definition. */
export function profileFor(offering: Offering, catalogue: Readonly<Record<string, Clause>>): Profile {
  const binding = Object.values(catalogue).filter(row => asksFor('full', row, offering))
  if (binding.every(({ needs = [] }) => lacks(needs, offering).length === 0)) return 'full'
  return binding.some(({ needs = [] }) => controlled(needs) && lacks(needs, offering).length === 0)
    ? 'staging'
    : 'partner'
}

/** How much of its profile a run exercised. */
export interface Measured {
  profile: NonNullable<RunRecord['profile']>
  asked: Share[]
}

/** Returns how much of a profile was exercised; `undefined` without a profile. */
export function measureProfile(
  { profile: name, selected, catalogue, deployment }: RunInput,
  clauses: readonly ClauseRecord[],
): Measured | undefined {
  if (name === undefined) return undefined
  // What the kit itself left undecided does not count.
  const asked = sharesOf(clauses).filter(
    share =>
      (selected === undefined || selected.has(share.clause.id)) &&
      asksFor(name, catalogue[share.clause.id]!, deployment) &&
      !isUndecided(share),
  )
  const exercised = asked.filter(isExercised).length
  return { asked, profile: { name, least: LEAST[name], asked: asked.length, exercised } }
}
