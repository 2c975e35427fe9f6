import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { notExercised, type Stop } from '../../fixtures/check/stop.ts'
import type { ApiVersion } from '../../fixtures/client/exchange.ts'
import type { Product, TenantWish } from '../../fixtures/deployments/control.ts'
import type { Deployment, Role } from '../../fixtures/deployments/definition.ts'
import type { StageEvidence } from '../judge/judge.ts'
import type { Plan, PlannedShapes, ScenarioName, Sender, Settings } from '../plan/plan.ts'
import { UnreadableOutput } from '../read/lines.ts'
import { readSamples } from '../read/samples.ts'
import { archiveStage, RAW, runK6 } from './k6-process.ts'
import { type Cast, castAs, standingCount, standingPool, tenantOf } from './senders.ts'
import { countersOf, countersSince, watching } from './watch.ts'

/** Longest that a request is remembered by any reading of "a minute", with a second for clocks that differ. */
export const A_MINUTE = 61

/** What a conductor works with: who sends, how time passes, and k6. */
export interface Stagehand {
  deployment: Deployment
  scenario: ScenarioName
  settings: Settings
  shapes: PlannedShapes
  /** Whether companies can be made, and as many as are needed. */
  mints: boolean
  /** What cannot be had here, with the reason: products that nobody sells, versions that do not answer. */
  missing: ReadonlyMap<Product | ApiVersion, Stop>
  /** How many credentials of the definition may carry ordinary load. */
  standing(): number
  onNotice(sentence: string): void
  /** Fills a role under a name that figures and findings will use. @throws Stop where nobody can fill it */
  cast(alias: string, role?: Role, wish?: TenantWish): Promise<Cast>
  /** Enough senders for so many requests a second (v1 and v2 apart), each within the documented rate. */
  pool(requestsPerSecond: number): Promise<Cast[]>
  /** Requests a second that may be sent by so many senders of the definition, or by any number of minted ones. */
  affordable(senders: number): number
  /** Lets seconds of the deployment's clock pass for these: its clock is moved where it can be, else they are waited for. */
  pass(seconds: number, casts: readonly Cast[], why: string): Promise<void>
  /** Runs k6 once. `speed` times as much time passes on the clocks of the senders. */
  run(stage: string, casts: readonly Cast[], options?: StageOptions): Promise<StageEvidence>
}

export interface StageOptions {
  settings?: Settings
  speed?: number
  /** Iterations a second that an open model is to start. */
  intendedRate?: number
}

export interface StagehandOptions {
  deployment: Deployment
  scenario: ScenarioName
  settings: Settings
  shapes: PlannedShapes
  missing: ReadonlyMap<Product | ApiVersion, Stop>
  variant: string | undefined
  k6: string
  /** Folder of the scenario's raw output. */
  dir: string
  /** Whether stages are planned for other machines instead of being played: every one throws `Planned`. */
  onlyPlan?: boolean
  nonce: string
  desk: DeskOfStage | undefined
  signal: AbortSignal
  onNotice(sentence: string): void
  /** Takes in what the console of a stage holds, and removes it. */
  onStage(evidence: StageEvidence, spool: string): Promise<StageEvidence>
  onCast(cast: Cast): void
}

/** The run was interrupted while a scenario was performed; what had been heard by then still counts. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor() {
    super('it was interrupted')
  }
}

/** A stage was planned for other machines instead of being played. */
export class Planned extends Error {
  override readonly name = 'Planned'
  /** Folder of the plan. */
  readonly dir: string
  /** Whose credentials are needed, in that order. */
  readonly senders: readonly Sender[]

  constructor(dir: string, senders: readonly Sender[]) {
    super(`planned in ${dir}`)
    this.dir = dir
    this.senders = senders
  }
}

/** What a stage has to know of the desk. */
export interface DeskOfStage {
  url: string
  /** Why nothing more may be booked; `undefined` as long as anything may. */
  refusal(): string | undefined
  /** Says whose credential goes by which alias. */
  knows(casts: readonly Cast[]): void
}

/** The share of the documented rate that is used: the rest is for requests that were under way. */
const WITHIN = 480 / 60

/** Milliseconds that clients are asked to let pass between two polls of a search, at least. */
const POLITE = 1000

/** The settings as they may be used: a deployment that is not just there for the run is not polled too often. */
function fairSettings({ settings, deployment }: StagehandOptions): Settings {
  const { pollEvery } = settings
  if (pollEvery === undefined || deployment.disposable) return settings
  return { ...settings, pollEvery: Math.max(pollEvery, POLITE) }
}

export function createStagehand(options: StagehandOptions): Stagehand {
  const { deployment, scenario, shapes, variant, signal } = options
  const settings = fairSettings(options)
  const { control, traffic } = deployment
  const mints = control.mint !== undefined

  const castOne: Stagehand['cast'] = async (alias, role = 'standard', wish = {}) => {
    const one = await castAs(deployment, alias, role, wish, variant)
    options.onCast(one)
    return one
  }

  const affordable: Stagehand['affordable'] = senders => {
    const { maxRate = Number.POSITIVE_INFINITY } = deployment.load
    return Math.min(maxRate, mints ? Number.POSITIVE_INFINITY : (senders * traffic.perMinute) / 60)
  }

  return {
    deployment,
    scenario,
    settings,
    shapes,
    mints,
    missing: options.missing,
    standing: () => standingCount(deployment),
    onNotice: options.onNotice,
    cast: castOne,
    affordable,

    async pool(requestsPerSecond) {
      if (!mints) {
        const pool = await standingPool(deployment)
        for (const one of pool) options.onCast(one)
        return pool
      }
      const count = Math.max(2, Math.ceil(requestsPerSecond / WITHIN))
      return Promise.all(Array.from({ length: count }, (_, index) => castOne(`company ${index + 1}`)))
    },

    async pass(seconds, casts, why) {
      if (control.advanceClock !== undefined) {
        await Promise.all(casts.map(({ sender }) => control.advanceClock!(tenantOf(sender), seconds)))
        return
      }
      options.onNotice(`Waiting ${seconds} seconds: ${why}.`)
      await pause(seconds * 1000, undefined, { signal }).catch(() => {
        throw new Interrupted()
      })
    },

    async run(stage, casts, { settings: further = {}, speed = 1, intendedRate } = {}) {
      const { baseUrl, products } = deployment
      const plan: Plan = {
        scenario,
        stage,
        baseUrl,
        settings: { ...settings, ...further },
        senders: casts.map(({ sender }) => sender),
        products,
        shapes,
        nonce: options.nonce,
        ...(options.desk === undefined ? {} : { desk: options.desk.url }),
        spoolEvery: 1,
        ...(intendedRate === undefined ? {} : { intendedRate }),
      }
      const dir = join(options.dir, stage)
      const tokens = casts.map(({ token }) => token)
      if (options.onlyPlan) {
        await archiveStage({ k6: options.k6, plan, tokens, dir })
        throw new Planned(
          dir,
          casts.map(({ sender }) => sender),
        )
      }
      options.desk?.knows(casts)
      const before = await countersOf(deployment, casts)
      const watch = watching(deployment, casts, speed)
      const ended = await runK6({
        k6: options.k6,
        plan,
        tokens,
        dir,
        signal,
      })
        .catch(async (error: unknown) => {
          // What was answered by then still counts, as far as it can be read.
          await options.onStage(nothingMeasured(plan), join(dir, RAW.spool)).catch(() => {})
          const why = options.desk?.refusal()
          throw why === undefined ? error : notExercised(why)
        })
        .finally(() => watch.stop())
      const counted = await countersSince(deployment, casts, before)
      const { requests, measures, iterations } = await readSamples(join(dir, RAW.samples))
      const evidence = await options.onStage(
        {
          plan,
          startedAt: ended.startedAt,
          finishedAt: ended.finishedAt,
          requests,
          measures,
          iterations,
          ...(intendedRate === undefined ? {} : { intendedRate }),
          exchanges: [],
          failures: [],
          ...(counted === undefined ? {} : { counted }),
          vitals: watch.vitals,
        },
        join(dir, RAW.spool),
      )
      if (ended.interrupted) throw new Interrupted()
      const heard = evidence.exchanges.length + evidence.failures.length
      // k6 goes on where it cannot write, and says nothing that could be relied on.
      if (heard === requests.length) return evidence
      throw new UnreadableOutput(
        `k6 left ${requests.length} samples and ${heard} answers of ${stage} in ${dir}, and should have left as many of each: see whether the disk is full, or give another folder with --out.`,
      )
    },
  }
}

/** What a stage comes to of which k6 left nothing that could be measured. */
const nothingMeasured = (plan: Plan): StageEvidence => ({
  plan,
  startedAt: Date.now(),
  finishedAt: Date.now(),
  requests: [],
  measures: new Map(),
  iterations: { completed: 0, dropped: 0 },
  exchanges: [],
  failures: [],
  vitals: [],
})
