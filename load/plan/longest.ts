import type { Deployment } from '../../fixtures/deployments/definition.ts'
import { SCENARIOS, type ScenarioName, type Settings } from './plan.ts'
import { planScenario } from './plan-scenario.ts'

/** Seconds for what is waited for: answers under way, results that are pending, credentials that are silent. */
const WAITING = 20 * 60

/** Journeys that `timeouts` makes by turns, at the most. */
const JOURNEYS_OF_TIMEOUTS = 8

/**
 * Returns how long a load run may take unless told otherwise, in milliseconds: twice what its scenarios plan on this
 * deployment, and twenty minutes for what is waited for.
 */
export function defaultLoadDuration(
  deployment: Deployment,
  scenarios: ReadonlyMap<ScenarioName, Settings>,
): number {
  const planned = SCENARIOS.filter(name => scenarios.has(name)).map(scenario =>
    plannedSeconds(deployment, scenario, scenarios.get(scenario)!),
  )
  return 1000 * (WAITING + 2 * planned.reduce((sum, seconds) => sum + seconds, 0))
}

/** Returns the seconds of a scenario's stages with the waits between them; 0 where it cannot be run here. */
function plannedSeconds(deployment: Deployment, scenario: ScenarioName, settings: Settings): number {
  const plan = planOf(deployment, scenario, settings)
  if (plan === undefined) return 0
  const waits = deployment.control.advanceClock === undefined
  return plan.stages.reduce(
    (sum, { silence, settings: { perSecond = Number.POSITIVE_INFINITY } = {} }) =>
      sum + (waits ? (silence?.seconds ?? 0) : 0) + (plan.settings.burst ?? 0) / perSecond,
    secondsOf(plan.settings),
  )
}

function planOf(deployment: Deployment, scenario: ScenarioName, settings: Settings) {
  try {
    return planScenario({ deployment, scenario, settings, missing: new Map(), onNotice() {} })
  } catch {
    return undefined
  }
}

/** Returns the seconds that settings ask for: each scenario has some of them. */
function secondsOf(settings: Settings): number {
  const { rate = 1, speed = 1, duration = 0, before = 0, during = 0, after = 0 } = settings
  const { minutes = 0, overrunMinutes = 0, keys = 0, each = 0 } = settings
  return (
    duration +
    before +
    during +
    after +
    ((minutes + overrunMinutes) * 60) / speed +
    (keys + each * JOURNEYS_OF_TIMEOUTS) / rate
  )
}
