import { LEFT_OUT } from '../../fixtures/check/session/run-context.ts'
import { endedFirst } from '../../fixtures/client/pace/index.ts'
import {
  ABOUT_IT,
  type CheckReport,
  type Excused,
  nameOfArranged,
} from '../../fixtures/ground/check-report.ts'
import { OF_SOURCE } from '../../fixtures/ground/endpoints.ts'
import { type Finding, type RunRecord, type Verdict, worst } from '../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { count } from '../render/plain.ts'
import type { Again, RunInput } from './run-input.ts'

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

/** The verdict of one check on one clause. */
export interface Opinion {
  verdict: Verdict
  reason?: string | undefined
  findings: Finding[]
}

/** The result of one check. */
export interface Judgement {
  check: CollectedCheck
  /** The clauses that the check cites. */
  cited: string[]
  verdict: Verdict
  reason?: string | undefined
  /** By clause: every cited one, and every other that a passive rule judged in the check's traffic. */
  opinions: Map<string, Opinion>
}

/** Facts that influence how a check is judged. */
interface Circumstances extends Pick<RunInput, 'passiveClauses' | 'only' | 'selected' | 'halted'> {
  isClause: (id: string) => boolean
  /** The kinds of v2 products and the v1 products that some check could buy. */
  sold: ReadonlySet<string>
}

type Stopped = NonNullable<CheckReport['stopped']>

export const UNDECIDED = 'the check ended without deciding it'

/** Returns why a fault that shows by chance does not count as mended if it was not seen again. */
export const notSeenAgain = ({ run, tries }: Again): string =>
  `seen broken in ${run}, and not seen again in ${count(tries, 'try', 'tries')}: the result of concurrent requests varies`

/** Returns whether a check left something undecided without a reason, which only the kit can mend. */
export const isUndecided = (check: { verdict: Verdict; reason?: string | undefined }): boolean =>
  check.verdict === 'not exercised' && check.reason?.split('; ').includes(UNDECIDED) === true

/** Judges one check by its report, or by its failure to report. `undefined` for a check that `--only` left out. */
export function judgeCheck(check: CollectedCheck, circumstances: Circumstances): Judgement | undefined {
  const { report } = check
  const cited = report?.clauses ?? check.tags.filter(circumstances.isClause)
  if (report === undefined) {
    if (check.note === LEFT_OUT) return undefined
    const { selected } = circumstances
    if (check.state === 'skipped' && selected !== undefined && !cited.some(id => selected.has(id)))
      return undefined
    const stopped = silence(check, circumstances)
    if (stopped === undefined) return undefined
    const opinion = { ...stopped, findings: [] }
    return { check, cited, ...stopped, opinions: new Map(cited.map(clause => [clause, opinion])) }
  }

  const stopped = soldOut(report, circumstances) ?? report.stopped ?? crash(check)
  const opinions = new Map<string, Opinion>()
  for (const { clause, ...finding } of report.findings) {
    const known = opinions.get(clause)
    if (known === undefined) opinions.set(clause, { verdict: 'violates', findings: [finding] })
    else known.findings.push(finding)
  }
  for (const clause of cited)
    if (!opinions.has(clause)) opinions.set(clause, undisputed(clause, report, stopped, circumstances))
  for (const clause of report.exercised)
    if (!opinions.has(clause)) opinions.set(clause, { verdict: 'conforms', findings: [] })

  // Answers of others do not decide what was excused every time here.
  for (const [clause, debt] of Object.entries(report.debts ?? {}))
    if (opinions.get(clause)?.verdict !== 'violates') opinions.set(clause, { ...debt, findings: [] })

  const own = [...new Set([...cited, ...Object.keys(report.debts ?? {})])].map(
    clause => opinions.get(clause)!,
  )
  const verdict = worst([...own.map(opinion => opinion.verdict), ...(stopped ? [stopped.verdict] : [])])
  const reason =
    stopped?.verdict === verdict ? stopped.reason : own.find(opinion => opinion.verdict === verdict)?.reason
  return { check, cited, verdict, reason, opinions }
}

/** Returns the opinion on a cited clause without findings. A check that crashed vouches for none of its clauses. */
function undisputed(
  clause: string,
  report: CheckReport,
  stopped: Stopped | undefined,
  { passiveClauses }: Circumstances,
): Opinion {
  if (stopped?.verdict !== 'error' && report.exercised.includes(clause))
    return { verdict: 'conforms', findings: [] }
  const reason = whyUndecided(clause, report, passiveClauses)
  return { ...(stopped ?? { verdict: 'not exercised', reason }), findings: [] }
}

/**
 * Returns why a finished check decided nothing about a clause: no answer shows what it is about, another clause was found broken
 * before, or no case of a property concerned it. Other reasons are not valid.
 */
export function whyUndecided(
  clause: string,
  { properties, findings, unsaid }: Pick<CheckReport, 'properties' | 'findings' | 'unsaid'>,
  passiveClauses?: ReadonlyMap<string, string>,
): string {
  const needs = passiveClauses?.get(clause)
  if (needs !== undefined) return `needs ${needs}`
  if (unsaid?.includes(clause)) return `needs ${ABOUT_IT}`
  const before = findings.find(({ source }) => source === 'check')
  if (before !== undefined) return `its check found ${before.clause} broken first`
  const cases = properties.reduce((sum, { runs }) => sum + runs, 0)
  return cases === 0 ? UNDECIDED : `needs a case about it among the ${count(cases, 'case', 'cases')} drawn`
}

/** Returns the name of the product of a check in reports, if it is about one. */
const productOf = ({ kind, product }: Pick<CheckReport, 'kind' | 'product'>): string | undefined =>
  product ?? kind

/** Returns the products that checks could buy. */
export const soldIn = (checks: readonly CollectedCheck[]): ReadonlySet<string> =>
  new Set(checks.flatMap(({ report }) => (report?.sold ? [productOf(report) ?? ''] : [])))

/** Returns how a check ended that could not buy a product which others bought: a market sells out, and refuses. */
export function soldOut(
  report: CheckReport,
  { sold }: Partial<Pick<Circumstances, 'sold'>> = {},
): Stopped | undefined {
  const { stopped } = report
  if (stopped?.missing !== true || !sold?.has(productOf(report) ?? '')) return undefined
  return { ...stopped, verdict: 'not exercised' }
}

/** Returns the fault of a check that threw an error which its report does not explain. */
function crash({ state, errors, report }: CollectedCheck): Stopped | undefined {
  if (state !== 'failed' || (errors.length === 0 && report!.findings.length > 0)) return undefined
  return { verdict: 'error', reason: errors[0] ?? 'it failed without saying why' }
}

/** Returns why a check has no report. */
function silence(check: CollectedCheck, { only, halted }: Circumstances): Stopped | undefined {
  const { state, errors, note } = check
  // It was cut off, whatever its state.
  if (halted !== undefined) return { verdict: 'not exercised', reason: endedFirst(halted) }
  if (state === 'failed') return { verdict: 'error', reason: errors[0] ?? 'it failed without saying why' }
  if (state === 'passed') return { verdict: 'error', reason: 'it passed without reporting what it observed' }
  if (note !== undefined) return { verdict: 'not exercised', reason: note }
  if (state === 'pending') return { verdict: 'error', reason: 'it was started and never came to an end' }
  if (only !== undefined) return undefined
  return { verdict: 'not exercised', reason: 'it was skipped without a reason' }
}

/** Combines opinions on a clause: the worst counts. "Not exercised" outweighs no other, but its reason is kept. */
export function summed(opinions: readonly Opinion[]): Opinion {
  const findings = opinions.flatMap(opinion => opinion.findings)
  const gravest = worst(opinions.map(opinion => opinion.verdict))
  const decided = opinions.some(opinion => opinion.verdict === 'conforms')
  const verdict = gravest === 'not exercised' && decided ? 'conforms' : gravest
  const reasons = opinions.filter(opinion => opinion.verdict === gravest).map(opinion => opinion.reason)
  const told = [...new Set(reasons)].filter(text => text !== undefined).join('; ')
  const reason = verdict === gravest || told === '' ? told : `in part: ${told}`
  return { verdict, reason: reason === '' ? undefined : reason, findings }
}
