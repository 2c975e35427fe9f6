import {
  ABOUT_IT,
  type CheckReport,
  type Excused,
  nameOfArranged,
} from '../../fixtures/ground/check-report.ts'
import { OF_SOURCE } from '../../fixtures/ground/endpoints.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { productOf } from './judge-check.ts'

/** Less often, nothing is told: a market may refuse twice. */
const LEAST = 3
/** With this chance at most, it is neither a market nor bad moments. A run has some hundred clauses and kinds of product. */
const CHANCE = 1e-5

/** What was excused every time, although others like it were decided. */
export type Debt = NonNullable<RunRecord['debts']>[number]

type Reported = CollectedCheck & { report: CheckReport }

interface Row extends Excused {
  check: Reported
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
const nameOf = ({ report }: Reported): string => productOf(report) ?? ''

/** Returns how many answers of these endpoints were successes, and how many were a 5xx or excused. */
const countsOf = (checks: readonly Reported[], acts: ReadonlySet<string>) => ({
  through: sumOf(
    checks.flatMap(({ report: { answers = {} } }) =>
      Object.entries(answers).flatMap(([answer, times]) =>
        answer.at(-3) === '2' && acts.has(answer.slice(0, -4)) ? times : [],
      ),
    ),
  ),
  out: sumOf(checks.flatMap(({ report: { down = {} } }) => [...acts].map(act => down[act] ?? 0))),
})

/** Returns the debt of answers that were excused for one clause; `undefined` if a market, or others, explain them. */
function debtOf(told: readonly Row[], checks: readonly Reported[], isAgain: boolean): Debt | undefined {
  const [{ arranged, finding, check }] = told as [Row]
  const { clause, operation: act = '', expected = 'another answer' } = finding
  const kinds = new Set(told.map(row => nameOf(row.check)))
  const scope = checks.filter(one => kinds.has(nameOf(one)))
  const isDecided = scope.some(({ report: { heeded = [], exercised, findings } }) =>
    arranged === undefined
      ? exercised.includes(clause) || findings.some(one => one.clause === clause)
      : heeded.includes(nameOfArranged(clause, arranged)),
  )
  const whys = new Set(told.map(({ why }) => why))
  // Control may be accepted without effect.
  if (isDecided || whys.has('unheeded')) return undefined
  // What control arranged for a supplier comes after what a market answers first.
  const rows = told.filter(({ why }) => arranged === undefined || why !== 'market')
  const times = sumOf(rows.map(row => row.times))
  const moments = sumOf(rows.map(row => row.moments))
  const own = scope.flatMap(({ report: { excused = [] } }) =>
    excused.flatMap(one => (one.finding.clause === clause && one.arranged === undefined ? one.times : [])),
  )
  /** Returns how often others are excused. Of its own endpoint there may be few. */
  const share = (acts: ReadonlySet<string>, more: 0 | 1) => {
    const { through, out } = countsOf(scope, acts)
    const others = Math.max(0, acts.has(act) ? out - sumOf(own) : out)
    return (others + more) / Math.max(1, through + others + 2 * more)
  }
  const chance = Math.max(share(new Set([act]), 0), share(OF_SOURCE, 1)) ** moments
  if (isAgain ? times === 0 : times < LEAST || chance > CHANCE) return undefined
  const said = [...new Set(rows.map(row => row.finding.observed ?? ''))].slice(0, 3).join(', ')
  const seen = `${act} was answered ${said} ${times} of ${times} times, in place of ${expected}`
  const { kind } = check.report
  return {
    clause,
    ...(kind && kinds.size === 1 && { kind }),
    ...(arranged === undefined
      ? {
          verdict: [...whys].every(why => why === 'broken') ? 'violates' : 'not exercised',
          reason: `needs ${ABOUT_IT}, and that nothing excuses: ${seen}`,
        }
      : {
          verdict: 'blocked',
          reason: `control said that it arranged "${arranged}", and it never came: ${seen}. Either control or the deployment is wrong`,
        }),
  }
}

/**
 * Settles what checks booked as excused: a 5xx that came every time becomes a finding, and the clause of any other debt is
 * decided by no check of the product.
 *
 * @param before the clauses that an earlier run saw broken, whose findings are tried again: once is enough for them
 */
export function withDebts(
  checks: readonly CollectedCheck[],
  before: ReadonlySet<string> = new Set(),
): { checks: CollectedCheck[]; debts: Debt[] } {
  const reported = checks.filter((check): check is Reported => check.report !== undefined)
  const booked = reported.flatMap(check => (check.report.excused ?? []).map(one => ({ ...one, check })))
  const byClause = Map.groupBy(booked, ({ finding, arranged }) => `${finding.clause} ${arranged}`)
  const reports = new Map<CollectedCheck, CheckReport>()
  const settle = (rows: readonly Row[]): Debt | undefined => {
    const { clause } = rows[0]!.finding
    const debt = debtOf(rows, reported, before.has(clause))
    if (debt === undefined) return undefined
    const { verdict, reason } = debt
    for (const [name, some] of Map.groupBy(rows, row => nameOf(row.check))) {
      const [{ check: own, finding }] = some as [Row]
      const citing = reported.find(one => nameOf(one) === name && one.report.clauses.includes(clause))
      const check = (verdict !== 'violates' && citing) || own
      const report = reports.get(check) ?? check.report
      reports.set(check, {
        ...report,
        ...(verdict === 'violates'
          ? { findings: [...report.findings, { ...finding, message: `${finding.message}, each time` }] }
          : { debts: { ...report.debts, [clause]: { verdict, reason } } }),
      })
    }
    return debt
  }
  const debts = [...byClause.values()].flatMap(rows => {
    const all = settle(rows)
    if (all !== undefined) return all
    return [...Map.groupBy(rows, row => nameOf(row.check)).values()].flatMap(some => settle(some) ?? [])
  })
  return { checks: checks.map(check => ({ ...check, report: reports.get(check) ?? check.report })), debts }
}
