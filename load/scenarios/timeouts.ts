import { catalogCalls } from './lib/catalogs.ts'
import { optionsFor, steadily } from './lib/executors.ts'
import { nextIteration, readPlan, setting } from './lib/iteration.ts'
import { callsFor, journeysOf, travel } from './lib/journeys.ts'
import type { Operation } from './lib/output.ts'
import { TIMEOUTS } from './lib/timeouts.ts'

// Does every call answer within the time that clients are told to wait?
const plan = readPlan('timeouts')
const journeys = [...new Set(journeysOf(plan))]
const pace = steadily(setting(plan, 'rate'), setting(plan, 'each') * journeys.length, 10)
const calls = new Set([...catalogCalls(plan), ...journeys.flatMap(callsFor)])

export const options = optionsFor({ [plan.scenario]: pace }, Object.assign({}, ...[...calls].map(inTime)))

/** Runs journeys with all their calls, so that every call is made at least `each` times. */
export default function () {
  const iteration = nextIteration(plan, pace)
  travel(iteration, journeys[iteration.number % journeys.length]!, { everyCall: true })
}

function inTime(op: Operation): Record<string, string[]> {
  return {
    [`http_req_duration{op:${op}}`]: [`max<${TIMEOUTS[op] * setting(plan, 'scale')}`],
    [`http_reqs{op:${op}}`]: ['count>0'],
  }
}
