import type { Kind } from '../../fixtures/ground/products.ts'
import { type ClauseRecord, type Finding, isExercised } from '../../fixtures/ground/record.ts'

/** A finding that somebody is responsible for until a day. */
export type Waiver = {
  /** The id of a clause, or the beginning of several: `METHOD-V1-*`. */
  clause: string
  /** The clauses of such a beginning. */
  covers?: readonly string[] | undefined
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
  const byClause = Map.groupBy(
    waivers.flatMap(waiver => coveredBy(waiver).map(clause => ({ clause, waiver }))),
    ({ clause }) => clause,
  )
  const clauses = rows.map(row => ({
    ...row,
    findings: row.findings.map((finding): Finding => {
      const waiver = byClause.get(row.id)?.find(one => fits(one.waiver, finding, kindOf))?.waiver
      if (waiver === undefined) return finding
      used.add(waiver)
      const { reason, owner, expires } = waiver
      return { ...finding, waived: { reason, owner, expires } }
    }),
  }))
  const unused = waivers.filter(waiver => !used.has(waiver))
  const notApplicable = new Set(
    rows.filter(({ verdict }) => verdict === 'not applicable').map(({ id }) => id),
  )
  // What was not selected is seen in passing only, and its findings may show elsewhere.
  const exercised = new Set(
    clauses.filter(row => isExercised(row) && row.selected !== false).map(({ id }) => id),
  )
  // A finding may still show at a covered clause that was not exercised.
  const isTested = (waiver: Waiver): boolean => {
    const covered = coveredBy(waiver).filter(id => !notApplicable.has(id))
    return covered.length > 0 && covered.every(id => exercised.has(id))
  }
  return {
    clauses,
    unneeded: unused.filter(waiver => isTested(waiver)),
    untested: unused.filter(waiver => !isTested(waiver)),
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

/** Returns the clauses that a waiver covers. */
const coveredBy = ({ clause, covers = [clause] }: Waiver): readonly string[] => covers

/** Returns the name of a waiver in sentences. */
export const waiverName = ({ clause, kind, owner }: Waiver): string =>
  `${clause}${kind === undefined ? '' : ` (${kind})`} of ${owner}`
