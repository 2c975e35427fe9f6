import { isDeepStrictEqual } from 'node:util'
import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES, type ClauseId } from '../../fixtures/clauses/index.ts'
import type { Recorder } from '../../fixtures/client/recording/index.ts'
import type { Tested } from '../../fixtures/deployments/loading/index.ts'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import { isV1Product } from '../../fixtures/ground/products.ts'
import type { Leftover, RunRecord } from '../../fixtures/ground/record.ts'
import type { LoadRecord, ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { assemble } from '../../reports/judge/assemble.ts'
import { figuresOf } from '../judge/figures/figures.ts'
import { JUDGES } from '../judge/index.ts'
import type { Judgement, Question } from '../judge/judge.ts'
import { type Circumstances, type ScenarioName, type Sender, tenantOf } from '../plan/plan.ts'
import type { StageEvidence } from '../read/evidence.ts'
import { type ScenarioEvidence, tellStopped } from '../read/scenario-evidence.ts'
import type { Stopped } from '../run/run-stages.ts'

/** The result of a scenario, or of the requests before all scenarios, for the record. */
export interface ScenarioResult {
  /** The file that its checks belong to. */
  file: string
  milliseconds: number
  checks: { title: string; report: CheckReport }[]
  /** Absent if nothing was measured. */
  figures?: Omit<ScenarioFigures, 'checks'>
}

/** Facts about a scenario that its stages do not contain. */
interface ScenarioHeader {
  scenario: ScenarioName
  /** The name of the profile. */
  profile: string
  startedAt: Date
  milliseconds: number
}

/** The end of a scenario: judged, or stopped earlier. */
type ScenarioEnd =
  | { stages: ReadonlyMap<string, StageEvidence>; circumstances: Circumstances; judgement: Judgement }
  | { stopped: Stopped }

/** The title of the check that all requests of a scenario belong to. */
export const EVERY_ANSWER = 'every answer under load keeps the rules of every exchange'

/** Returns the file that the checks of a scenario belong to. */
export const fileOf = (scenario: ScenarioName): string => `load/scenarios/${scenario}.ts`

/** Returns the id of a check. */
export const idOf = (file: string, title: string): string => `${file} > ${title}`

/** Makes the checks and figures of a scenario, and tells the recording which questions are open. */
export function recordScenario(
  header: ScenarioHeader,
  end: ScenarioEnd,
  evidence: ScenarioEvidence,
  recorder: Recorder,
): ScenarioResult {
  const { scenario, milliseconds } = header
  const { question: title, clauses } = JUDGES[scenario]
  const file = fileOf(scenario)
  const { questions, claims } =
    'stopped' in end ? { questions: [{ title, clauses }], claims: [] } : end.judgement
  for (const claim of claims) evidence.claims(claim)
  const { judged } = evidence
  const all = evidence.close()
  const stopped = 'stopped' in end ? end.stopped : undefined
  const checks = questions.map(question => answered(question, all, file, stopped))
  for (const { title, report } of checks) {
    const open = report.clauses.filter(id => !report.exercised.includes(id))
    if (report.stopped !== undefined) tellStopped(recorder, idOf(file, title), open, report.stopped)
  }
  if (judged > 0) {
    const asked = new Set(checks.flatMap(({ report }) => report.exercised))
    const findings = all.findings.filter(({ clause }) => !asked.has(clause))
    checks.push({ title: EVERY_ANSWER, report: { ...all, clauses: all.exercised, findings } })
  }
  if ('stopped' in end) return { file, milliseconds, checks }
  return { file, milliseconds, checks, figures: figuresFor(header, end, judged) }
}

/** Returns the check of a question: what all answers show of its clauses, and why they do not show the others. */
function answered(
  { title, clauses, whyOpen, isAlone }: Pick<Question, 'title' | 'clauses'> & Partial<Question>,
  { exercised, findings }: CheckReport,
  file: string,
  stopped: Stopped | undefined,
): ScenarioResult['checks'][number] {
  const shown = clauses.filter(id => stopped === undefined && !isAlone && exercised.includes(id))
  const why = shown.length < clauses.length ? (stopped ?? whyOpen?.()) : undefined
  const found = findings.filter(({ clause }) => shown.includes(clause as ClauseId))
  const report = {
    clauses: [...clauses],
    exercised: shown,
    findings: found.map(one => ({ ...one, check: idOf(file, title) })),
    ...(why && { stopped: why }),
  }
  return { title, report: { ...report, requests: { v1: 0, v2: 0 }, properties: [] } }
}

function figuresFor(
  { scenario, profile, startedAt, milliseconds }: ScenarioHeader,
  { stages, circumstances, judgement }: Exclude<ScenarioEnd, { stopped: unknown }>,
  judged: number,
): NonNullable<ScenarioResult['figures']> {
  const all = [...stages.values()]
  const counted = countedRequests(all)
  const figures = figuresOf(scenario, stages, circumstances)
  return {
    name: scenario,
    question: JUDGES[scenario].question,
    profile,
    settings: circumstances.settings,
    startedAt: startedAt.toISOString(),
    seconds: milliseconds / 1000,
    ...figures,
    requests: {
      sent: all.reduce((sum, { requests }) => sum + requests.length, 0),
      ...(counted !== undefined && { counted }),
      judged,
    },
    facts: judgement.facts,
    plots: [...figures.plots, ...judgement.plots],
  }
}

/** Returns the deployment's own count of requests over all stages. */
function countedRequests(stages: readonly StageEvidence[]): number | undefined {
  let sum = 0
  for (const { counted, plan } of stages) {
    if (counted === undefined) return undefined
    // Some deployments count by the company, others by the credential.
    const isCounted = ({ alias, colleagueOf = '' }: Sender) =>
      !isDeepStrictEqual(counted.get(alias), counted.get(colleagueOf))
    const companies = new Map(
      plan.senders.filter(isCounted).map(sender => [tenantOf(sender), counted.get(sender.alias)]),
    )
    for (const counters of companies.values())
      sum += (counters?.requests.v1 ?? 0) + (counters?.requests.v2 ?? 0)
  }
  return sum
}

/** The input for the record of a load run. */
interface LoadInput {
  run: string
  seed: number
  deployment: { name: string; baseUrl: string; products: readonly Product[] }
  /** What the record says about it besides. */
  tested: Tested
  /** The requested scenarios. */
  scenarios: readonly ScenarioName[]
  results: readonly ScenarioResult[]
  /** Absent if the run ended before k6 was needed. */
  k6?: LoadRecord['k6'] | undefined
  /** Why the run could not be completed. */
  halted?: string | undefined
  requests: { v1: number; v2: number }
  leftovers: Leftover[]
  startedAt: Date
  finishedAt: Date
}

/** Makes the record of a load run. */
export function loadRecord(input: LoadInput): RunRecord {
  const { run, seed, deployment, tested, results, k6, halted, requests, leftovers } = input
  return assemble({
    kit,
    context: { run, seed },
    deployment,
    tested,
    catalogue: loadCatalogue(input.scenarios, results, deployment.products),
    passiveClauses: new Map(),
    collected: { checks: results.flatMap(collected), moduleErrors: [], unhandledErrors: [], ended: true },
    halted,
    ...(k6 !== undefined && { load: { k6, scenarios: figuresOfAll(results) } }),
    requests,
    leftovers,
    startedAt: input.startedAt.toISOString(),
    finishedAt: input.finishedAt.toISOString(),
  })
}

/** Returns the clauses that the scenarios should decide, and the passive rules that the answers could show. */
function loadCatalogue(
  scenarios: readonly ScenarioName[],
  results: readonly ScenarioResult[],
  products: readonly Product[],
): Record<string, Clause> {
  // Promises about v1 products that are not sold are left out.
  const sold = (id: ClauseId): boolean =>
    !isV1Product(CLAUSES[id].area) || products.includes(CLAUSES[id].area)
  const wanted = new Set<string>(scenarios.flatMap(scenario => JUDGES[scenario].clauses.filter(sold)))
  for (const { checks } of results) {
    for (const { report } of checks) {
      for (const id of [...report.clauses, ...report.exercised]) wanted.add(id)
      for (const { clause } of report.findings) wanted.add(clause)
    }
  }
  return Object.fromEntries(Object.entries(CLAUSES).filter(([id]) => wanted.has(id)))
}

/** Returns the number of answered requests by version. */
export function requestsOf(results: readonly ScenarioResult[]): { v1: number; v2: number } {
  const total = { v1: 0, v2: 0 }
  for (const { checks } of results) {
    for (const { report } of checks) {
      total.v1 += report.requests.v1
      total.v2 += report.requests.v2
    }
  }
  return total
}

const figuresOfAll = (results: readonly ScenarioResult[]): LoadRecord['scenarios'] =>
  results.flatMap(({ figures, file, checks }) =>
    figures === undefined ? [] : [{ ...figures, checks: checks.map(({ title }) => idOf(file, title)) }],
  )

function collected({ file, checks, milliseconds }: ScenarioResult): CollectedCheck[] {
  return checks.map(({ title, report }) => ({
    id: idOf(file, title),
    file,
    title: [title],
    tags: [],
    milliseconds: milliseconds / checks.length,
    state: report.stopped?.verdict === 'error' || report.findings.length > 0 ? 'failed' : 'passed',
    errors: [],
    report,
  }))
}
