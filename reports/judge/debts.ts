import { type CheckReport, type Excused, nameOfArranged } from '../../fixtures/ground/check-report.ts'
import { ENDPOINTS } from '../../fixtures/ground/endpoints.ts'
import type { Kind } from '../../fixtures/ground/products.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { productOf } from './judge-check.ts'

/** Less often, and in fewer moments, nothing is told: any service has a bad one, and a market may refuse twice. */
const LEAST = { times: 3, moments: 2 }
/** A debt is told if a market as this one would excuse all of it with this chance at most. */
const TOLD = 1e-3
/** With this chance at most, it is neither a market nor bad moments. A run has some hundred clauses and kinds of product. */
const SURE = 1e-5

/** What was excused every time, although others like it were decided. */
export type Debt = NonNullable<RunRecord['debts']>[number]

type Reported = CollectedCheck & { report: CheckReport }

interface Row {
  check: Reported
  excused: Excused
}

/** The endpoints whose answers depend on whoever supplies the product. */
const OF_SOURCE: readonly string[] = ENDPOINTS.filter(({ does }) =>
  ['quotes', 'books', 'cancels'].includes(does),
).map(({ id }) => id)

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** Returns how many answers of these endpoints were successes. */
const through = (checks: readonly Reported[], acts: readonly string[]): number =>
  sumOf(
    checks.flatMap(({ report: { answers = {} } }) =>
      Object.entries(answers).flatMap(([answer, times]) =>
        answer.at(-3) === '2' && acts.includes(answer.slice(0, -4)) ? times : [],
      ),
    ),
  )

/** Returns an upper bound of the chance that so many answers are excused each time, by how often others were. */
function chanceOf(rows: readonly Row[], scope: readonly Reported[], moments: number): number {
  const { clause, operation: own = '' } = rows[0]!.excused.finding
  const others = scope
    .flatMap(({ report }) => report.excused ?? [])
    .filter(one => one.arranged === undefined && one.why !== 'unheeded' && one.finding.clause !== clause)
  const byAct = Map.groupBy(others, ({ finding: { operation = '' } }) => operation)
  const ofOwn = (act: string) =>
    act !== own || rows[0]!.excused.arranged ? 0 : sumOf(rows.map(({ excused }) => excused.times))
  // An answer may be excused for several clauses.
  const excusedOf = (act: string) =>
    Math.max(
      0,
      sumOf(scope.map(({ report }) => report.down?.[act] ?? 0)) - ofOwn(act),
      ...[...Map.groupBy(byAct.get(act) ?? [], ({ finding }) => finding.clause).values()].map(some =>
        sumOf(some.map(({ times }) => times)),
      ),
    )
  const share = (acts: readonly string[], more: 0 | 1) => {
    const excused = sumOf(acts.map(excusedOf))
    return (excused + more) / Math.max(1, through(scope, acts) + excused + 2 * more)
  }
  return Math.max(share([own], 0), share([...OF_SOURCE], 1)) ** moments
}

const isDecided =
  (clause: string, arranged: string | undefined) =>
  ({ report }: Reported): boolean =>
    arranged === undefined
      ? report.exercised.includes(clause) || report.findings.some(one => one.clause === clause)
      : report.heeded?.includes(nameOfArranged(clause, arranged)) === true

/** Returns the debt of answers that were excused for one clause; `undefined` if a market, or others, explain them. */
function debtOf(
  told: readonly Row[],
  scope: readonly Reported[],
  { all, found }: { all: readonly Reported[]; found: ReadonlySet<string> },
): Debt | undefined {
  const { arranged, finding } = told[0]!.excused
  const whys = new Set(told.map(({ excused }) => excused.why))
  // What control arranged for a supplier comes after what a market answers first.
  const rows = told.filter(({ excused }) => arranged === undefined || excused.why !== 'market')
  if (rows.length === 0) return undefined
  const { clause, operation: act = '', expected = 'another answer' } = finding
  const isOne = isDecided(clause, arranged)
  // Control may be accepted without effect.
  if (whys.has('unheeded') || scope.some(isOne)) return undefined
  const moments = sumOf(rows.map(({ excused }) => excused.moments))
  const alike = through(scope, arranged === undefined ? [act] : OF_SOURCE)
  const times = sumOf(rows.map(({ excused }) => excused.times))
  const isFound = found.has(clause)
  if (!isFound && (times < LEAST.times || moments < LEAST.moments)) return undefined
  if (!isFound && alike === 0 && !all.some(isOne)) return undefined
  const chance = isFound ? 0 : chanceOf(rows, scope, moments)
  if (chance > TOLD) return undefined
  const isSure = chance <= SURE
  const said = [...new Set(rows.map(({ excused }) => excused.finding.observed ?? ''))].slice(0, 3).join(', ')
  const seen = `${act} was answered ${said} ${times} of ${times} times, in place of ${expected}`
  const debt = { clause, act, times, ...(arranged && { arranged }) }
  if (arranged !== undefined && isSure)
    return {
      ...debt,
      verdict: 'blocked',
      reason: `control said that it arranged "${arranged}", and it never came: ${seen}. Either control or the deployment is wrong`,
    }
  const isBroken = isSure && arranged === undefined && [...whys].every(why => why === 'broken')
  return {
    ...debt,
    verdict: isBroken ? 'violates' : 'not exercised',
    reason: `needs an answer that nothing excuses: ${seen}; ${alike} others went through`,
  }
}

const nameOf = ({ report }: Reported): string => productOf(report) ?? ''

/** Returns the debts of checks, each with those that it is about. */
function debtsOf(
  checks: readonly Reported[],
  found: ReadonlySet<string>,
): { debt: Debt; rows: readonly Row[]; scope: readonly Reported[] }[] {
  const all = checks.flatMap(check => (check.report.excused ?? []).map(excused => ({ check, excused })))
  const groups = Map.groupBy(all, ({ excused: { finding, arranged = '' } }) =>
    nameOfArranged(finding.clause, arranged),
  )
  return [...groups.values()].flatMap(rows => {
    const kinds = new Set(rows.map(({ check }) => nameOf(check)))
    const ofKinds = checks.filter(check => kinds.has(nameOf(check)))
    const whole = debtOf(rows, ofKinds, { all: checks, found })
    if (whole !== undefined)
      return [{ debt: ofKind(whole, kinds.size === 1 ? rows : []), rows, scope: ofKinds }]
    return [...Map.groupBy(rows, ({ check }) => nameOf(check))].flatMap(([name, some]) => {
      const scope = checks.filter(check => nameOf(check) === name)
      const debt = debtOf(some, scope, { all: checks, found })
      return debt === undefined ? [] : [{ debt: ofKind(debt, some), rows: some, scope }]
    })
  })
}

const ofKind = (debt: Debt, [row]: readonly Row[]): Debt => {
  const kind: Kind | undefined = row?.check.report.kind
  return kind === undefined ? debt : { ...debt, kind }
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
  const found = debtsOf(
    checks.filter((check): check is Reported => check.report !== undefined),
    before,
  )
  const reports = new Map<CollectedCheck, CheckReport>()
  for (const { debt, rows, scope } of found) {
    const { clause, verdict, reason } = debt
    if (verdict === 'violates') {
      for (const some of Map.groupBy(rows, ({ check }) => nameOf(check)).values()) {
        const [{ check, excused }] = some.toSorted(
          (one, other) => other.excused.times - one.excused.times,
        ) as [Row]
        const report = reports.get(check) ?? check.report
        const message = `${excused.finding.message}, each of ${debt.times} times`
        reports.set(check, { ...report, findings: [...report.findings, { ...excused.finding, message }] })
      }
      continue
    }
    const citing = scope.filter(({ report }) => report.clauses.includes(clause))
    for (const check of citing.length > 0 ? citing : [rows[0]!.check]) {
      const report = reports.get(check) ?? check.report
      reports.set(check, { ...report, debts: { ...report.debts, [clause]: { verdict, reason } } })
    }
  }
  return {
    checks: checks.map(check => ({ ...check, report: reports.get(check) ?? check.report })),
    debts: found.map(({ debt }) => debt),
  }
}
