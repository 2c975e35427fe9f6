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

/** The result of a scenario, or of the requests before them, as the record wants it. */
export interface ScenarioResult {
  /** The file that its checks stand under. */
  file: string
  milliseconds: number
  checks: { title: string; report: CheckReport }[]
  /** Absent when nothing was measured. */
  figures?: Omit<ScenarioFigures, 'checks'>
}

/** The facts of a scenario beside what its stages left. */
export interface ScenarioHeader {
  scenario: ScenarioName
  /** Name of the profile. */
  profile: string
  startedAt: Date
  milliseconds: number
}

/** The end of a scenario: judged, or stopped before that. */
export type ScenarioEnd =
  | { stages: ReadonlyMap<string, StageEvidence>; circumstances: Circumstances; judgement: Judgement }
  | { stopped: NonNullable<Answered['stopped']> }

/** Title of the check that stands for the rules of every exchange. */
export const EVERY_ANSWER = 'every answer under load keeps the rules of every exchange'

/** Returns the file that checks of a scenario stand under. */
export const fileOf = (scenario: ScenarioName): string => `load/scenarios/${scenario}.ts`

/** Returns the id of a check, as that of any check. */
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

/** Says in each finding of what share of the journeys it is, where not all of them were judged. */
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

/** Returns the share of the journeys that were judged, and how many answers that was, where it is not all of them. */
function shareFacts({ judge = 1 }: Settings, stages: readonly StageEvidence[]): Judgement['facts'] {
  if (judge >= 1) return []
  const requests = stages.flatMap(stage => stage.requests)
  const count = requests.filter(({ light }) => !light).length
  const value = `${percent(judge)} (${count} of ${requests.length} requests)`
  return [{ name: 'journeys whose answers were judged, and not only counted', value }]
}

/** Returns the check of the passive rules over the whole scenario; none where nothing was answered. */
function passiveCheck(rules: PassiveRules, file: string): ScenarioResult['checks'] {
  if (rules.judged === 0) return []
  rules.close()
  const exercised = rules.exercised()
  const answered = { title: EVERY_ANSWER, clauses: exercised, exercised, findings: rules.findings() }
  return [checkOf(answered, file, 'passive', rules.requests)]
}

/** Returns the check that a question and what came of it are. */
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
      // What load finds comes of requests that are sent at once.
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

/** Returns what the deployment counted itself in all stages. */
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
