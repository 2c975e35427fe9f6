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
