// Stage evidence for tests of judges.
import { type ExchangeParts, exchangeOf } from '../../fixtures/checkers/testing/exchanges.ts'
import { Recorder } from '../../fixtures/client/recording/recorder.ts'
import type { Deployment } from '../../fixtures/deployments/definition/index.ts'
import type { Operation } from '../../fixtures/ground/logged.ts'
import { productIds } from '../../fixtures/ground/products.ts'
import type { Circumstances, ScenarioName, Sender, Settings } from '../plan/plan.ts'
import { SETTINGS } from '../plan/profiles.ts'
import type { LoadExchange, Measure, RequestRow, StageEvidence } from '../read/evidence.ts'
import { ScenarioEvidence } from '../read/scenario-evidence.ts'
import { planOf } from './plans.ts'

/** The start of every stage, unless stated otherwise, in epoch milliseconds. */
export const START = Date.UTC(2027, 0, 1)

let rows = 0

/** Returns a request of `burst` that was served at once, `at` milliseconds after `START`. */
export const request = (at: number, row: Partial<RequestRow> = {}): RequestRow => {
  const op: Operation = row.op ?? 'v2 probe'
  const id = `r${++rows}`
  return {
    id,
    op,
    who: 'burst',
    part: op.slice(0, 2),
    took: 5,
    status: 200,
    errorCode: 0,
    ...row,
    at: START + at,
  }
}

/** Returns a value of a metric, `at` milliseconds after `START`. */
export const measure = (at: number, value: number, tags: Record<string, string> = {}): Measure => ({
  at: START + at,
  value,
  tags,
})

/** The parts of a stage that a test states. The rest is an empty stage. */
export type StageSaid = Partial<Omit<StageEvidence, 'plan' | 'measures'>> & {
  scenario?: ScenarioName
  stage?: string
  settings?: Settings
  senders?: readonly Sender[]
  silence?: number | undefined
  measures?: Record<string, readonly Measure[]>
}

export const SENDER: Sender = { alias: 'burst', role: 'expendable', tenant: 'tenant-1' }

export function stageOf(said: StageSaid = {}): StageEvidence {
  const {
    scenario = 'rate-limit-burst',
    stage = scenario,
    settings,
    senders = [SENDER],
    silence,
    ...rest
  } = said
  const requests = [...(said.requests ?? [])].sort((one, other) => one.at - other.at)
  const plan = planOf({
    scenario,
    stage,
    senders,
    settings: { ...SETTINGS[scenario].ci, ...settings },
    ...(silence !== undefined && { silence }),
  })
  return {
    startedAt: requests[0]?.at ?? START,
    finishedAt: Math.max(START, ...requests.slice(-500).map(({ at, took }) => at + took)),
    iterations: { completed: requests.length, dropped: 0 },
    vitals: [],
    ...rest,
    plan,
    requests,
    measures: new Map(Object.entries(said.measures ?? {})),
  }
}

/** Returns stages by name. */
export const staged = (...stages: StageEvidence[]): ReadonlyMap<string, StageEvidence> =>
  new Map(stages.map(stage => [stage.plan.stage, stage]))

/** Returns the circumstances of a deployment that mints, with a clock in real time. */
export const circumstancesOf = (
  scenario: ScenarioName,
  { settings, ...rest }: Partial<Circumstances> = {},
): Circumstances => ({
  settings: { ...SETTINGS[scenario].ci, ...settings },
  minted: true,
  timeScale: 1,
  ...rest,
})

/** Returns the exchange of a request, as read from the answer log. */
export function exchangeFor(
  row: RequestRow,
  said: ExchangeParts = {},
  sender: Sender = SENDER,
): LoadExchange {
  const { role, tenant } = sender
  return {
    ...exchangeOf({ path: `/api/${row.op.slice(0, 2)}/probe`, status: row.status, ...said }),
    sender: { role, ...(tenant !== undefined && { tenant }) },
    startedAt: new Date(row.at).toISOString(),
    milliseconds: row.took,
    op: row.op,
    part: row.part,
    who: row.who,
  }
}

/** Returns the evidence of a scenario, and the recorder that it listens to. */
export function judging(scenario: ScenarioName, dir: string | null = null) {
  const recorder = new Recorder({ dir, worker: 0 })
  const deployment = {
    products: productIds,
    control: { async mint() {} },
    credentials: {},
    traffic: { perMinute: 500 },
    limits: {},
  } as unknown as Deployment
  return { recorder, evidence: new ScenarioEvidence('a check', scenario, { deployment, recorder }) }
}
