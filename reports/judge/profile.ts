import { type Clause, type Need, whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { NEED_GROUPS, NO_CREDENTIAL } from '../../fixtures/clauses/needs.ts'
import type { Role } from '../../fixtures/deployments/definition/index.ts'
import { CONTROL_PARTS, type Control } from '../../fixtures/ground/control.ts'
import { kindsAt } from '../../fixtures/ground/endpoints.ts'
import {
  isV1Product,
  KIND_NAMES,
  KINDS,
  type Kind,
  kindOf,
  v2ProductOf,
} from '../../fixtures/ground/products.ts'
import {
  type CheckRecord,
  type ClauseRecord,
  isExercised,
  type Profile,
  type RunRecord,
  type StateDiagram,
} from '../../fixtures/ground/record.ts'
import { type DiagramTransition, STATE_MODELS } from '../../fixtures/models/diagrams.ts'
import { clausesAndKinds, count, heartOf, shorten } from '../render/plain.ts'
import { areasOf } from './areas.ts'
import { isUndecided, type Judgement, notSeenAgain, type Opinion, summed } from './judge-check.ts'
import { CUT_SHORT } from './outcome.ts'
import type { Offering, RunInput } from './run-input.ts'

type Coverage = RunRecord['coverage']

/** Returns what a check says of a clause for a kind of product: a finding in calls of another kind breaks nothing for it. */
function opinionFor(kind: Kind, { check }: Judgement, opinion: Opinion): Opinion {
  const caller = check.kind ?? check.report?.kind
  const isOther = ({ operation }: Opinion['findings'][number]) =>
    operation !== undefined && !kindsAt(operation, caller).includes(kind)
  return opinion.verdict === 'violates' && opinion.findings.every(isOther)
    ? { verdict: 'conforms', findings: [] }
    : opinion
}

/**
 * Returns the verdict of each clause for each kind of product. A clause applies to the kinds on sale that any check which
 * cites it is registered for, chosen or not; it is exercised by calls about them, whichever check sent these. A clause
 * about one v1 product applies to that only.
 */
export function kindsOf(
  judgements: readonly Judgement[],
  {
    catalogue,
    collected,
    registered = collected.checks,
    deployment: { products },
  }: Pick<RunInput, 'catalogue' | 'collected' | 'registered' | 'deployment'>,
  whyUnseen: (clause: string) => string,
): Map<string, NonNullable<ClauseRecord['kinds']>[number][]> {
  const opinions = new Map<string, Map<Kind, Opinion[]>>()
  for (const [clause, { area }] of Object.entries(catalogue))
    if (isV1Product(area) && products.includes(area)) opinions.set(clause, new Map([[kindOf(area), []]]))
  const aboutOne = (clause: string): Kind | undefined => {
    const { area = '' } = catalogue[clause] ?? {}
    return isV1Product(area) ? kindOf(area) : undefined
  }
  for (const { tags, kind, product } of registered) {
    if (kind === undefined || !products.includes(product ?? v2ProductOf(kind))) continue
    for (const clause of tags) {
      const perKind = opinions.get(clause) ?? new Map<Kind, Opinion[]>()
      opinions.set(clause, perKind.set(aboutOne(clause) ?? kind, []))
    }
  }
  for (const judgement of judgements) {
    const { check, cited, opinions: own } = judgement
    const kind = check.kind ?? check.report?.kind
    for (const [clause, opinion] of own) {
      const isSeen = isExercised(opinion)
      const one = aboutOne(clause) ?? kind
      const about = (isSeen && check.report?.kinds?.[clause]) || (one === undefined ? [] : [one])
      if (!isSeen && (check.kind === undefined || !cited.includes(clause))) continue
      for (const kind of about)
        opinions
          .get(clause)
          ?.get(kind)
          ?.push(about.length > 1 ? opinionFor(kind, judgement, opinion) : opinion)
    }
  }
  return new Map(
    [...opinions].map(([clause, perKind]) => [
      clause,
      KINDS.flatMap(kind => {
        const seen = perKind.get(kind)
        if (seen === undefined) return []
        if (seen.length === 0) return [{ kind, verdict: 'not exercised', reason: whyUnseen(clause) }]
        const { verdict, reason } = summed(seen)
        return verdict === 'not applicable' ? [] : [{ kind, verdict, reason }]
      }),
    ]),
  )
}

/** A clause, or its part for one kind of product. */
interface Share {
  clause: ClauseRecord
  kind?: Kind
  verdict: ClauseRecord['verdict']
  reason?: string | undefined
}

/** Returns every applicable clause, once for each of its kinds of product. */
export const sharesOf = (clauses: readonly ClauseRecord[]): Share[] =>
  clauses
    .filter(({ verdict }) => verdict !== 'not applicable')
    .flatMap((clause): Share[] =>
      clause.kinds === undefined
        ? [{ clause, verdict: clause.verdict, reason: clause.reason }]
        : clause.kinds.map(row => ({ clause, ...row })),
    )

/** Counts clauses, or their parts for each kind of product. */
export const countsOf = (rows: readonly Pick<Share, 'verdict'>[]) => ({
  applicable: rows.filter(({ verdict }) => verdict !== 'not applicable').length,
  exercised: rows.filter(isExercised).length,
  conforming: rows.filter(({ verdict }) => verdict === 'conforms').length,
})

/** Counts clauses for each kind of product. */
export function coverageOf(clauses: readonly ClauseRecord[]): Required<Pick<Coverage, 'perKind' | 'kinds'>> {
  const shares = sharesOf(clauses)
  const kinds = KINDS.flatMap(kind => {
    const own = shares.filter(share => share.kind === kind)
    return own.length === 0 ? [] : [{ kind, ...countsOf(own) }]
  })
  return { perKind: countsOf(shares), kinds }
}

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

/** Returns the state machines of part 3 with what a run observed of them, for products on sale. */
export function statesOf(
  clauses: readonly ClauseRecord[],
  checks: readonly Pick<CheckRecord, 'transitions'>[],
): StateDiagram[] {
  const rows = new Map(clauses.map(row => [row.id, row]))
  const walked = new Set(checks.flatMap(({ transitions }) => transitions?.visited ?? []))
  return STATE_MODELS.flatMap(({ part, title, transitions }) => {
    const offered = transitions.filter(({ clauses: ids }) =>
      ids.some(id => (rows.get(id)?.verdict ?? 'not applicable') !== 'not applicable'),
    )
    if (offered.length === 0) return []
    return [{ part, title, transitions: offered.map(one => seen(one, rows, walked)) }]
  })
}

function seen(
  { from, to, on, clauses, walked = [] }: DiagramTransition,
  rows: ReadonlyMap<string, ClauseRecord>,
  visited: ReadonlySet<string>,
): StateDiagram['transitions'][number] {
  const verdicts = clauses.map(id => rows.get(id)?.verdict)
  const came = verdicts.includes('conforms') || walked.some(name => visited.has(name))
  return {
    from,
    to,
    on,
    clauses: clauses.filter(id => rows.has(id)),
    seen: verdicts.includes('violates') ? 'broken' : came ? 'visited' : 'not visited',
  }
}

/** Returns how much of the state machines a run observed; `undefined` for records without them. */
export function statesLine(states: readonly StateDiagram[] = []): string | undefined {
  const all = states.flatMap(({ transitions }) => transitions)
  if (all.length === 0) return undefined
  return `${all.filter(one => one.seen !== 'not visited').length} of ${all.length} transitions of part 3 visited`
}
