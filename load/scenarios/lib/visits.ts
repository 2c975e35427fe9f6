import type { Options } from 'k6/options'
import type { ScenarioName } from '../../plan/plan.ts'
import { optionsFor, type Pace } from './executors.ts'
import { nextIteration, readPlan, setting } from './iteration.ts'
import { journeyFor, journeysOf, travel } from './journeys.ts'

/** Reads a setting of the plan by its name. */
type Read = (name: string) => number

const FEW_FAILURES = (): Record<string, string[]> => ({ http_req_failed: ['rate<0.01'] })

/** Makes a scenario of the journeys of the mix, with its own pace. */
export function visitsOf(
  scenario: ScenarioName,
  paceOf: (read: Read) => Pace,
  thresholds: (read: Read) => Record<string, string[]> = FEW_FAILURES,
): { options: Options; visit: () => void } {
  const plan = readPlan(scenario)
  const read: Read = name => setting(plan, name)
  const pace = paceOf(read)
  const journeys = journeysOf(plan)
  return {
    options: optionsFor({ [scenario]: pace }, thresholds(read)),
    visit() {
      const iteration = nextIteration(plan, pace)
      travel(iteration, journeyFor(journeys, iteration))
    },
  }
}
