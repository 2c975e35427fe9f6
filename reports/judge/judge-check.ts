import { LEFT_OUT } from '../../fixtures/check/session/run-context.ts'
import { endedFirst } from '../../fixtures/client/pace/index.ts'
import { ABOUT_IT, type CheckReport } from '../../fixtures/ground/check-report.ts'
import { type Finding, type Verdict, worst } from '../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { count } from '../render/plain.ts'
import type { Again, RunInput } from './run-input.ts'

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
export interface Circumstances extends Pick<RunInput, 'passiveClauses' | 'only' | 'selected' | 'halted'> {
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
export const productOf = ({ kind, product }: Pick<CheckReport, 'kind' | 'product'>): string | undefined =>
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
