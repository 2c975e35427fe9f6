import { isDeepStrictEqual } from 'node:util'
import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES, type ClauseId } from '../../fixtures/clauses/index.ts'
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
import type { Answered, Judgement } from '../judge/judge.ts'
import type { PassiveRules } from '../judge/passive-rules.ts'
import { identityOf } from '../judge/rate-limits.ts'
import type { Circumstances, ScenarioName, Sender } from '../plan/plan.ts'
import type { AnswerCollector } from '../read/answer-collector.ts'
import type { StageEvidence } from '../read/evidence.ts'

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
  | { stopped: NonNullable<Answered['stopped']> }

/** The title of the check for the passive rules. */
export const EVERY_ANSWER = 'every answer under load keeps the rules of every exchange'

/** Returns the file that the checks of a scenario belong to. */
export const fileOf = (scenario: ScenarioName): string => `load/scenarios/${scenario}.ts`

/** Returns the id of a check. */
export const idOf = (file: string, title: string): string => `${file} > ${title}`

/** Makes the checks and figures of a scenario, and writes the exchanges that its findings cite. */
export function recordScenario(
  header: ScenarioHeader,
  end: ScenarioEnd,
  rules: PassiveRules,
  collector: Pick<AnswerCollector, 'write'>,
): ScenarioResult {
  const { scenario, milliseconds } = header
  const { question, clauses } = JUDGES[scenario]
  const file = fileOf(scenario)
  const answers =
    'stopped' in end
      ? [{ title: question, clauses, exercised: [], findings: [], stopped: end.stopped }]
      : end.judgement.answers
  const checks = [...answers.map(answered => checkOf(answered, file)), ...passiveCheck(rules, file)]
  collector.write(checks.flatMap(({ report }) => report.findings.flatMap(({ exchanges }) => exchanges)))
  if ('stopped' in end) return { file, milliseconds, checks }
  return { file, milliseconds, checks, figures: figuresFor(header, end, rules) }
}

function figuresFor(
  { scenario, profile, startedAt, milliseconds }: ScenarioHeader,
  { stages, circumstances, judgement }: Exclude<ScenarioEnd, { stopped: unknown }>,
  rules: PassiveRules,
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
      judged: rules.judged,
    },
    facts: judgement.facts,
    plots: [...figures.plots, ...judgement.plots],
  }
}

/** Returns the check of the passive rules for the whole scenario, if anything was answered. */
function passiveCheck(rules: PassiveRules, file: string): ScenarioResult['checks'] {
  if (rules.judged === 0) return []
  rules.close()
  const exercised = rules.exercised()
  const answered = { title: EVERY_ANSWER, clauses: exercised, exercised, findings: rules.findings() }
  return [checkOf(answered, file, 'passive', rules.requests)]
}

/** Converts a question and its answer to a check. */
export function checkOf(
  { title, clauses, exercised, findings, stopped }: Answered,
  file: string,
  source: 'check' | 'passive' = 'check',
  requests = { v1: 0, v2: 0 },
): ScenarioResult['checks'][number] {
  const check = idOf(file, title)
  return {
    title,
    report: {
      clauses: [...clauses],
      exercised: [...exercised],
      // Findings of load come from concurrent requests.
      findings: findings.map(finding => ({
        ...finding,
        ...(source === 'check' && { chance: true }),
        source,
        check,
      })),
      ...(stopped !== undefined && { stopped }),
      requests,
      properties: [],
    },
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
      plan.senders.filter(isCounted).map(sender => [identityOf(sender), counted.get(sender.alias)]),
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
