import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Session } from '../fixtures/client/client.ts'
import type { Role } from '../fixtures/ground/control.ts'
import { steadyNow } from '../fixtures/ground/steady-time.ts'
import { isHandle } from '../fixtures/secrets/token-handle.ts'
import { JUDGES } from './judge/index.ts'
import { PassiveRules } from './judge/passive-rules.ts'
import { bundleScenario, type DefinitionSource } from './plan/bundle.ts'
import type { ProfileName } from './plan/plan.ts'
import { planScenario } from './plan/plan-scenario.ts'
import type { PlanInput } from './plan/scenario-plan.ts'
import { AnswerCollector } from './read/answer-collector.ts'
import type { StageEvidence } from './read/evidence.ts'
import { readStage } from './read/read-stage.ts'
import { EVERY_ANSWER, fileOf, idOf, recordScenario, type ScenarioResult } from './record/scenario-result.ts'
import { RAW } from './run/k6-process.ts'
import { type RunContext, runStages, type StagesRun, type Stopped, stoppedBy } from './run/run-stages.ts'

/** The parameters of one scenario. */
interface ScenarioContext extends PlanInput, Omit<RunContext, 'script'> {
  profile: ProfileName
  /** The source of the definition's adapters, if k6 needs them. */
  source: DefinitionSource | undefined
  session: Session
}

/**
 * Plans a scenario, runs k6, reads its output, judges it and returns its part of the record. If it ends early, that
 * is reported as a stopped check; nothing is thrown.
 *
 * @param context `dir` is the folder of the run
 */
export async function runScenario(context: ScenarioContext): Promise<ScenarioResult> {
  const { scenario, profile, session, deployment } = context
  const startedAt = new Date(steadyNow())
  const header = () => ({ scenario, profile, startedAt, milliseconds: steadyNow() - startedAt.getTime() })
  const { credentials } = deployment
  const rules = new PassiveRules(role => isHandle(credentials[role as Role]?.token ?? ''))
  const collector = new AnswerCollector({
    check: idOf(fileOf(scenario), EVERY_ANSWER),
    recorder: session.recorder,
    ledger: deployment.disposable ? undefined : session.ledger,
    observe: exchange => rules.observe(exchange),
  })
  const stop = (stopped: Stopped) => recordScenario(header(), { stopped }, rules, collector)
  try {
    const plan = planScenario(context)
    const script = await bundleScenario(scenario, context.source)
    const run = await runStages(plan, { ...context, script, dir: join(context.dir, 'raw', scenario) })
    const stages = await readAll(run, stage => readStage(stage, collector))
    if (run.stopped !== undefined) return stop(run.stopped)
    const judgement = JUDGES[scenario].judge(stages, plan)
    return recordScenario(header(), { stages, circumstances: plan, judgement }, rules, collector)
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
