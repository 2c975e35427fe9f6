import { randomBytes } from 'node:crypto'
import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSession, type Session } from '../fixtures/client/client.ts'
import { halt, halted, type Shared } from '../fixtures/client/pace/index.ts'
import { DefinitionError, type Deployment } from '../fixtures/deployments/definition/index.ts'
import type { LoadRecord } from '../fixtures/ground/record-load.ts'
import { steadyNow } from '../fixtures/ground/time.ts'
import { incomplete, wrongCall } from '../fixtures/run/failure.ts'
import { cautionsOf, whyUnreachable } from '../fixtures/run/preflight/preflight.ts'
import {
  type Ended,
  type Place,
  runAgainst,
  type Started,
  tellEndLater,
} from '../fixtures/run/run-against.ts'
import { tooLate } from '../fixtures/run/time.ts'
import { checksOfMissing, discover, evidenceOfDiscovery, resultOfDiscovery } from './discovery.ts'
import { JUDGES } from './judge/index.ts'
import { findK6, NoK6 } from './k6/index.ts'
import { adaptersForK6, bundleScenario, type DefinitionSource, sourceForK6 } from './plan/bundle.ts'
import type { ProfileName, ScenarioName, Settings } from './plan/plan.ts'
import { defaultLoadDuration, planScenario, whyNotArchived } from './plan/plan-scenario.ts'
import type { PlanInput } from './plan/scenario-plan.ts'
import { AnswerCollector } from './read/answer-collector.ts'
import type { StageEvidence } from './read/evidence.ts'
import { readStage } from './read/read-stage.ts'
import { ScenarioEvidence } from './read/scenario-evidence.ts'
import {
  EVERY_ANSWER,
  fileOf,
  idOf,
  recordScenario,
  requestsOf,
  type ScenarioResult,
} from './record/scenario-result.ts'
import { openBookingGate } from './run/booking-gate.ts'
import { RAW } from './run/k6-process.ts'
import {
  archiveStage,
  type RunContext,
  runStages,
  type StagesRun,
  type Stopped,
  stoppedBy,
} from './run/run-stages.ts'

/** The parameters of one scenario. */
interface ScenarioContext extends PlanInput, Omit<RunContext, 'script'> {
  profile: ProfileName
  /** The source of the definition's adapters, if k6 needs them. */
  source: DefinitionSource | undefined
  session: Session
  archive: LoadPlan['archive']
}

/**
 * Plans a scenario, runs k6, reads its output, judges it and returns its part of the record. If it ends early, that
 * is reported as a stopped check; nothing is thrown.
 *
 * @param context `dir` is the folder of the run
 */
async function runScenario(context: ScenarioContext): Promise<ScenarioResult> {
  const { scenario, profile, session, deployment } = context
  const startedAt = new Date(steadyNow())
  const header = () => ({ scenario, profile, startedAt, milliseconds: steadyNow() - startedAt.getTime() })
  const { recorder } = session
  const evidence = new ScenarioEvidence(idOf(fileOf(scenario), EVERY_ANSWER), scenario, {
    deployment,
    recorder,
  })
  const ledger = deployment.disposable ? undefined : session.ledger
  const collector = new AnswerCollector({ recorder, ledger, evidence })
  const stop = (stopped: Stopped) => recordScenario(header(), { stopped }, evidence, recorder)
  try {
    const plan = planScenario(context)
    const script = await bundleScenario(scenario, context.source)
    if (context.archive !== undefined) {
      const { file, onWritten } = context.archive
      const dir = join(context.dir, 'archive')
      onWritten(await archiveStage(plan, { ...context, script, dir }, file))
      return { file: fileOf(scenario), milliseconds: 0, checks: [] }
    }
    const run = await runStages(plan, { ...context, script, dir: join(context.dir, 'raw', scenario) })
    const stages = await readAll(run, stage => readStage(stage, collector))
    if (run.stopped !== undefined) return stop(run.stopped)
    const judgement = JUDGES[scenario].judge(stages, plan)
    return recordScenario(header(), { stages, circumstances: plan, judgement }, evidence, recorder)
  } catch (error) {
    return stop(stoppedBy(error))
  }
}

/** Reads every stage, and then always removes confidential files. */
async function readAll(
  { stages }: StagesRun,
  read: (stage: StagesRun['stages'][number]) => Promise<StageEvidence>,
): Promise<Map<string, StageEvidence>> {
  const evidence = new Map<string, StageEvidence>()
  try {
    for (const stage of stages) evidence.set(stage.plan.stage, await read(stage))
    return evidence
  } finally {
    for (const { dir } of stages) clearAway(dir)
  }
}

/** Keeps k6's dashboard and log of a stage, and nothing that k6 measured or was answered. */
function clearAway(dir: string): void {
  const drop = (name: string) => rmSync(join(dir, name), { force: true })
  for (const name of [RAW.answers, RAW.authorities, RAW.script, RAW.plan, RAW.samples]) drop(name)
  if (statSync(join(dir, RAW.log), { throwIfNoEntry: false })?.size === 0) drop(RAW.log)
  for (const folder of [dir, dirname(dir), dirname(dirname(dir))]) {
    if (readdirSync(folder).length > 0) return
    rmdirSync(folder)
  }
}

/** The parameters of a load run. */
interface LoadPlan extends Omit<Place, 'launch'> {
  scenarios: ReadonlyMap<ScenarioName, Settings>
  profile: ProfileName
  /** A deviant or benign variant for its tenants; only if the deployment mints them. */
  variant?: string | undefined
  /** Where the scenario is written for other machines instead of being run, and who is told which credentials they need. */
  archive?: { file: string; onWritten(credentials: readonly string[]): void } | undefined
}

/** The result of a load run before it is recorded. */
interface FinishedLoad extends Omit<Ended<unknown>, 'result'> {
  scenarios: ReadonlyMap<ScenarioName, Settings>
  /** Absent if the run ended before k6 was needed. */
  k6?: LoadRecord['k6']
  results: ScenarioResult[]
}

/**
 * Runs scenarios one after the other in `runAgainst`: checks that load is allowed, finds k6, runs discovery and
 * then k6. @throws {DefinitionError | Failure} before anything is sent
 */
export async function runLoad(plan: LoadPlan): Promise<FinishedLoad> {
  let k6: FoundK6 | undefined
  const { result, ...ended } = await runAgainst(plan, {
    accept(deployment) {
      insistOnWelcome(deployment)
      if (plan.archive !== undefined) insistOnArchivable(plan, deployment)
      return plan.maxDuration ?? defaultLoadDuration(deployment, plan.scenarios)
    },
    async prepare({ signal }) {
      k6 = await k6For(plan, signal)
    },
    async work(started) {
      const results: ScenarioResult[] = []
      // Other machines have no control.
      const deployment = plan.archive ? { ...started.deployment, control: {} } : started.deployment
      for (const caution of cautionsOf(started.deployment)) plan.onNotice(`Look at this: ${caution}.`)
      const telling = tellEndLater(plan, started.longest)
      // Does not wait for control that never answers.
      await Promise.race([
        insistOnVariant(plan, deployment).then(() =>
          runAll(plan, { ...started, deployment, k6: k6!, results }),
        ),
        tooLate(started.signal),
      ]).finally(() => clearTimeout(telling))
      return results
    },
  })
  const { scenarios } = plan
  if (result === undefined) return { ...ended, scenarios, results: [] }
  const answered = requestsOf(result)
  return {
    ...ended,
    scenarios,
    k6: { version: k6!.version, source: k6!.source },
    results: result,
    requests: { v1: answered.v1 + ended.requests.v1, v2: answered.v2 + ended.requests.v2 },
  }
}

/** @throws {DefinitionError} if load is not allowed */
function insistOnWelcome({ name, baseUrl, load }: Deployment): void {
  if (load.allowed) return
  throw new DefinitionError(`Deployment ${name}`, [
    `it is not on this machine (${baseUrl}), and its definition does not say that load is welcome there: add load: { allowed: true, maxRate: … } with the requests a second that its operators agreed to`,
  ])
}

/** @throws {Failure} if no archive can hold the scenarios */
function insistOnArchivable({ scenarios }: LoadPlan, deployment: Deployment): void {
  const why = whyNotArchived([...scenarios.keys()], deployment)
  if (why !== undefined) throw wrongCall(`No archive can be made: ${why}.`)
}

/** @throws {Failure} if tenants with it cannot be created */
async function insistOnVariant({ variant }: LoadPlan, { control, name }: Deployment): Promise<void> {
  if (variant === undefined) return
  if (control.mint === undefined) {
    throw wrongCall(
      `--variant ${variant} needs a deployment that makes tenants, as the embedded one does; ${name} does not.`,
    )
  }
  await control.mint({ variant }).catch((error: unknown) => {
    throw wrongCall(`There is no variant ${variant} of ${name}: ${(error as Error).message}`, {
      cause: error,
    })
  })
}

type FoundK6 = Awaited<ReturnType<typeof findK6>>

/** Finds k6; `undefined` if the run ends first. */
async function k6For({ onNotice }: LoadPlan, signal: AbortSignal): Promise<FoundK6 | undefined> {
  try {
    return await findK6({ onProgress: onNotice, signal })
  } catch (error) {
    if (signal.aborted) return undefined
    if (error instanceof NoK6)
      throw (error.fault === 'call' ? wrongCall : incomplete)(error.message, { cause: error })
    throw error
  }
}

/** Runs the scenarios of a plan. Each result is added to `results`. */
async function runAll(
  plan: LoadPlan,
  started: Started & { k6: FoundK6; results: ScenarioResult[] },
): Promise<void> {
  const { deployment, definition, folder, k6, shared, signal, results } = started
  const patience = deployment.traffic.patience * 60_000
  const session = openSession({ deployment, shared, worker: 0, dir: folder.path, limits: { patience } })
  const gate = deployment.disposable ? undefined : await openBookingGate({ shared, ...session, patience })
  try {
    const { tryAdapter, source } = await adaptersForK6(sourceForK6(deployment, definition))
    const looking = evidenceOfDiscovery(deployment, session)
    const { evidence } = looking
    const discovered = await discover({ ...started, session, tryAdapter, evidence }).finally(() =>
      results.push(resultOfDiscovery(session, looking)),
    )
    results.at(-1)!.checks.push(...checksOfMissing(discovered, session))
    for (const [scenario, settings] of plan.scenarios) {
      if (results.length > 1) await lookAgain(deployment, shared)
      if (halted(shared) !== null) break
      plan.onNotice(`${scenario} (${plan.profile})`)
      const result = await runScenario({
        deployment,
        scenario,
        profile: plan.profile,
        settings,
        ...discovered,
        source,
        variant: plan.variant,
        k6: k6.path,
        nonce: `${plan.seed.toString(36)}-${randomBytes(4).toString('hex')}`,
        signal,
        onNotice: plan.onNotice,
        dir: folder.path,
        session,
        archive: plan.archive,
        gate,
      })
      results.push(result)
    }
  } catch (error) {
    // Requests in flight fail only because the run was stopped.
    if (halted(shared) === null) throw error
  } finally {
    await gate?.close()
    await session.close()
  }
}

/** Ends the run if the deployment no longer answers. */
async function lookAgain(deployment: Deployment, shared: Shared): Promise<void> {
  if (deployment.disposable) return
  for (let looks = 1; ; looks++) {
    const obstacle = await whyUnreachable(deployment, { shared })
    if (obstacle === undefined) return
    if (looks === LOOKS) return halt(shared, 'unreachable', obstacle)
    await pause(BETWEEN_LOOKS)
  }
}

/** A single failed connection is not enough. */
const LOOKS = 3
const BETWEEN_LOOKS = 1000
