import type { Options } from 'k6/options'
import { optionsFor, type Pace } from './executors.ts'
import { nextIteration, readPlan, setting } from './iteration.ts'
import { journeyFor, journeysOf, travel } from './journeys.ts'

/** Reads a setting of the plan by its name. */
type Read = (name: string) => number

/** Makes a scenario of the journeys of the mix, with its own pace. */
export function visitsOf(paceOf: (read: Read) => Pace): { options: Options; visit: () => void } {
  const plan = readPlan()
  const pace = paceOf(name => setting(plan, name))
  const journeys = journeysOf(plan)
  return {
    options: optionsFor({ [plan.scenario]: pace }),
    visit() {
      const iteration = nextIteration(plan, pace)
      travel(iteration, journeyFor(journeys, iteration))
    },
  }
}
