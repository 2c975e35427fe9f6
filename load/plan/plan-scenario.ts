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

/** Milliseconds that clients are asked to let pass between two polls of a search, at least. */
const POLITE = 1000

/**
 * Plans a scenario: who sends, in which stages, with which settings. Sends nothing. Only a deployment that exists for
 * this run alone is polled more often than once a second.
 *
 * @throws Inconclusive where the scenario cannot be run on this deployment
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
