import { optionsFor, steadily } from './lib/executors.ts'
import { nextIteration, readPlan, setting } from './lib/iteration.ts'
import { journeysOf, travel } from './lib/journeys.ts'

// Does every call answer within the time that clients are told to wait?
const plan = readPlan()
const journeys = [...new Set(journeysOf(plan))]
const pace = steadily(setting(plan, 'rate'), setting(plan, 'each') * journeys.length, 10)

export const options = optionsFor({ [plan.scenario]: pace })

/** Runs journeys with all their calls, so that every call is made at least `each` times. */
export default function () {
  const iteration = nextIteration(plan, pace)
  travel(iteration, journeys[iteration.number % journeys.length]!, { everyCall: true })
}
