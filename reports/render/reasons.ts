import type { RunRecord, Verdict } from '../../fixtures/record.ts'

/** Something that has a verdict and the same reason for it. */
export interface ReasonGroup {
  reason: string
  /** Ids of clauses; of checks for a check that was stopped after it had decided all of its clauses. */
  ids: string[]
}

/** Clauses of a verdict grouped by reason, most clauses first. */
export const byReason = ({ clauses }: RunRecord, verdict: Verdict): ReasonGroup[] =>
  grouped(clauses.filter(row => row.verdict === verdict)).sort((a, b) => b.ids.length - a.ids.length)

/** Ids in paths of v2. */
const IDS = /(?<=\/(?:bookings|hotels\/availability)\/)[^\s/]+/g

/** Returns what went wrong: which exchange showed it, of which booking, and in how many checks, makes no difference. */
export function heartOf({ reason = 'no reason was recorded' }: { reason?: string | undefined }): string {
  const parts = reason
    .replaceAll(/ \(exchange \w+\)/g, '')
    .replaceAll(IDS, '{id}')
    .split('; ')
  return [...new Set(parts)].join('; ')
}

function grouped(rows: readonly { id: string; reason?: string | undefined }[]): ReasonGroup[] {
  return [...Map.groupBy(rows, heartOf)].map(([reason, group]) => ({
    reason,
    ids: group.map(({ id }) => id),
  }))
}

/**
 * Everything that was blocked, grouped by reason: clauses, and checks that were blocked with nothing left to decide.
 */
export function blocked(record: RunRecord): ReasonGroup[] {
  const verdictOf = new Map(record.clauses.map(({ id, verdict }) => [id, verdict]))
  const late = record.checks.filter(
    ({ verdict, clauses }) =>
      verdict === 'blocked' &&
      clauses.some(id => verdictOf.get(id) !== 'not applicable') &&
      !clauses.some(id => verdictOf.get(id) === 'blocked'),
  )
  return [...byReason(record, 'blocked'), ...grouped(late)]
}
