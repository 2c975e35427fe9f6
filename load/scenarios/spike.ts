import { along, optionsFor } from './lib/executors.ts'
import { nextIteration } from './lib/iteration.ts'
import { journeyFor, journeysOf, travel } from './lib/journeys.ts'
import { readPlan, setting } from './lib/plan.ts'

// How does a sudden rush go, and how long does it take to recover from it?
const plan = readPlan('spike')
const rate = setting(plan, 'rate')
const rush = rate * setting(plan, 'spike')
const pace = along(
  [
    { from: rate, to: rate, seconds: setting(plan, 'before') },
    { from: rush, to: rush, seconds: setting(plan, 'during') },
    { from: rate, to: rate, seconds: setting(plan, 'after') },
  ],
  4,
)
const journeys = journeysOf(plan)

export const options = optionsFor({ [plan.scenario]: pace }, { http_req_failed: ['rate<0.01'] })

export default function () {
  const iteration = nextIteration(plan, pace)
  travel(iteration, journeyFor(journeys, iteration))
}
