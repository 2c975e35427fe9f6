import { isDeepStrictEqual } from 'node:util'
import type { CheckReport } from '../../fixtures/check-report.ts'
import type { ScenarioFigures } from '../../fixtures/record-load.ts'
import { figuresOf } from '../judge/figures/figures.ts'
import { JUDGES } from '../judge/index.ts'
import type { Answered, Judgement } from '../judge/judge.ts'
import type { PassiveRules } from '../judge/passive-rules.ts'
import { identityOf } from '../judge/rate-limits/limits.ts'
import type { Circumstances, ScenarioName, Sender, Settings } from '../plan/plan.ts'
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
export interface ScenarioHeader {
  scenario: ScenarioName
  /** The name of the profile. */
  profile: string
  startedAt: Date
  milliseconds: number
}

/** The end of a scenario: judged, or stopped earlier. */
export type ScenarioEnd =
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
  if (!('stopped' in end)) tellShare(checks, end.circumstances.settings)
  collector.write(checks.flatMap(({ report }) => report.findings.flatMap(({ exchanges }) => exchanges)))
  if ('stopped' in end) return { file, milliseconds, checks }
  return { file, milliseconds, checks, figures: figuresFor(header, end, rules) }
}

/** States in each finding which share of the journeys was judged, if not all. */
function tellShare(checks: ScenarioResult['checks'], { judge = 1 }: Settings): void {
  if (judge >= 1) return
  for (const { report } of checks) {
    for (const finding of report.findings)
      finding.message += ` (${percent(judge)} of the journeys were judged)`
  }
}

const percent = (share: number): string => `${Math.round(10_000 * share) / 100} %`

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
      ...(counted === undefined ? {} : { counted }),
      judged: rules.judged,
    },
    facts: [...shareFacts(circumstances.settings, all), ...judgement.facts],
    plots: [...figures.plots, ...judgement.plots],
  }
}

/** Returns the share of the journeys that was judged, and the number of answers, if not all. */
function shareFacts({ judge = 1 }: Settings, stages: readonly StageEvidence[]): Judgement['facts'] {
  if (judge >= 1) return []
  const requests = stages.flatMap(stage => stage.requests)
  const count = requests.filter(({ light }) => !light).length
  const value = `${percent(judge)} (${count} of ${requests.length} requests)`
  return [{ name: 'journeys whose answers were judged, and not only counted', value }]
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
        ...(source === 'check' ? { chance: true } : {}),
        source,
        check,
      })),
      ...(stopped === undefined ? {} : { stopped }),
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
