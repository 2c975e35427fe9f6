import { type ClauseRecord, type Finding, isExercised } from '../../fixtures/record.ts'
import type { Kind } from '../../fixtures/service/products.ts'

/** A finding that somebody is responsible for until a day. */
export type Waiver = {
  clause: string
  /** Restricts it to findings of checks for that kind of product. */
  kind?: Kind | undefined
  /** Restricts it to findings whose message contains this text. */
  matching?: string | undefined
  reason: string
  owner: string
  /** The last day on which it is valid, as `2027-01-31`. */
  expires: string
}

/** The result of applying waivers to a run. */
export interface Waived {
  clauses: ClauseRecord[]
  /** Waivers whose clause was exercised without a finding. */
  unneeded: Waiver[]
  /** Waivers whose clause was not exercised in this run, or not selected. */
  untested: Waiver[]
}

/**
 * Marks waived findings of checks and passive rules. They stay in the record and in every report.
 *
 * @param kindOf returns the kind of product of a check by its id
 */
export function waive(
  rows: readonly ClauseRecord[],
  waivers: readonly Waiver[],
  kindOf: (check: string) => Kind | undefined,
): Waived {
  const used = new Set<Waiver>()
  const byClause = Map.groupBy(waivers, ({ clause }) => clause)
  const clauses = rows.map(row => ({
    ...row,
    findings: row.findings.map((finding): Finding => {
      const waiver = byClause.get(row.id)?.find(one => fits(one, finding, kindOf))
      if (waiver === undefined) return finding
      used.add(waiver)
      const { reason, owner, expires } = waiver
      return { ...finding, waived: { reason, owner, expires } }
    }),
  }))
  const unused = waivers.filter(waiver => !used.has(waiver))
  // What was not selected is seen in passing only, and its findings may show elsewhere.
  const exercised = new Set(
    clauses.filter(row => isExercised(row) && row.selected !== false).map(({ id }) => id),
  )
  return {
    clauses,
    unneeded: unused.filter(({ clause }) => exercised.has(clause)),
    untested: unused.filter(({ clause }) => !exercised.has(clause)),
  }
}

const fits = (
  { kind, matching }: Waiver,
  { message, check }: Finding,
  kindOf: (check: string) => Kind | undefined,
): boolean =>
  (matching === undefined || message.includes(matching)) && (kind === undefined || kindOf(check) === kind)

/** Returns whether a clause has a finding without a waiver. */
export const hasUnwaived = ({ findings }: Pick<ClauseRecord, 'findings'>): boolean =>
  findings.some(({ waived }) => waived === undefined)

/** Returns the name of a waiver in sentences. */
export const waiverName = ({ clause, kind, owner }: Waiver): string =>
  `${clause}${kind === undefined ? '' : ` (${kind})`} of ${owner}`
