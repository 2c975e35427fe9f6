import type { Conductor } from './driver.ts'
import { bookingContention, breakpoint, journeyMix, searchPolling, soak, spike } from './flows.ts'
import type { ScenarioName } from './plan.ts'
import { rateLimitBurst } from './rate-limit-burst.ts'
import { rateLimitSustained } from './rate-limit-sustained.ts'
import { timeouts } from './timeouts.ts'

/** Who puts each scenario on stage. */
export const CONDUCTORS: Record<ScenarioName, Conductor> = {
  'rate-limit-burst': rateLimitBurst,
  'rate-limit-sustained': rateLimitSustained,
  'search-polling': searchPolling,
  'booking-contention': bookingContention,
  timeouts,
  'journey-mix': journeyMix,
  spike,
  breakpoint,
  soak,
}
