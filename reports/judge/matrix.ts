import type { Clause } from '../../fixtures/clauses/clause.ts'
import { KIND_NAMES, KINDS, type Kind } from '../../fixtures/ground/products.ts'
import type { Collected, CollectedCheck } from '../../fixtures/run/collected.ts'
import { soldIn, soldOut, UNDECIDED, whyUndecided, withDebts } from './judge-check.ts'

/** A deviant in `npm run prove`. */
export interface ProvenDeviant {
  id: string
  /** The clauses that it breaks. */
  breaks: readonly string[]
  because: string
  /** Why being caught for one kind of product is enough. */
  chance?: string
  /** How it was derived; absent if written by hand. */
  operator?: string | undefined
  /** The only kinds of product that show it; absent: all. */
  kinds?: readonly Kind[]
  /** Set if findings of any clause catch it: under a condition, a fault may break another promise. */
  anyClause?: true
  /** The sentence of the document that allows it after all. */
  allowedBy?: string | undefined
}

/** A benign variant in `npm run prove`. */
export interface HarmlessVariant {
  id: string
  /** Why the document allows it, in one sentence. */
  allows: string
  /** Recommendations that it ignores. */
  departs?: readonly string[]
}

/** False alarms: findings on a conforming deployment, and clauses left undecided without a reason. */
interface Alarms {
  checks: number
  findings: { clause: string; check: string; message: string }[]
  /** Clauses that a finished check cites and did not decide, without a reason. */
  undecided: { clause: string; check: string }[]
  /** Checks that could not run, and faults of the kit. */
  errors: string[]
}

/** The result of one benign variant. */
export interface BenignRow extends HarmlessVariant, Alarms {}

/** The result of one deviant. */
interface DeviantRow extends ProvenDeviant {
  caught: boolean
  /** Kinds of product whose checks found nothing, although others did. */
  missedFor: Kind[]
  /** Its own clauses that were found broken. */
  under: string[]
  /** Other clauses that were found broken; by passive rules only if exchanges were recorded. */
  also: string[]
  /** The number of checks that ran against it. */
  checks: number
  /** The first finding under one of its own clauses; for a missed one, why its checks ended early. */
  evidence?: string | undefined
}

/** The results of all deviants, benign variants, and the unmodified deployment. */
export interface Matrix {
  deviants: DeviantRow[]
  /** Derived deviants that the document allows after all. None may be caught. */
  allowed: DeviantRow[]
  /** The ids of the deviants that only checks beyond those that decide every clause found. */
  conditions?: string[]
  /** In a partner's run: deviants that are out of reach or did not occur, with the reason as evidence. */
  unseen: DeviantRow[]
  benign: BenignRow[]
  control: Alarms
  /** Binding clauses that were exercised but never found broken on a deviant, so that nothing proves their checks. */
  unproven: string[]
}

/** The facts about deviants, variants and clauses. */
export interface Known {
  deviants: readonly ProvenDeviant[]
  benign: readonly HarmlessVariant[]
  catalogue: Readonly<Record<string, Pick<Clause, 'level'>>>
  /** What passive clauses need to be judged; its absence is a reason for leaving them undecided. */
  needed: ReadonlyMap<string, string>
  /** Every deviant, whether it ran or not. */
  all: readonly Pick<ProvenDeviant, 'id' | 'breaks'>[]
  /**
   * The facts about a partner's run. Deviants that are out of reach or did not occur do not count, and one kind of
   * product is enough, since each gets its turn.
   */
  partner?: {
    /** Returns what clauses need that a partner does not have. */
    lacks(clauses: ProvenDeviant['breaks']): string | undefined
    /** Returns whether the answers that a deviant changes occurred. */
    cameUp(deviant: ProvenDeviant): boolean
  }
}

/** Combines the reports of checks on the unmodified deployment and on each variant. */
export function matrixOf(
  collected: Collected,
  { deviants, benign, catalogue, needed, all: every, partner }: Known,
): Matrix {
  const byVariant = new Map(
    [...Map.groupBy(collected.checks.filter(ran), ({ report }) => report?.variant)].map(
      ([variant, checks]) => [variant, withDebts(checks).checks.map(withBlocked)],
    ),
  )
  const untouched = byVariant.get(undefined) ?? []
  const exercised = new Set(untouched.flatMap(({ report }) => report?.exercised ?? []))
  const tellingApart = (some: readonly ProvenDeviant[]) =>
    some.map(deviant => rowOf(deviant, byVariant.get(deviant.id) ?? [], partner !== undefined))
  const isExercised = ({ breaks, kinds = KINDS }: ProvenDeviant) =>
    untouched.some(
      ({ kind, report }) =>
        (kind === undefined || kinds.includes(kind)) && report?.exercised.some(id => breaks.includes(id)),
    )
  const isAsked = (deviant: ProvenDeviant) =>
    partner === undefined || (partner.cameUp(deviant) && isExercised(deviant))
  const asked = new Set(deviants.filter(isAsked).map(({ id }) => id))
  const all = tellingApart(deviants.filter(({ allowedBy }) => allowedBy === undefined))
  const isUnseen = ({ id, caught }: DeviantRow) => !caught && !asked.has(id)
  const rows = all.filter(row => !isUnseen(row))
  const tried = new Set(rows.map(({ id }) => id))
  const found = new Set(rows.flatMap(({ under }) => under))
  const isUnproven = (id: string) =>
    !found.has(id) && every.every(one => !one.breaks.includes(id) || tried.has(one.id))
  const known = { needed, sold: soldIn(collected.checks) }
  const control = alarms(untouched, known)
  return {
    deviants: rows,
    allowed: tellingApart(deviants.filter(({ allowedBy }) => allowedBy !== undefined)),
    unseen: all
      .filter(isUnseen)
      .map(row => ({ ...row, evidence: partner?.lacks(row.breaks) ?? row.evidence })),
    benign: benign.map(({ id, allows, departs }) => ({
      id,
      allows,
      ...alarms(byVariant.get(id) ?? [], known, departs),
    })),
    control: {
      ...control,
      errors: [
        ...collected.moduleErrors.map(({ file, message }) => `${file}: ${message}`),
        ...collected.unhandledErrors,
        ...control.errors,
      ],
    },
    unproven: [...exercised].filter(id => catalogue[id]?.level === 'must' && isUnproven(id)).sort(),
  }
}

const alarms = (
  checks: readonly CollectedCheck[],
  { needed, sold }: { needed: Needed; sold: ReadonlySet<string> },
  departs: readonly string[] = [],
): Alarms => ({
  checks: checks.length,
  findings: checks.flatMap(({ id, report }) =>
    (report?.findings ?? [])
      .filter(({ clause }) => !departs.includes(clause))
      .map(({ clause, message }) => ({ clause, check: id, message })),
  ),
  undecided: checks.flatMap(check => undecidedBy(check, needed)),
  errors: checks.flatMap(check => troubles(check, sold)),
})

/** What passive clauses need to be judged. */
type Needed = Known['needed']

function undecidedBy({ id, errors, report }: CollectedCheck, needed: Needed): Alarms['undecided'] {
  if (report === undefined || report.stopped !== undefined || errors.length > 0) return []
  const decided = new Set([...report.exercised, ...report.findings.map(({ clause }) => clause)])
  return report.clauses
    .filter(clause => !decided.has(clause) && whyUndecided(clause, report, needed) === UNDECIDED)
    .map(clause => ({ clause, check: id }))
}

function rowOf(deviant: ProvenDeviant, checks: readonly CollectedCheck[], asPartner: boolean): DeviantRow {
  const findings = checks.flatMap(({ report }) => report?.findings ?? [])
  const own = findings.filter(({ clause }) => deviant.anyClause || deviant.breaks.includes(clause))
  const missedFor =
    own.length === 0 || deviant.chance !== undefined || asPartner ? [] : kindsWithoutFinding(deviant, checks)
  const found = [...new Set(findings.map(({ clause }) => clause))]
  const unreached = checks
    .filter(({ kind }) => asPartner || (kind !== undefined && missedFor.includes(kind)))
    .flatMap(({ report }) => report?.stopped?.reason ?? [])
  const early = [...checks.flatMap(check => troubles(check)), ...unreached]
  const message = own[0]?.message
  const evidence = missedFor.length > 0 ? (early[0] ?? message) : (message ?? early[0])
  return {
    id: deviant.id,
    breaks: deviant.breaks,
    because: deviant.because,
    caught: own.length > 0,
    missedFor,
    under: found.filter(clause => deviant.breaks.includes(clause)),
    also: found.filter(clause => !deviant.breaks.includes(clause)),
    checks: checks.length,
    operator: deviant.operator,
    allowedBy: deviant.allowedBy,
    evidence,
  }
}

/** Returns the kinds of product whose checks ran against a deviant without finding it. */
function kindsWithoutFinding({ breaks }: ProvenDeviant, checks: readonly CollectedCheck[]): Kind[] {
  const byKind = Map.groupBy(checks, ({ kind }) => kind)
  return KINDS.filter(kind => {
    const own = byKind.get(kind) ?? []
    return (
      own.length > 0 &&
      !own.some(({ report }) => report?.findings.some(({ clause }) => breaks.includes(clause)))
    )
  })
}

/** Returns a check with what control arranged in vain as findings, since it makes a run red as well. */
function withBlocked(check: CollectedCheck): CollectedCheck {
  const { id, report } = check
  if (report?.debts === undefined) return check
  const blocked = Object.entries(report.debts).flatMap(([clause, { verdict, reason: message }]) =>
    verdict === 'blocked' ? { clause, message, source: 'check' as const, check: id, exchanges: [] } : [],
  )
  return { ...check, report: { ...report, findings: [...report.findings, ...blocked] } }
}

/** Returns whether a check ran: those left out by `--only` do not count. */
const ran = ({ state, report }: CollectedCheck): boolean => state !== 'skipped' || report !== undefined

/** Returns why a check did not finish. */
function troubles({ id, errors, report }: CollectedCheck, sold?: ReadonlySet<string>): string[] {
  const stopped = report && (soldOut(report, sold && { sold }) ?? report.stopped)
  const reasons =
    stopped === undefined || stopped.verdict === 'not exercised' ? errors : [stopped.reason, ...errors]
  return reasons.map(reason => `${id}: ${reason}`)
}

/**
 * The share of deviants that a partner's checks must catch. They find nearly 96 in 100 (two seeds), since each run
 * draws other samples.
 */
export const LEAST_OF_PARTNER = 0.95

/**
 * Returns whether the matrix is as required: each deviant caught for every kind of product that shows it.
 *
 * @param least the share of the deviants that is enough
 */
export const isProven = ({ deviants, allowed, benign, control }: Matrix, least = 1): boolean =>
  deviants.filter(({ caught, missedFor }) => caught && missedFor.length === 0).length >=
    least * deviants.length &&
  allowed.every(({ caught }) => !caught) &&
  benign.every(isSilent) &&
  isSilent(control)

const isSilent = ({ findings, undecided, errors }: Alarms): boolean =>
  findings.length === 0 && undecided.length === 0 && errors.length === 0

/** Returns the clauses that checks left undecided without a reason, one line each. */
export const undecidedClauses = ({ control, benign }: Pick<Matrix, 'control' | 'benign'>): string[] =>
  [{ id: 'untouched', ...control }, ...benign].flatMap(({ id, undecided }) =>
    undecided.map(({ clause, check }) => `${id}: ${clause}: no assertion, and no reason (${check})`),
  )

/** Returns false alarms on benign variants, and errors, one line each. */
const benignAlarms = ({ benign }: Pick<Matrix, 'benign'>): string[] =>
  benign.flatMap(({ id, findings, errors }) => [
    ...findings.map(({ clause, check, message }) => `${id}: ${clause}: ${message} (${check})`),
    ...errors.map(error => `${id}: ${error}`),
  ])

/** Returns deviants that were caught for some kinds of product only, one line each. */
const caughtInPart = ({ deviants }: Pick<Matrix, 'deviants'>): string[] =>
  deviants
    .filter(({ missedFor }) => missedFor.length > 0)
    .map(({ id, missedFor }) => `${id}: not for ${missedFor.map(kind => KIND_NAMES[kind]).join(', ')}`)

/** Returns deviants that were caught although they are listed as allowed, one line each. */
const wronglyAllowed = ({ allowed }: Pick<Matrix, 'allowed'>): string[] =>
  allowed
    .filter(({ caught }) => caught)
    .map(
      ({ id, under, allowedBy }) =>
        `${id}: found under ${under.join(', ')}, though listed for "${allowedBy}"`,
    )

/** Returns the lists of a matrix besides its rows, by title. Users cannot mend the clauses left undecided. */
export const partsOf = (matrix: Matrix): [title: string, lines: readonly string[]][] => [
  ['Caught for some kinds of product alone', caughtInPart(matrix)],
  ['Caught only under conditions that a run need not have', matrix.conditions ?? []],
  ['Caught, though listed as allowed', wronglyAllowed(matrix)],
  [
    'False alarms on the untouched deployment',
    matrix.control.findings.map(({ clause, check, message }) => `${clause}: ${message} (${check})`),
  ],
  ['Could not run on the untouched deployment', matrix.control.errors],
  ['False alarms on variants that break nothing', benignAlarms(matrix)],
  ['Checks that left a clause open without a reason', undecidedClauses(matrix)],
  ['Binding clauses without a deviant', matrix.unproven],
  ["Deviants of what a partner's run does not look at", unseenByReason(matrix)],
]

/** Returns the numbers of deviants that did not occur, by reason. */
const unseenByReason = ({ unseen }: Pick<Matrix, 'unseen'>): string[] =>
  [...Map.groupBy(unseen, ({ evidence }) => evidence ?? 'needs what did not come up')]
    .map(([reason, rows]) => `${rows.length}: ${reason}`)
    .sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10))

/** Returns the counts in one sentence. */
export function sentence({ deviants, unseen, benign, control, unproven }: Matrix): string {
  const caught = deviants.filter(row => row.caught).length
  const inPart = deviants.filter(({ missedFor }) => missedFor.length > 0).length
  const partly = inPart === 0 ? '' : `, ${inPart} of them for some kinds of product alone`
  const besides = unseen.length === 0 ? '' : `, ${unseen.length} more of what nobody could look at`
  const alarming = benign.filter(row => !isSilent(row)).length
  return `${caught} of ${deviants.length} deviants caught under their own clause${partly}, ${deviants.length - caught} missed${besides}; ${benign.length} variants that break nothing with ${alarming} false alarms; ${control.checks} checks on the untouched deployment with ${control.findings.length} findings; ${unproven.length} binding clauses exercised without a deviant.`
}
