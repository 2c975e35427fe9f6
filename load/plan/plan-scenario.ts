import { bookingContention, breakpoint, journeyMix, searchPolling, spike, timeouts } from './journeys.ts'
import type { ScenarioName } from './plan.ts'
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
  const { pollEvery } = settings
  const polite = pollEvery === undefined || deployment.disposable ? pollEvery : Math.max(pollEvery, POLITE)
  return PLANNERS[scenario]({
    ...input,
    settings: { ...settings, ...(polite === undefined ? {} : { pollEvery: polite }) },
  })
}
