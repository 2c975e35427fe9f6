import { join } from 'node:path'
import { notExercised } from '../fixtures/check/evidence/inconclusive.ts'
import { bundleScenario } from './plan/bundle.ts'
import type { ScenarioName, Sender } from './plan/plan.ts'
import { planScenario } from './plan/plan-scenario.ts'
import { archiveStage } from './run/k6-process.ts'
import { stagePlan } from './run/run-stages.ts'
import { findSenders } from './run/senders.ts'
import type { ScenarioContext } from './run-scenario.ts'

/** Scenarios in which one credential is asked in stages with waits in between, or control takes part. */
const FROM_ONE_MACHINE: ReadonlySet<ScenarioName> = new Set([
  'rate-limit-burst',
  'rate-limit-sustained',
  'timeouts',
])

/**
 * Writes a scenario for k6 processes on other machines: `plan.json` and `archive.tar` in the folder of its stage,
 * neither with a credential. Sends no load.
 *
 * @returns the folder, and whose credentials are needed, in order
 * @throws Inconclusive where the scenario can only be run from one machine
 */
export async function writePlan(
  context: Omit<ScenarioContext, 'session' | 'gate' | 'keepRaw'>,
): Promise<{ dir: string; senders: readonly Sender[] }> {
  const { scenario, deployment } = context
  if (FROM_ONE_MACHINE.has(scenario)) {
    throw notExercised(`${scenario} asks one credential, and not from several machines: run it here`)
  }
  if (deployment.control.mint !== undefined) {
    throw notExercised(
      `${deployment.name} makes credentials for every run, and other machines need some that stay: plan with a definition that has its credentials, and no control.mint`,
    )
  }
  const planned = planScenario(context)
  const [stage] = planned.stages as [(typeof planned.stages)[number]]
  const senders = await findSenders(deployment, stage.senders, new Map())
  const dir = join(context.dir, scenario, stage.name)
  const plan = stagePlan(planned, stage, senders, { ...context, gate: undefined })
  const script = await bundleScenario(scenario, context.source)
  await archiveStage({ k6: context.k6, script, plan, tokens: senders.map(({ token }) => token), dir })
  return { dir, senders: plan.senders }
}
