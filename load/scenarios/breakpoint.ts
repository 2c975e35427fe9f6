import { along, optionsFor } from './lib/executors.ts'
import { nextIteration } from './lib/iteration.ts'
import { journeyFor, journeysOf, travel } from './lib/journeys.ts'
import { readPlan, setting } from './lib/plan.ts'

// At which rate do the objectives fail?
const plan = readPlan('breakpoint')
const pace = along(
  [{ from: setting(plan, 'from'), to: setting(plan, 'to'), seconds: setting(plan, 'duration') }],
  4,
)
const journeys = journeysOf(plan)

export const options = optionsFor(
  { [plan.scenario]: pace },
  {
    http_req_duration: [`p(95)<${setting(plan, 'p95')}`],
    http_req_failed: [`rate<${setting(plan, 'errorShare')}`],
  },
)

export default function () {
  const iteration = nextIteration(plan, pace)
  travel(iteration, journeyFor(journeys, iteration))
}
