import type { CheckReport } from '../../fixtures/record.ts'
import type { ScenarioFigures } from '../../fixtures/record-load.ts'
import { figuresOf } from '../judge/figures.ts'
import { JUDGES } from '../judge/index.ts'
import type { Answered, Circumstances, LoadFinding, StageEvidence } from '../judge/judge.ts'
import type { ScenarioName } from '../plan/plan.ts'
import type { Audience } from '../read/collector.ts'

/** One check of a performance, as the record wants it. */
export interface PerformedCheck {
  title: string
  report: CheckReport
}

/** What came of a scenario, or of what prepared them. */
export interface Performance {
  /** What its checks are filed under. */
  file: string
  milliseconds: number
  checks: PerformedCheck[]
  /** Absent when nothing was sent. */
  figures?: Omit<ScenarioFigures, 'checks'>
}

/** What is known of a performance beside what its stages left. */
export interface Bill {
  scenario: ScenarioName
  /** Name of the profile. */
  profile: string
  startedAt: Date
  milliseconds: number
}

/** Title of the check that stands for the rules of every exchange. */
export const EVERY_ANSWER = 'every answer under load keeps the rules of every exchange'

/** File that checks of a scenario are filed under. */
export const fileOf = (scenario: ScenarioName): string => `load/scenarios/${scenario}.ts`

/** Id of a check of a scenario, as that of any check. */
export const idOf = (file: string, title: string): string => `${file} > ${title}`

/** Judges a scenario that was played to its end. */
export function conclude(
  { scenario, profile, startedAt, milliseconds }: Bill,
  stages: ReadonlyMap<string, StageEvidence>,
  circumstances: Circumstances,
  audience: Audience,
): Performance {
  const { question, judge } = JUDGES[scenario]
  const file = fileOf(scenario)
  const judgement = judge(stages, circumstances)
  const checks = [...judgement.answers.map(answered => reported(answered, file)), ...heard(audience, file)]
  audience.writeDown(evidenceOf(checks))
  const all = [...stages.values()]
  const counted = countedRequests(all)
  const figures = figuresOf(scenario, stages, circumstances)
  return {
    file,
    milliseconds,
    checks,
    figures: {
      name: scenario,
      question,
      profile,
      settings: circumstances.settings,
      startedAt: startedAt.toISOString(),
      seconds: milliseconds / 1000,
      ...figures,
      requests: {
        sent: all.reduce((sum, { requests }) => sum + requests.length, 0),
        ...(counted === undefined ? {} : { counted }),
        judged: audience.hearing.judged(),
      },
      facts: judgement.facts,
      plots: [...figures.plots, ...judgement.plots],
    },
  }
}

/** What is known of a scenario that was stopped: why, and what its answers showed until then. */
export function concludeEarly(
  { scenario, milliseconds }: Bill,
  stopped: NonNullable<Answered['stopped']>,
  audience: Audience,
): Performance {
  const { question, clauses } = JUDGES[scenario]
  const file = fileOf(scenario)
  const unanswered = reported({ title: question, clauses, exercised: [], findings: [], stopped }, file)
  const checks = [unanswered, ...heard(audience, file)]
  audience.writeDown(evidenceOf(checks))
  return { file, milliseconds, checks }
}

const evidenceOf = (checks: readonly PerformedCheck[]): string[] =>
  checks.flatMap(({ report }) => report.findings.flatMap(({ exchanges }) => exchanges))

/** What the rules of every exchange say of the whole scenario. */
function heard({ hearing }: Audience, file: string): PerformedCheck[] {
  if (hearing.judged() === 0) return []
  const exercised = hearing.exercised()
  const answered = { title: EVERY_ANSWER, clauses: exercised, exercised, findings: hearing.findings() }
  return [reported(answered, file, 'passive', hearing.requests())]
}

function reported(
  { title, clauses, exercised, findings, stopped }: Answered,
  file: string,
  source: 'check' | 'passive' = 'check',
  requests = { v1: 0, v2: 0 },
): PerformedCheck {
  const check = idOf(file, title)
  const told = (finding: LoadFinding) => ({ ...finding, source, check })
  return {
    title,
    report: {
      clauses: [...clauses],
      exercised: [...exercised],
      findings: findings.map(told),
      ...(stopped === undefined ? {} : { stopped }),
      requests,
      properties: [],
    },
  }
}

/** What the deployment counted itself in all stages; colleagues share one count. */
function countedRequests(stages: readonly StageEvidence[]): number | undefined {
  let sum = 0
  for (const { counted, plan } of stages) {
    if (counted === undefined) return undefined
    const companies = new Map(plan.senders.map(({ alias, tenant }) => [tenant ?? alias, counted.get(alias)]))
    for (const counters of companies.values()) {
      sum += (counters?.requests.v1 ?? 0) + (counters?.requests.v2 ?? 0)
    }
  }
  return sum
}
