import type { Comparison } from '../../fixtures/comparison.ts'
import type { ClauseRecord, Finding, RunRecord } from '../../fixtures/record.ts'
import { byHarm } from './severity.ts'

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
  const said = message
    .replaceAll(/ ?\(exchanges? [^)]*\)/g, '')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\b[\w-]*\d[\w-]*\b/g, '0')
  return `${source}: ${said}`
}

/** Groups the findings of a clause that say the same. */
export function repeated(clause: ClauseRecord): Repeated[] {
  const places = [...clause.findings.keys()]
  const alike = Map.groupBy(places, at => essenceOf(clause.findings[at]!))
  return Array.from(alike.values(), ([at, ...others]) => ({
    ...{ clause, finding: clause.findings[at!]!, at: at! },
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
 * Groups the causes of a run by their probable root, in the order of causes (see "Harm and causes" in the README):
 *
 * - causes about the same field of an operation, the same refusal by it, or the same header have one root;
 * - a finding follows from another if an earlier step of its check broke a clause about a field that later steps
 * need;
 * - a finding from concurrent requests comes after certain findings about the same operation.
 */
export function rootsOf(record: Pick<RunRecord, 'clauses'>): Root[] {
  const causes = causesOf(record)
  const roots: Root[] = []
  const placeOfCause = new Map<Cause, Root>()
  const alike = Map.groupBy(causes, symptomOf)
  for (const cause of causes) {
    if (placeOfCause.has(cause)) continue
    const symptom = symptomOf(cause)
    const same = symptom === undefined ? [cause] : alike.get(symptom)!
    // The finding with the fewest steps is the least likely to have another cause.
    const nearest = same.toSorted((a, b) => levelOf(a) - levelOf(b) || stepsOf(a) - stepsOf(b))[0]!
    const root: Root = { cause: nearest, knockOns: [] }
    for (const one of same) {
      placeOfCause.set(one, root)
      if (one !== nearest) root.knockOns.push({ cause: one, reason: `${symptom}, as there` })
    }
    roots.push(root)
  }
  return folded(roots, placeOfCause)
}

/** Moves a root under the root of an earlier broken step in its check. */
function folded(roots: readonly Root[], placeOfCause: ReadonlyMap<Cause, Root>): Root[] {
  const brokenAt = new Map<string, Cause>()
  for (const cause of placeOfCause.keys()) {
    const { finding } = cause.broken[0]
    const last = finding.exchanges.at(-1)
    if (last !== undefined && breaksLaterSteps(cause)) brokenAt.set(`${finding.check} ${last}`, cause)
  }
  const under = new Map<Root, Root>()
  for (const root of roots) {
    const { finding } = root.cause.broken[0]
    const earlier = finding.exchanges
      .slice(0, -1)
      .map(id => ({ id, cause: brokenAt.get(`${finding.check} ${id}`) }))
      .find(({ cause }) => cause !== undefined && placeOfCause.get(cause) !== root)
    if (earlier?.cause === undefined) continue
    let above = placeOfCause.get(earlier.cause)!
    for (let up = under.get(above); up !== undefined; up = under.get(above)) above = up
    if (above === root) continue
    under.set(root, above)
    const [{ clause }] = earlier.cause.broken
    const reason = `exchange ${earlier.id}, which its check went on from, breaks ${clause.id}`
    above.knockOns.push({ cause: root.cause, reason }, ...root.knockOns)
  }
  return certainFirst(roots.filter(root => !under.has(root)))
}

/** Moves findings from concurrent requests behind certain ones of the same operation, which should be mended first. */
function certainFirst(roots: readonly Root[]): Root[] {
  const operationOf = ({ cause }: Root) => cause.broken[0].finding.operation
  const isCertain = ({ cause }: Root) => cause.broken[0].finding.chance !== true
  const waiting = Map.groupBy(
    roots.filter(
      (root, at) =>
        !isCertain(root) &&
        roots.slice(at).some(other => isCertain(other) && operationOf(other) === operationOf(root)),
    ),
    operationOf,
  )
  const late = new Set([...waiting.values()].flat())
  return roots.flatMap(root => {
    if (late.has(root)) return []
    const behind = isCertain(root) ? (waiting.get(operationOf(root)) ?? []) : []
    waiting.delete(operationOf(root))
    return [root, ...behind]
  })
}

/** A recommendation is never the root of a requirement, since only the latter makes a run red. */
const levelOf = ({ broken: [{ clause }] }: Cause): number => (clause.level === 'must' ? 0 : 1)
const stepsOf = ({ broken: [{ finding }] }: Cause): number => finding.exchanges.length

/** Returns what a cause has in common with others of its root, in words; `undefined` if nothing. */
function symptomOf({ broken: [{ finding }] }: Cause): string | undefined {
  const { operation, compare, observed = '' } = finding
  // A header is usually set in one place for many operations.
  if (compare?.of === 'header') return `the same header, ${compare.at}`
  if (operation === undefined) return undefined
  const [, status, error] = REFUSAL.exec(observed) ?? []
  if (status !== undefined) return `${operation} answers ${status} ${error}`
  const field = isOfField(compare) ? nameIn(compare.at) : undefined
  return field === undefined ? undefined : `${operation} shows the same field, ${field}`
}

/** Returns the last name of a path, without indexes. */
const nameIn = (path = ''): string | undefined => /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1]

const breaksLaterSteps = ({ broken }: Cause): boolean =>
  broken.some(({ finding: { compare } }) => isOfField(compare) && NEEDED.test(compare.at ?? ''))

const isOfField = (compare: Finding['compare']): compare is Comparison =>
  compare?.of === 'json' || compare?.of === 'booking'
