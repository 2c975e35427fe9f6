import type { RunRecord, Verdict } from '../../fixtures/ground/record.ts'
import { type RunInTime, scopeOf } from '../history/history.ts'

/** The ids of the checks that have a page, by run. */
export type ChecksOfRuns = ReadonlyMap<string, readonly string[]>

/** A check in which something was found, or which the deployment or the kit kept from judging. */
export interface RedCheck {
  id: string
  /** Its verdict, and the clauses that it saw broken. */
  result: string
}

/** The maximum number of checks with a page that saw no clause broken. */
const MOST_OTHERS = 20

/** Returns whether a verdict means that something was found, or kept from being looked at by the deployment or the kit. */
const isRed = (verdict: Verdict | undefined): boolean =>
  verdict === 'violates' || verdict === 'blocked' || verdict === 'error'

/** Returns the checks of a run that may have a page: the first of each broken clause, and some others that are red. */
export function redChecksOf({ checks, clauses }: Pick<RunRecord, 'checks' | 'clauses'>): RedCheck[] {
  const broken = new Map<string, string[]>()
  const chosen = new Set<string>()
  for (const { id, findings } of clauses) {
    const seenIn = [...new Set(findings.map(({ check }) => check))]
    for (const check of seenIn) broken.set(check, [...(broken.get(check) ?? []), id])
    if (seenIn[0] !== undefined) chosen.add(seenIn[0])
  }
  let others = 0
  return checks.flatMap(({ id, verdict, requests }) => {
    if (requests.v1 + requests.v2 === 0) return []
    const isOther = !broken.has(id) && isRed(verdict)
    if (!chosen.has(id) && !(isOther && ++others <= MOST_OTHERS)) return []
    return { id, result: [verdict, ...(broken.get(id) ?? [])].join(' ') }
  })
}

/**
 * Returns the checks with a page by run. Runs in a row, newest first, that found the same in a check share the page of the
 * newest, so that what does not change takes no more room with every run.
 */
export function shownChecks(
  newestFirst: readonly RunInTime[],
  red: ReadonlyMap<string, readonly RedCheck[]>,
): [run: string, checks: string[]][] {
  const known = new Map<string, string>()
  return newestFirst.map(({ id: run, ...summary }) => {
    const now = red.get(run) ?? []
    const shown = now.filter(({ id, result }) => known.get(id) !== result).map(({ id }) => id)
    // A run of everything that finds nothing in a check ends its series; a run of a part may not have run it.
    if (scopeOf(summary) === 'whole') known.clear()
    for (const { id, result } of now) known.set(id, result)
    return [run, shown]
  })
}
