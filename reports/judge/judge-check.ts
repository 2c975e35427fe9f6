import type { CheckReport } from '../../fixtures/check-report.ts'
import { endedFirst } from '../../fixtures/client/ending.ts'
import { type Finding, type Verdict, worst } from '../../fixtures/record.ts'
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
  /** Clauses that the check cites. */
  cited: string[]
  verdict: Verdict
  reason?: string | undefined
  /** By clause: every cited one, and every other that a passive checker judged in the check's traffic. */
  opinions: Map<string, Opinion>
}

/** The facts that decide how a check is read. */
export interface Circumstances extends Pick<RunInput, 'passiveClauses' | 'only' | 'selected' | 'halted'> {
  isClause: (id: string) => boolean
  /** Kinds of product of v2, and products of v1, of which some check got something. */
  sold: ReadonlySet<string>
}

type Stopped = NonNullable<CheckReport['stopped']>

/** The reason of a clause that all traffic is judged by, where no answer was about it. */
export const NO_EXCHANGE = 'no exchange of this run let a passive checker judge it'

export const UNDECIDED = 'the check ended without deciding it'

/** Returns why a fault that shows by chance is not mended because it was not seen. */
export const notSeenAgain = ({ run, tries }: Again): string =>
  `seen broken in ${run}, and not seen again in ${count(tries, 'try', 'tries')}: what comes of requests that are sent at once differs from time to time`

/** Returns whether a check ended without deciding something, or saying why: nobody but the kit can mend that. */
export const isUndecided = (check: { verdict: Verdict; reason?: string | undefined }): boolean =>
  check.verdict === 'not exercised' && check.reason?.split('; ').includes(UNDECIDED) === true

/**
 * Judges one check by what it reported, or by how it failed to report. `undefined` for a check that was left out by
 * `--only`: it says nothing about anything.
 */
export function judgeCheck(check: CollectedCheck, circumstances: Circumstances): Judgement | undefined {
  const { report } = check
  const cited = report?.clauses ?? check.tags.filter(circumstances.isClause)
  if (report === undefined) {
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

  const own = cited.map(clause => opinions.get(clause)!)
  const verdict = worst([...own.map(opinion => opinion.verdict), ...(stopped ? [stopped.verdict] : [])])
  const reason =
    stopped?.verdict === verdict ? stopped.reason : own.find(opinion => opinion.verdict === verdict)?.reason
  return { check, cited, verdict, reason, opinions }
}

/**
 * A cited clause that the check has nothing against. A check that broke down itself vouches for none of its clauses.
 */
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
 * Returns why a check that ran to its end decided nothing about a clause: no answer had what a passive checker judges,
 * it had found another clause broken before, or no case of a property was about it. There is no other good reason.
 */
export function whyUndecided(
  clause: string,
  { properties, findings }: Pick<CheckReport, 'properties' | 'findings'>,
  passiveClauses?: ReadonlyMap<string, string>,
): string {
  const needs = passiveClauses?.get(clause)
  if (needs !== undefined) return `needs ${needs}`
  const before = findings.find(({ source }) => source === 'check')
  if (before !== undefined) return `its check found ${before.clause} broken first`
  const cases = properties.reduce((sum, { runs }) => sum + runs, 0)
  return cases === 0 ? UNDECIDED : `needs a case about it among the ${count(cases, 'case', 'cases')} drawn`
}

/** Returns what a report calls the product that its check was about; `undefined` where it was about none. */
export const productOf = ({ kind, product }: Pick<CheckReport, 'kind' | 'product'>): string | undefined =>
  product ?? kind

/** Returns the products of which checks got something. */
export const soldIn = (checks: readonly CollectedCheck[]): ReadonlySet<string> =>
  new Set(checks.flatMap(({ report }) => (report?.sold ? [productOf(report) ?? ''] : [])))

/** Returns how a check ended that got nothing of a product which others got: a market sells out, and refuses. */
export function soldOut(
  report: CheckReport,
  { sold }: Partial<Pick<Circumstances, 'sold'>> = {},
): Stopped | undefined {
  const { stopped } = report
  if (stopped?.missing !== true || !sold?.has(productOf(report) ?? '')) return undefined
  return { ...stopped, verdict: 'not exercised' }
}

/** Returns the fault of a check that threw something which its report does not account for. */
function crash({ state, errors, report }: CollectedCheck): Stopped | undefined {
  if (state !== 'failed' || (errors.length === 0 && report!.findings.length > 0)) return undefined
  return { verdict: 'error', reason: errors[0] ?? 'it failed without saying why' }
}

/** Returns why a check has no report. */
function silence(check: CollectedCheck, { only, halted }: Circumstances): Stopped | undefined {
  const { state, errors, note } = check
  // Whatever became of it came of being cut off.
  if (halted !== undefined) return { verdict: 'not exercised', reason: endedFirst(halted) }
  if (state === 'failed') return { verdict: 'error', reason: errors[0] ?? 'it failed without saying why' }
  if (state === 'passed') return { verdict: 'error', reason: 'it passed without reporting what it observed' }
  if (note !== undefined) return { verdict: 'not exercised', reason: note }
  if (state === 'pending') return { verdict: 'error', reason: 'it was started and never came to an end' }
  if (only !== undefined) return undefined
  return { verdict: 'not exercised', reason: 'it was skipped without a reason' }
}

/**
 * Returns what several opinions of a clause come to: the worst of them. One that could not be reached takes nothing
 * from a clause that others decided; why it was not reached stays told.
 */
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
