import { type ClauseRecord, type Finding, isExercised } from '../../fixtures/record.ts'
import type { Kind } from '../../fixtures/service/products.ts'

/** A finding that somebody answers for until a day. */
export type Waiver = {
  clause: string
  /** Only findings of checks of that kind of product. */
  kind?: Kind | undefined
  /** Only findings whose message holds this text. */
  matching?: string | undefined
  reason: string
  owner: string
  /** The last day on which it holds, as `2027-01-31`. */
  expires: string
}

/** What became of waivers in a run. */
export interface Waived {
  clauses: ClauseRecord[]
  /** Waivers whose clause was exercised and that no finding needs any more. */
  unneeded: Waiver[]
  /** Waivers whose clause this run did not exercise: nothing is known. */
  untested: Waiver[]
}

/**
 * Marks the findings that are waived, from checks and from passive rules alike. They stay in the record and in every
 * report.
 *
 * @param kindOf the kind of product that a check, by its id, is about
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
  const exercised = new Set(clauses.filter(isExercised).map(({ id }) => id))
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

/** Returns whether a clause has a finding that nobody answers for. */
export const hasUnwaived = ({ findings }: Pick<ClauseRecord, 'findings'>): boolean =>
  findings.some(({ waived }) => waived === undefined)

/** Returns how a waiver is called in a sentence. */
export const waiverName = ({ clause, kind, owner }: Waiver): string =>
  `${clause}${kind === undefined ? '' : ` (${kind})`} of ${owner}`
