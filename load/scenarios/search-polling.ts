import { Counter, Trend } from 'k6/metrics'
import { lasting, optionsFor } from './lib/executors.ts'
import { search } from './lib/hotels.ts'
import { nextIteration } from './lib/iteration.ts'
import { METRIC } from './lib/output.ts'
import { readPlan, setting } from './lib/plan.ts'

// How long do searches take, how many polls do they need, and do their results only grow?
const plan = readPlan('search-polling')
const rate = setting(plan, 'rate')
const following = {
  pollEvery: setting(plan, 'pollEvery'),
  timeout: setting(plan, 'timeout'),
  closely: true,
}
const pace = lasting(rate, setting(plan, 'duration'), 10)

const finish = new Trend(METRIC.searchFinish, true)
const polls = new Trend(METRIC.searchPolls)
const shrunk = new Counter(METRIC.searchShrunk)
const unfinished = new Counter(METRIC.searchUnfinished)
const tags = { op: 'v2 hotel search' }

export const options = optionsFor(
  { [plan.scenario]: pace },
  {
    http_req_failed: ['rate==0'],
    'http_reqs{op:v2 hotel poll}': ['count>0'],
    [METRIC.searchFinish]: [`max<${following.timeout * 1000}`],
    [METRIC.searchUnfinished]: ['count==0'],
  },
)

export default function () {
  const result = search(nextIteration(plan, pace), following)
  if (result === undefined) return
  if (result.finished) finish.add(result.took, tags)
  else unfinished.add(1, tags)
  polls.add(result.polls, tags)
  if (result.shrunk > 0) shrunk.add(result.shrunk, tags)
}
