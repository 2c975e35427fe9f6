import type { ClauseRecord, Finding, RunRecord } from '../../fixtures/record.ts'
import { byHarm } from './severity.ts'

/** Findings of one clause that say the same of several answers. */
export interface Repeated {
  clause: ClauseRecord
  /** The first one, in full. */
  finding: Finding
  /** Its place among the findings of its clause, from 0. */
  at: number
  /** Those that say the same of other answers. */
  more: Finding[]
}

/** What broke at one place: one exchange may break several clauses at once. */
export interface Cause {
  /** Worst first; never empty. */
  broken: [Repeated, ...Repeated[]]
}

/**
 * Returns what a finding says whichever exchange showed it: without ids of exchanges, values in quotes, and numbers.
 * Two findings of one clause with the same essence differ only in the answers that they were seen in.
 */
export function essenceOf({ message, source }: Pick<Finding, 'message' | 'source'>): string {
  const said = message
    .replaceAll(/ ?\(exchanges? [^)]*\)/g, '')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\b[\w-]*\d[\w-]*\b/g, '0')
  return `${source}: ${said}`
}

/** Returns the findings of a clause, those that say the same as one. */
export function repeated(clause: ClauseRecord): Repeated[] {
  const places = [...clause.findings.keys()]
  const alike = Map.groupBy(places, at => essenceOf(clause.findings[at]!))
  return Array.from(alike.values(), ([at, ...others]) => ({
    ...{ clause, finding: clause.findings[at!]!, at: at! },
    more: others.map(other => clause.findings[other]!),
  }))
}

/**
 * Groups the findings of a run by cause, worst first: what says the same of several answers is one, and so is what
 * several clauses say of the same exchange of the same check.
 */
export function causesOf({ clauses }: Pick<RunRecord, 'clauses'>): Cause[] {
  const rows = clauses.filter(({ findings }) => findings.length > 0).toSorted(byHarm)
  const causes: Cause[] = []
  const byPlace = new Map<string, Cause[]>()
  for (const one of rows.flatMap(repeated)) {
    const there = byPlace.get(placeOf(one)) ?? []
    // What one clause says twice of one exchange are two faults of it.
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

/** A recommendation never stands behind a requirement: the one is red, the other is not. */
function placeOf({ clause, finding, at }: Repeated): string {
  const shown = finding.exchanges.at(-1)
  return shown === undefined
    ? `${clause.id}#${at}`
    : `${clause.level} ${finding.source} ${shown} ${finding.check}`
}
