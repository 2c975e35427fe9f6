import { join } from 'node:path'
import { notExercised } from '../../fixtures/check/stop.ts'
import type { ScenarioName } from '../plan/plan.ts'
import { CONDUCTORS } from '../plan/scenario-plan.ts'
import type { Performing } from '../run-scenario.ts'
import { createStagehand, Planned } from './run-stages.ts'

/** Scenarios in which one credential is asked in stages with waits in between, or control takes part. */
const FROM_ONE_MACHINE: ReadonlySet<ScenarioName> = new Set([
  'rate-limit-burst',
  'rate-limit-sustained',
  'timeouts',
])

/**
 * Plans a scenario for k6 processes on other machines: `plan.json` and `archive.tar` in the folder of its stage, neither
 * with a credential. No load is sent.
 *
 * @throws Stop where it can only be put on from one machine
 */
export async function planAway(performing: Omit<Performing, 'line' | 'desk' | 'keepRaw'>): Promise<Planned> {
  const { scenario, deployment } = performing
  if (FROM_ONE_MACHINE.has(scenario)) {
    throw notExercised(`${scenario} asks one credential, and not from several machines: run it here`)
  }
  if (deployment.control.mint !== undefined) {
    throw notExercised(
      `${deployment.name} makes credentials for every run, and other machines need some that stay: plan with a definition that has its credentials, and no control.mint`,
    )
  }
  const hand = createStagehand({
    ...performing,
    desk: undefined,
    dir: join(performing.dir, scenario),
    onlyPlan: true,
    onCast() {},
    onStage: async evidence => evidence,
  })
  try {
    await CONDUCTORS[scenario].play(hand)
  } catch (error) {
    if (error instanceof Planned) return error
    throw error
  }
  throw new Error(`${scenario} was played to its end without a stage.`)
}
