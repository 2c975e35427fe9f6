import { Stop } from '../fixtures/check/stop.ts'
import type { ApiVersion } from '../fixtures/client/exchange.ts'
import type { Line } from '../fixtures/client/line.ts'
import type { Product } from '../fixtures/deployments/control.ts'
import type { Deployment } from '../fixtures/deployments/definition.ts'
import type { CheckReport } from '../fixtures/record.ts'
import type { ScenarioFigures } from '../fixtures/record-load.ts'
import type { Played } from './conductors/conductor.ts'
import { CONDUCTORS } from './conductors/index.ts'
import type { Desk } from './desk.ts'
import { type Hall, openHall } from './hall.ts'
import { figuresOf } from './judges/figures.ts'
import { JUDGES } from './judges/index.ts'
import type { Answered, LoadFinding, StageEvidence } from './judges/judge.ts'
import { UnreadableOutput } from './lines.ts'
import type { PlannedShapes, ProfileName, ScenarioName, Settings } from './plan.ts'
import { K6Failed } from './process.ts'
import { Interrupted } from './stagehand.ts'

/** What one scenario is performed with. */
export interface Performing {
  deployment: Deployment
  scenario: ScenarioName
  profile: ProfileName
  settings: Settings
  shapes: PlannedShapes
  missing: ReadonlyMap<Product | ApiVersion, Stop>
  /** Of the embedded deployment, to see it found. */
  variant: string | undefined
  /** Path of the executable. */
  k6: string
  /** Folder of the run. */
  dir: string
  /** Whether k6's samples are left in the folder. */
  keepRaw: boolean
  line: Line
  /** Absent where nothing has to be journalled. */
  desk: Desk | undefined
  signal: AbortSignal
  onNotice(sentence: string): void
}

/** One check of a performance, as the record wants it. */
export interface PerformedCheck {
  title: string
  report: CheckReport
}

/** What came of a scenario. */
export interface Performance {
  scenario: ScenarioName
  file: string
  milliseconds: number
  checks: PerformedCheck[]
  /** Absent when nothing was sent. */
  figures?: Omit<ScenarioFigures, 'checks'>
}

/** Title of the check that stands for the rules of every exchange. */
const EVERY_ANSWER = 'every answer under load keeps the rules of every exchange'

/** Performs one scenario and judges it. What cannot be put on is told as a check that was stopped. */
export async function perform(performing: Performing): Promise<Performance> {
  const { scenario, profile } = performing
  const { question, clauses, judge } = JUDGES[scenario]
  const file = `load/scenarios/${scenario}.ts`
  const startedAt = new Date()
  const hall = openHall(performing, idOf(file, EVERY_ANSWER))
  const performed = { scenario, file }
  const milliseconds = () => Date.now() - startedAt.getTime()

  let played: Played
  try {
    played = await CONDUCTORS[scenario].play(hall.hand)
  } catch (error) {
    const stopped = whyStopped(error)
    const checks = [
      reported({ title: question, clauses, exercised: [], findings: [], stopped }, file, 'check'),
      ...(hall.hearing.judged() === 0
        ? []
        : [reported(heard(hall), file, 'passive', hall.hearing.requests())]),
    ]
    hall.writeDown(evidenceOf(checks))
    return { ...performed, milliseconds: milliseconds(), checks }
  }

  const { stages, settings, minted, timeScale = 1 } = played
  const circumstances = { settings, minted, timeScale }
  const judgement = judge(stages, circumstances)
  const checks = [
    ...judgement.answers.map(answered => reported(answered, file, 'check')),
    reported(heard(hall), file, 'passive', hall.hearing.requests()),
  ]
  hall.writeDown(evidenceOf(checks))
  const all = [...stages.values()]
  const counted = countedRequests(all)
  const figures = figuresOf(scenario, stages, circumstances)
  return {
    ...performed,
    milliseconds: milliseconds(),
    checks,
    figures: {
      name: scenario,
      question,
      profile,
      settings,
      startedAt: startedAt.toISOString(),
      seconds: milliseconds() / 1000,
      ...figures,
      requests: {
        sent: all.reduce((sum, { requests }) => sum + requests.length, 0),
        ...(counted === undefined ? {} : { counted }),
        judged: hall.hearing.judged(),
      },
      facts: judgement.facts,
      plots: [...figures.plots, ...judgement.plots],
    },
  }
}

const evidenceOf = (checks: readonly PerformedCheck[]): string[] =>
  checks.flatMap(({ report }) => report.findings.flatMap(({ exchanges }) => exchanges))

/** Why a scenario came to no end. What is neither an arrangement that failed nor an interrupt is the kit's own fault. */
function whyStopped(error: unknown): NonNullable<Answered['stopped']> {
  if (error instanceof Stop) {
    return { verdict: error.verdict === 'blocked' ? 'blocked' : 'not exercised', reason: error.message }
  }
  if (error instanceof Interrupted) return { verdict: 'not exercised', reason: error.message }
  if (error instanceof K6Failed || error instanceof UnreadableOutput) {
    return { verdict: 'error', reason: error.message }
  }
  throw error
}

/** Id of a check of a scenario, as that of any check. */
export const idOf = (file: string, title: string): string => `${file} > ${title}`

/** What the rules of every exchange say of the whole scenario. */
function heard({ hearing }: Hall): Answered {
  const exercised = hearing.exercised()
  return { title: EVERY_ANSWER, clauses: exercised, exercised, findings: hearing.findings() }
}

function reported(
  { title, clauses, exercised, findings, stopped }: Answered,
  file: string,
  source: 'check' | 'passive',
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
