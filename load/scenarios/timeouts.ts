import { catalogCalls } from './lib/catalogs.ts'
import { optionsFor, steadily } from './lib/executors.ts'
import { takeTurn } from './lib/iteration.ts'
import { callsFor, errandsOf, travel } from './lib/journeys.ts'
import type { Operation } from './lib/output.ts'
import { readPlan, setting } from './lib/plan.ts'
import { PATIENCE } from './lib/timeouts.ts'

// Does every call answer within the time that clients are told to wait?
const plan = readPlan('timeouts')
const errands = [...new Set(errandsOf(plan))]
const pace = steadily(setting(plan, 'rate'), setting(plan, 'each') * errands.length, 10)
const calls = new Set([...catalogCalls(plan), ...errands.flatMap(callsFor)])

export const options = optionsFor({ [plan.scenario]: pace }, Object.assign({}, ...[...calls].map(inTime)))

/** Every errand makes each of its calls, so that every call is made at least `each` times. */
export default function () {
  const turn = takeTurn(plan, pace)
  travel(turn, errands[turn.number % errands.length]!, { everyCall: true })
}

function inTime(op: Operation): Record<string, string[]> {
  return {
    [`http_req_duration{op:${op}}`]: [`max<${PATIENCE[op] * setting(plan, 'scale')}`],
    [`http_reqs{op:${op}}`]: ['count>0'],
  }
}
