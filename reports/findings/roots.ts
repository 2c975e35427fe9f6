import type { Comparison } from '../../fixtures/ground/comparison.ts'
import {
  type ClauseRecord,
  type Finding,
  type RunRecord,
  SEVERITIES,
  type Severity,
} from '../../fixtures/ground/record.ts'
import { present } from '../render/plain.ts'

/** A clause, and its findings in a record if any. */
type Row = Pick<ClauseRecord, 'id'> & Partial<Pick<ClauseRecord, 'findings'>>

/** The severity by the beginning of an id. The first matching row counts. */
const BY_ID: readonly (readonly [beginning: RegExp, severity: Severity])[] = [
  // Tenancy and money: another company's booking, a live booking instead of a test, two bookings instead of one.
  [/^(TENANCY|AUTH|TEST-MODE)-/, 'money and tenancy'],
  [/^V[12]-IDEM-(.*-)?(RACE|ONE|COMPANY|ACCOUNT)(-|$)/, 'money and tenancy'],
  [/(^|-)(TOTAL|PRICE|AMOUNT|CURRENCY)(-|$)/, 'money and tenancy'],
  [/^(V[12]-IDEM|VERSION-IDEM)-/, 'idempotency'],
  [/^V2-(BOOK|BOOKING|CANCEL|PENDING|FAILED|VOUCHER|OFFER|PROVIDER|AVAIL)-/, 'states'],
  [/^(CACHE|GZIP|FORMAT|TIMEOUT)-/, 'formats'],
  [/^(LIMIT|METHOD|VERSION|V[12]-ERR|V2-VALIDATION|V2-REQUEST|V2-JSON|CLIENT)-/, 'answers'],
]

/** Returns the severity of a broken clause: from the record, or else from the table. */
export const severityOf = ({ id, findings }: Row): Severity => findings?.[0]?.severity ?? severityByTable(id)

/** Returns the severity of a clause in the table. */
export function severityByTable(id: string): Severity {
  return BY_ID.find(([beginning]) => beginning.test(id))?.[1] ?? 'states'
}

/** Compares clauses by severity, requirements before recommendations. Equal ones keep their order. */
export function byHarm(a: Row & Pick<ClauseRecord, 'level'>, b: Row & Pick<ClauseRecord, 'level'>): number {
  const rank = (row: Row & Pick<ClauseRecord, 'level'>): number =>
    (row.level === 'must' ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severityOf(row))
  return rank(a) - rank(b)
}

/** Findings of one clause that say the same about several answers. */
export interface Repeated {
  clause: ClauseRecord
  /** The first of them, in full. */
  finding: Finding
  /** Its index among the findings of its clause. */
  at: number
  /** The others. */
  more: Finding[]
}

/** Clauses that were broken by the same exchange or in the same way. */
export interface Cause {
  /** Worst first; never empty. */
  broken: [Repeated, ...Repeated[]]
}

/**
 * Returns a finding's message without ids of exchanges, quoted values and numbers. Findings of one clause with the
 * same result differ only in the answer that shows them.
 */
export function essenceOf({ message, source }: Pick<Finding, 'message' | 'source'>): string {
  return `${source}: ${bare(message)}`
}

/** Returns a text without ids of exchanges, quoted values and numbers. */
const bare = (text: string): string =>
  text
    .replaceAll(/ ?\(exchanges? [^)]*\)/g, '')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\b[\w-]*\d[\w-]*(?:\.\d+)*\b/g, '0')

/** Groups the findings of a clause that say the same. */
export function repeated(clause: ClauseRecord): Repeated[] {
  const places = [...clause.findings.keys()]
  const alike = Map.groupBy(places, at => essenceOf(clause.findings[at]!))
  return Array.from(alike.values(), ([at, ...others]) => ({
    clause,
    finding: clause.findings[at!]!,
    at: at!,
    more: others.map(other => clause.findings[other]!),
  }))
}

/**
 * Groups the findings of a run by cause, worst first. Equal messages about several answers are one cause, and so
 * are findings of several clauses about one exchange of a check.
 */
export function causesOf({ clauses }: Pick<RunRecord, 'clauses'>): Cause[] {
  const rows = clauses.filter(({ findings }) => findings.length > 0).toSorted(byHarm)
  const causes: Cause[] = []
  const byPlace = new Map<string, Cause[]>()
  for (const one of rows.flatMap(repeated)) {
    const there = byPlace.get(placeOf(one)) ?? []
    // Two findings of one clause about one exchange are two faults.
    const known = there.find(({ broken }) => broken.every(({ clause }) => clause !== one.clause))
    if (known !== undefined) {
      known.broken.push(one)
      continue
    }
    const cause: Cause = { broken: [one] }
    causes.push(cause)
    byPlace.set(placeOf(one), [...there, cause])
  }
  return causes
}

/** Recommendations and requirements are never grouped, since only a requirement makes a run red. */
function placeOf({ clause, finding, at }: Repeated): string {
  const shown = finding.exchanges.at(-1)
  return shown === undefined
    ? `${clause.id}#${at}`
    : `${clause.level} ${finding.source} ${shown} ${finding.check}`
}

/** A cause, and others that probably follow from it. */
export interface Root {
  cause: Cause
  knockOns: { cause: Cause; reason: string }[]
}

/** Fields that later requests need. A client that cannot use them cannot continue. */
const NEEDED = /(^|[._])(id|id_orden|id_order|\w+_id|offer_id|ratekey|rate_key|rateKey|status)$/
/** Matches a refusal in the text of matchers: status and error. */
const REFUSAL = /^([45]\d\d) (?!with)(.+)$/

/**
 * Groups the causes of a run by their probable root, required ones first, worst first (see "Harm and causes" in the README):
 *
 * - causes with a symptom in common have one root: see `symptomsOf`;
 * - a finding follows from another if an earlier step of its check broke a clause about a field that later steps need, the same clause,
 * or was taken although it had to be refused; so does what is wrong in the answer that had to be a refusal.
 */
export function rootsOf(record: Pick<RunRecord, 'clauses'>): Root[] {
  const groups: Set<Cause>[] = []
  const symptoms = new Map(causesOf(record).map(cause => [cause, symptomsOf(cause)]))
  const alike = Map.groupBy(
    [...symptoms].flatMap(([cause, own]) => own.map(symptom => ({ cause, symptom }))),
    ({ symptom }) => symptom,
  )
  const placed = new Map<Cause, Set<Cause>>()
  for (const cause of symptoms.keys()) {
    if (placed.has(cause)) continue
    const group = new Set([cause])
    // A set grows while it is read: what is alike to something alike belongs to it, too.
    for (const one of group)
      for (const symptom of symptoms.get(one)!)
        for (const other of alike.get(symptom)!) group.add(other.cause)
    for (const one of group) placed.set(one, group)
    groups.push(group)
  }
  const placeOfCause = new Map<Cause, Root>()
  const roots = groups.map(group => {
    // The finding with the fewest steps is the least likely to have another cause.
    const [nearest, ...others] = [...group].toSorted(
      (a, b) => levelOf(a) - levelOf(b) || stepsOf(a) - stepsOf(b),
    )
    const knockOns = others.map(cause => ({ cause, reason: reasonOf(cause, nearest!, group, symptoms) }))
    const root: Root = { cause: nearest!, knockOns }
    for (const one of group) placeOfCause.set(one, root)
    return root
  })
  return folded(roots, placeOfCause).toSorted((a, b) => levelOf(a.cause) - levelOf(b.cause))
}

/** Returns what a cause has in common with the root of its group, or else with another one of the group. */
function reasonOf(
  cause: Cause,
  root: Cause,
  group: ReadonlySet<Cause>,
  symptoms: ReadonlyMap<Cause, readonly string[]>,
): string {
  const shared = (other: Cause) =>
    symptoms.get(cause)!.find(symptom => symptoms.get(other)!.includes(symptom))
  const other = [root, ...group].find(one => one !== cause && shared(one) !== undefined)!
  return `${inWords(shared(other)!)}, as in ${other.broken[0].clause.id}`
}

/** Returns a symptom as text: that of a family of clauses has placeholders for numbers. */
const inWords = (symptom: string): string =>
  symptom.replace(/^(\S+): expected .*$/s, 'the same is observed of $1 clauses')

/**
 * Moves a root under that of a finding which most of its answers come from: one that an earlier step of its check broke, or whose
 * answer had to be a refusal, so that nothing in it can be right.
 */
function folded(roots: readonly Root[], placeOfCause: ReadonlyMap<Cause, Root>): Root[] {
  const brokenAt = new Map<string, { cause: Cause; row: Repeated }[]>()
  for (const cause of placeOfCause.keys())
    for (const row of cause.broken)
      for (const { check, exchanges } of answersOf(row)) {
        const place = `${check} ${exchanges.at(-1)}`
        brokenAt.set(place, [...(brokenAt.get(place) ?? []), { cause, row }])
      }
  const under = new Map<Root, Root>()
  for (const root of roots) {
    const [own] = root.cause.broken
    const comesFrom = ({ check, exchanges }: Finding) =>
      exchanges
        .flatMap((id, at) => (brokenAt.get(`${check} ${id}`) ?? []).map(one => ({ ...one, id, at })))
        .find(({ cause, row, at }) => {
          if (placeOfCause.get(cause) === root) return false
          const isEarlier = at < exchanges.length - 1
          return isEarlier
            ? hadToRefuse(row) || breaksLaterSteps(row) || row.clause === own.clause
            : hadToRefuse(row) && !hadToRefuse(own)
        })
    const answers = answersOf(own)
    const [first, ...others] = answers.flatMap(finding => comesFrom(finding) ?? [])
    if (first === undefined || 2 * (others.length + 1) < answers.length) continue
    let above = placeOfCause.get(first.cause)!
    for (let up = under.get(above); up !== undefined; up = under.get(above)) above = up
    if (above === root) continue
    under.set(root, above)
    const { id, row } = first
    const which = hadToRefuse(row) ? 'had to be refused' : 'its check went on from'
    const reason = `exchange ${id}, which ${which}, breaks ${row.clause.id}`
    above.knockOns.push({ cause: root.cause, reason }, ...root.knockOns)
  }
  return roots.filter(root => !under.has(root))
}

/** Returns the findings that say the same, each about an answer. */
const answersOf = ({ finding, more }: Repeated): Finding[] => [finding, ...more]

/** Returns whether a request was taken that had to be refused. */
const hadToRefuse = ({ finding: { compare, observed = '' } }: Repeated): boolean =>
  compare?.of === 'error' && /^(?:status )?2\d\d/.test(observed)

/** A recommendation is never the root of a requirement, since only the latter makes a run red. */
const levelOf = ({ broken: [{ clause }] }: Cause): number => (clause.level === 'must' ? 0 : 1)
const stepsOf = ({ broken: [{ finding }] }: Cause): number => finding.exchanges.length

/**
 * Returns what a cause may have in common with others of its root, in words, the surest first: the same header, whichever
 * endpoints lack it; the same refusal, field, flag or second booking of an operation; the same clause of an operation; the
 * same observation about clauses of one family, whichever endpoints show it; and the same success about them.
 */
function symptomsOf({ broken: [{ clause, finding }] }: Cause): string[] {
  const { operation, compare, expected, observed = '' } = finding
  // A header is usually set in one place for many operations.
  if (compare?.of === 'header') return [`the same header, ${compare.at}`]
  if (operation === undefined) return []
  const family = /^(?:V[12]-)?[A-Z]+/.exec(clause.id)?.[0] ?? clause.id
  // Of a status, the words beside it differ between endpoints and versions.
  const told = expected?.startsWith('status ')
    ? [expected, observed.split(' ')[0]]
    : [bare(expected ?? ''), bare(observed)]
  const [, status, error] = REFUSAL.exec(observed) ?? []
  const field = compare?.of === 'flag' || isOfField(compare) ? nameIn(compare.at) : undefined
  return present([
    status && `${operation} answers ${status} ${error}`,
    field && `${operation} shows the same field, ${field}`,
    compare?.of === 'bookings' ? `${operation} makes a second booking` : undefined,
    expected && `${family}: expected ${told[0]}, got ${told[1]}`,
    /^2\d\d$/.test(observed) ? `${operation} answers ${observed} against ${family}` : undefined,
    `${operation} breaks ${clause.id}`,
  ])
}

/** Returns the last name of a path, without indexes. */
const nameIn = (path = ''): string | undefined => /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1]

const breaksLaterSteps = ({ finding: { compare } }: Repeated): boolean =>
  isOfField(compare) && NEEDED.test(compare.at ?? '')

const isOfField = (compare: Finding['compare']): compare is Comparison =>
  ['json', 'booking', 'place'].includes(compare?.of ?? '')
