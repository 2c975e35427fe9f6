import type { Deployment } from '../../fixtures/deployments/definition/index.ts'
import { bookingContention, breakpoint, journeyMix, searchPolling, spike, timeouts } from './journeys.ts'
import { SCENARIOS, type ScenarioName, type Settings } from './plan.ts'
import { rateLimitBurst, rateLimitSustained } from './rate-limits.ts'
import type { PlanInput, Planner, ScenarioPlan } from './scenario-plan.ts'

const PLANNERS: Record<ScenarioName, Planner> = {
  'rate-limit-burst': rateLimitBurst,
  'rate-limit-sustained': rateLimitSustained,
  'search-polling': searchPolling,
  'booking-contention': bookingContention,
  timeouts,
  'journey-mix': journeyMix,
  spike,
  breakpoint,
  soak: journeyMix,
}

/** The documented minimum interval of search polls in milliseconds. */
const POLITE = 1000

/**
 * Plans a scenario: senders, stages and settings. It sends nothing. Only a deployment created for this run is
 * polled more often than once a second. @throws Inconclusive if the scenario cannot run on this deployment
 */
export function planScenario(input: PlanInput): ScenarioPlan {
  const { settings, deployment, scenario } = input
  const { perMinute: limit } = deployment.limits
  const { pollEvery } = settings
  const polite = pollEvery === undefined || deployment.disposable ? pollEvery : Math.max(pollEvery, POLITE)
  return PLANNERS[scenario]({
    ...input,
    settings: {
      ...settings,
      ...(polite !== undefined && { pollEvery: polite }),
      // Plans that other machines read say so, too.
      ...(limit !== undefined && { limit }),
    },
  })
}

/** Seconds for waiting: requests in flight, pending results, silent credentials. */
const WAITING = 20 * 60

/** The maximum number of journeys that `timeouts` alternates between. */
const JOURNEYS_OF_TIMEOUTS = 8

/**
 * Returns the default time limit of a load run in milliseconds: twice the planned time of its scenarios on this
 * deployment, and twenty minutes for waiting.
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

/** Returns the planned seconds of a scenario with the waits between stages; 0 if it cannot run here. */
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

/** Returns the seconds of the settings. Each scenario has some of these. */
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
