import { lasting, optionsFor } from './lib/executors.ts'
import { nextIteration } from './lib/iteration.ts'
import { journeyFor, journeysOf, travel } from './lib/journeys.ts'
import { readPlan, setting } from './lib/plan.ts'

// Does the deployment do as well at the end of a long run as at its beginning?
const plan = readPlan('soak')
const rate = setting(plan, 'rate')
const pace = lasting(rate, setting(plan, 'duration'), 4)
const journeys = journeysOf(plan)

export const options = optionsFor({ [plan.scenario]: pace }, { http_req_failed: ['rate<0.01'] })

export default function () {
  const iteration = nextIteration(plan, pace)
  travel(iteration, journeyFor(journeys, iteration))
}
