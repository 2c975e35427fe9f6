import { Counter, Trend } from 'k6/metrics'
import type { HotelSeen } from '../../fixtures/deployments/definition/definition.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import type { JsonObject } from '../../fixtures/ground/json.ts'
import type { Ask } from '../plan/plan.ts'
import { lasting, optionsFor } from './lib/executors.ts'
import { productsIn, type Search, search, V1, V2 } from './lib/finding.ts'
import { type Iteration, nextIteration, readPlan, setting, spreadOver } from './lib/iteration.ts'
import { METRIC } from './lib/output.ts'

// How long do searches take, and how many polls do they need?
const plan = readPlan()
const following = {
  pollEvery: setting(plan, 'pollEvery'),
  timeout: setting(plan, 'timeout'),
}
const pace = lasting(setting(plan, 'rate'), setting(plan, 'duration'), 10)

const finish = new Trend(METRIC.searchFinish, true)
const polls = new Trend(METRIC.searchPolls)
const unfinished = new Counter(METRIC.searchUnfinished)

type Searched = Search<HotelSeen | JsonObject> | undefined

/** How hotels are searched in each version. */
const SEARCHES: Partial<Record<Product, (iteration: Iteration, planned: Ask) => Searched>> = {
  'v2-hotels': (iteration, planned) => search(iteration, V2, planned, following),
  'v1-hotels': (iteration, planned) => search(iteration, V1, planned, following),
}
const products = productsIn(plan).filter(product => product in SEARCHES)

export const options = optionsFor({ [plan.scenario]: pace })

export default function () {
  const iteration = nextIteration(plan, pace)
  // The versions alternate, and every sender uses both.
  const product = products[(iteration.number + iteration.round) % products.length]
  const asks = product === undefined ? undefined : plan.shapes.asks[product]
  if (product === undefined || asks === undefined) return
  const result = SEARCHES[product]?.(iteration, spreadOver(asks, iteration.turn))
  if (result === undefined) return
  const tags = { op: product === 'v1-hotels' ? 'v1 hotel search' : 'v2 hotel search' }
  if (result.finished) finish.add(result.took, tags)
  else unfinished.add(1, tags)
  polls.add(result.polls, tags)
}
