import { type Clause, type Need, whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { NEED_GROUPS, NO_CREDENTIAL } from '../../fixtures/clauses/needs.ts'
import type { Role } from '../../fixtures/deployments/definition/index.ts'
import { CONTROL_PARTS, type Control } from '../../fixtures/ground/control.ts'
import { KIND_NAMES, KINDS, v2ProductOf } from '../../fixtures/ground/products.ts'
import { type ClauseRecord, isExercised, type Profile, type RunRecord } from '../../fixtures/ground/record.ts'
import { clausesAndKinds, count, shorten } from '../render/plain.ts'
import { heartOf } from '../render/reasons.ts'
import { areasOf } from './areas.ts'
import { isUndecided, type Judgement, notSeenAgain } from './judge-check.ts'
import { type Share, sharesOf } from './kinds.ts'
import { CUT_SHORT } from './outcome.ts'
import type { Offering, RunInput } from './run-input.ts'

/** The facts that decide whether a run was complete. */
interface Seen {
  clauses: readonly ClauseRecord[]
  judgements: readonly Judgement[]
  measured: Measured | undefined
}

/**
 * Returns why a run covered less than its definition makes possible, one sentence each. A run of selected checks is
 * judged by its selection.
 */
export function whyIncomplete(input: RunInput, { clauses, judgements, measured }: Seen): string[] {
  const { only, halted, spent } = input
  const whole = only === undefined && halted === undefined && spent === undefined
  return [
    ...(halted === undefined ? [] : [`The run was not completed: ${halted}.`]),
    ...unseenAgain(input, clauses),
    ...(spent === undefined ? [] : [`${CUT_SHORT}: ${spent}.`]),
    ...(only === undefined ? unchecked(input) : []),
    ...(whole ? unsold(input, judgements) : []),
    ...(halted === undefined && spent === undefined && measured !== undefined ? unreached(measured) : []),
  ]
}

/** Returns findings from concurrent requests that did not appear again: they may or may not be mended. */
function unseenAgain({ again }: RunInput, clauses: readonly ClauseRecord[]): string[] {
  if (again === undefined) return []
  const why = notSeenAgain(again)
  return clauses.filter(({ reason }) => reason === why).map(({ id }) => `${id} was ${why}.`)
}

/** Returns claimed products of which most clauses have no check yet. */
function unchecked({ deployment, catalogue }: RunInput): string[] {
  if (deployment.productsAssumed) return []
  return deployment.products.flatMap(product => {
    const areas = areasOf(product)
    const own = Object.values(catalogue).filter(
      clause => areas.includes(clause.area) && whyUndecidable(clause) === undefined,
    )
    const open = own.filter(clause => clause.planned === true).length
    if (open === 0 || open * 2 < own.length) return []
    return [
      `The definition claims ${product}, and the kit has no checks yet for ${open} of the ${own.length} clauses about it.`,
    ]
  })
}

/** Returns v2 products of which nothing was checked or booked. */
function unsold({ deployment, collected }: RunInput, judgements: readonly Judgement[]): string[] {
  const sold = new Set(
    collected.checks.flatMap(({ report }) =>
      report?.sold && report.kind && report.product === undefined ? [v2ProductOf(report.kind)] : [],
    ),
  )
  const concerned = deployment.products.filter(product => product.startsWith('v2-'))
  if (judgements.length === 0) return []
  const missing = concerned.filter(product => !sold.has(product))
  if (!deployment.productsAssumed) {
    return missing.map(
      product => `The definition claims ${product}, but none of it was offered or booked in this run.`,
    )
  }
  if (missing.length === 0) return []
  const which = missing.join(', ')
  return [
    `Nothing of ${which} was offered or booked: say in products (TSS_PRODUCTS) what the deployment sells, and in shapes how it looks there.`,
  ]
}

/** The maximum number of reasons in a sentence, the most frequent first. */
const REASONS = 3

/** Returns what the profile asks for and was not exercised, if it is more than a market may refuse. */
export function unreached({ asked, profile }: Measured): string[] {
  const groups = [
    ['', asked] as const,
    ...KINDS.map(kind => [`of ${KIND_NAMES[kind]}`, asked.filter(share => share.kind === kind)] as const),
  ]
  return groups.flatMap(([about, shares]) => {
    // If all belong to one kind, they are not listed twice.
    if (shares === asked && groups.some(([, others]) => others !== shares && others.length === shares.length))
      return []
    const missed = shares.filter(share => !isExercised(share))
    const exercised = shares.length - missed.length
    if (exercised >= profile.least * shares.length) return []
    const reasons = [...Map.groupBy(missed, heartOf)]
      .sort(([, some], [, others]) => others.length - some.length)
      .slice(0, REASONS)
      .map(([reason, some]) => `${some.length} × ${shorten(reason, 200)}`)
    const what =
      shares === asked ? clausesAndKinds(shares.length) : `${count(shares.length, 'clause')} ${about}`
    return [
      `The profile ${profile.name} asks for ${what}, and ${exercised} of them were exercised, less than ${100 * profile.least} %: ${reasons.join('; ')}.`,
    ]
  })
}

/**
 * Returns the required clauses that were not observed, by group: because the definition lacks what they need, or
 * the deployment refused it for a kind of product.
 */
export function notLookedAt(
  { catalogue, deployment, selected }: Pick<RunInput, 'catalogue' | 'selected'> & { deployment: Offering },
  clauses: readonly ClauseRecord[],
): NonNullable<RunRecord['notLookedAt']> {
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

/** Returns the clauses that the kit's checks left undecided, with the kind of product. */
export const undecidedOf = (clauses: readonly ClauseRecord[]): NonNullable<RunRecord['undecided']> =>
  sharesOf(clauses)
    .filter(isUndecided)
    .map(({ clause: { id, checks }, kind }) => ({ clause: id, kind, checks }))

/**
 * The share of a profile that must be exercised, in total and for each kind of product. A conforming market that
 * refused every fourth offer and every fifth cancellation left 5 to 8 % unexercised; the rest is a margin.
 */
export const LEAST: Record<Profile | 'client', number> = {
  partner: 0.8,
  staging: 0.85,
  full: 0.85,
  client: 1,
}

/** Returns the needs of a clause that a definition does not fulfil. */
export function lacks(needs: readonly Need[], offering: Offering): Need[] {
  const { control = {}, credentials = {}, disposable, exhaustStandard, lacking } = offering
  if (lacking !== undefined) return needs.filter(need => lacking.includes(need))
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
    if (need === 'mode:live') return (!mints && credentials.live === undefined) || !disposable
    return need === 'time' && control.advanceClock === undefined
  })
}

/** Returns the needs of a catalogue that a definition does not fulfil. */
export const lackingOf = (offering: Offering, catalogue: Readonly<Record<string, Clause>>): Need[] =>
  lacks([...new Set(Object.values(catalogue).flatMap(({ needs = [] }) => needs))], offering)

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
interface Measured {
  profile: NonNullable<RunRecord['profile']>
  asked: Share[]
}

/** Returns whether a part of a clause was not exercised because the definition lacks a credential that shows it. */
const lacksCredential = ({ verdict, reason }: Share): boolean =>
  verdict === 'not exercised' && reason?.split('; ').some(one => one.startsWith(NO_CREDENTIAL)) === true

/** Returns how much of a profile was exercised; `undefined` without a profile. */
export function measureProfile(
  {
    profile: name,
    selected,
    catalogue,
    deployment,
  }: Pick<RunInput, 'profile' | 'selected' | 'catalogue'> & {
    deployment: Offering
  },
  clauses: readonly ClauseRecord[],
): Measured | undefined {
  if (name === undefined) return undefined
  // What the kit itself left undecided does not count, nor what only a credential shows that the definition lacks.
  const asked = sharesOf(clauses).filter(
    share =>
      (selected === undefined || selected.has(share.clause.id)) &&
      asksFor(name, catalogue[share.clause.id]!, deployment) &&
      !isUndecided(share) &&
      !(name !== 'full' && lacksCredential(share)),
  )
  const exercised = asked.filter(isExercised).length
  return { asked, profile: { name, least: LEAST[name], asked: asked.length, exercised } }
}
