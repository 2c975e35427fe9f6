import type { RunRecord, Verdict } from '../../fixtures/ground/record.ts'
import { present } from './plain.ts'

/** Clauses or checks with a verdict and a reason in common. */
export interface ReasonGroup {
  reason: string
  /** The ids of clauses, or of checks that were stopped after they decided all of their clauses. */
  ids: string[]
  /** The further reasons of some of them, by id. */
  further: ReadonlyMap<string, string>
}

/** Returns the clauses with a verdict, grouped by reason, the largest group first. */
export const byReason = (record: RunRecord, verdict: Verdict): ReasonGroup[] =>
  grouped(
    record,
    record.clauses.filter(row => row.verdict === verdict),
  )

/** Ids in v2 paths. */
const IDS = /(?<=\/(?:bookings|hotels\/availability)\/)[^\s/]+/g
/** Amounts, long numbers and days. */
const AMOUNTS = /(?<![\w.-])(?:\d+\.\d+|\d{4,}|\d{4}-\d\d-\d\d)(?![\w-])/g

/** Returns a reason without what differs between answers: ids of exchanges and bookings, amounts, and the number of checks. */
export const heartOf = ({ reason }: { reason?: string | undefined }): string => partsOf(reason).join('; ')

function partsOf(reason = 'no reason was recorded'): string[] {
  const parts = reason
    .replaceAll(/ \(exchange \w+\)/g, '')
    .replaceAll(IDS, '{id}')
    .replaceAll(AMOUNTS, '…')
    .split(/; (?=needs |No |an? |the )/)
  return [...new Set(parts)]
}

/** Matches a refusal that the definition may be asked to prevent, with its exchange. */
const ADVISED =
  /[^;]*?(\d{3} .*?) \(exchange (\w+)\): say what this deployment wants in \S+ of the definition/g

/** Returns a function that names the finding where a definition is asked to prevent what is a fault of the deployment. */
function withCauses({ clauses }: RunRecord): (reason: string | undefined) => string | undefined {
  const byAnswer = new Map(
    clauses.flatMap(({ id, findings }) =>
      findings.flatMap(({ observed, exchanges }) =>
        present([observed, exchanges.at(-1)]).map(one => [one, id] as const),
      ),
    ),
  )
  return reason =>
    reason?.replaceAll(ADVISED, (told, refusal: string, exchange: string) => {
      const id = byAnswer.get(exchange) ?? byAnswer.get(refusal)
      return id === undefined ? told : `needs what was refused: see the finding of ${id}`
    })
}

/** Groups rows by their most frequent reason: many have several, in different company. */
function grouped(
  record: RunRecord,
  rows: readonly { id: string; reason?: string | undefined }[],
): ReasonGroup[] {
  const named = withCauses(record)
  const told = rows.map(({ id, reason }) => ({ id, parts: partsOf(named(reason)) }))
  const times = Map.groupBy(
    told.flatMap(({ parts }) => parts),
    part => part,
  )
  const sorted = told.map(({ id, parts }) => ({
    id,
    parts: parts.toSorted((one, other) => times.get(other)!.length - times.get(one)!.length),
  }))
  return [...Map.groupBy(sorted, ({ parts }) => parts[0]!)]
    .map(([reason, group]) => ({
      reason,
      ids: group.map(({ id }) => id),
      further: new Map(
        group.flatMap(({ id, parts: [, ...more] }) => (more.length === 0 ? [] : [[id, more.join('; ')]])),
      ),
    }))
    .sort((a, b) => b.ids.length - a.ids.length)
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
  return [...byReason(record, 'blocked'), ...grouped(record, late)]
}
