import type { RunRecord, Verdict } from '../../fixtures/ground/record.ts'

/** Clauses or checks with the same verdict and reason. */
export interface ReasonGroup {
  reason: string
  /** The ids of clauses, or of checks that were stopped after they decided all of their clauses. */
  ids: string[]
}

/** Returns the clauses with a verdict, grouped by reason, the largest group first. */
export const byReason = ({ clauses }: RunRecord, verdict: Verdict): ReasonGroup[] =>
  grouped(clauses.filter(row => row.verdict === verdict)).sort((a, b) => b.ids.length - a.ids.length)

/** Ids in v2 paths. */
const IDS = /(?<=\/(?:bookings|hotels\/availability)\/)[^\s/]+/g

/** Returns a reason without the ids of exchanges and bookings and the number of checks. */
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

/** Returns everything that was blocked, by reason: clauses, and checks that had decided all of their clauses. */
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
