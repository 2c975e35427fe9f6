import { Counter } from 'k6/metrics'
import type { Options } from 'k6/options'
import type { Buyer } from '../../../fixtures/client/requests/sales.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import type { Plan } from '../../plan/plan.ts'
import { act, book, bookingIdOf } from './bookings.ts'
import { optionsFor, type Pace } from './executors.ts'
import { type Bookable, checked, find, productsIn } from './finding.ts'
import {
  type Briefing,
  type Call,
  callOf,
  type Iteration,
  nextIteration,
  noteJourney,
  readPlan,
  setting,
} from './iteration.ts'
import { METRIC } from './output.ts'
import { send } from './send.ts'

const CATALOGS: readonly { of: Product; ask(by: Buyer): unknown }[] = [
  { of: 'v2-transfers', ask: ({ v2 }) => v2.transferProducts() },
  { of: 'v2-tickets', ask: ({ v2 }) => v2.ticketProducts() },
  { of: 'v2-tickets', ask: ({ v2 }) => v2.ticketBrands() },
  { of: 'v2-hotels', ask: ({ v2 }) => v2.hotelDestinations() },
  { of: 'v1-hotels', ask: ({ v1 }) => v1.hotels.destinations({ page: 1, limit: 100 }) },
  { of: 'v1-transfers', ask: ({ v1 }) => v1.transfers.catalog() },
  { of: 'v1-park-a', ask: ({ v1 }) => v1.parkA.catalog({}) },
  { of: 'v1-park-b', ask: ({ v1 }) => v1.parkB.catalog({}) },
]

export type ApiVersion = 'v1' | 'v2'

/** Returns the API versions that have a probe. */
export const versionsOf = ({ shapes }: Plan): ApiVersion[] =>
  (['v1', 'v2'] as const).filter(version => shapes.probes[version] !== undefined)

/** Sends the probe of an API version. */
export function probe(iteration: Iteration, version: ApiVersion): void {
  const call = iteration.plan.shapes.probes[version]
  if (call !== undefined) send(iteration, { ...call, op: `${version} probe` })
}

/** The calls of this process, which never change. */
let calls: Call[] | undefined

/** Reads every claimed catalog. */
function browse(iteration: Iteration): void {
  calls ??= callsFor(iteration.plan)
  for (let index = 0; index < calls.length; index++) send(iteration, calls[index]!)
  probe(iteration, 'v1')
}

const callsFor = ({ products, client }: Briefing): Call[] =>
  CATALOGS.filter(({ of }) => products.includes(of)).map(({ ask }) => callOf(client, ask))

const booked = new Counter(METRIC.booked)

/** The purpose of a visitor: to browse, or to buy a product. */
type Journey = 'browse' | Product

/** The journeys of fourteen visitors, mixed so that any few of them are representative. */
const MIX: readonly Journey[] = [
  'v2-transfers',
  'browse',
  'v2-tickets',
  'v1-park-a',
  'v2-hotels',
  'v2-transfers',
  'v1-transfers',
  'browse',
  'v2-tickets',
  'v1-hotels',
  'v2-transfers',
  'v2-hotels',
  'v1-park-b',
  'browse',
]

/** Returns the journeys of the mix that are possible on a deployment. */
export const journeysOf = (plan: Briefing): Journey[] => {
  const products: readonly Journey[] = productsIn(plan)
  return MIX.filter(journey => journey === 'browse' || products.includes(journey))
}

/** Returns the journey of an iteration. Every sender gets all of them, whatever the number of senders. */
function journeyFor(journeys: readonly Journey[], { plan, number, round }: Iteration): Journey {
  return journeys[((number % plan.senders.length) + round) % journeys.length]!
}

/** One in that many bookings fetches its voucher. */
const VOUCHER_EVERY = 3

/** One in that many bookings is read again after it was cancelled. */
const LOOK_BACK_EVERY = 4

/** Makes a journey. It ends early if an answer does not allow it to continue; nothing is thrown. */
export function travel(iteration: Iteration, journey: Journey, { everyCall = false } = {}): void {
  if (journey === 'browse') browse(iteration)
  else {
    const found = find(iteration, journey)
    const bookable = found && checked(iteration, found)
    booked.add(bookable === undefined ? 0 : 1, { op: journey })
    if (bookable !== undefined) buy(iteration, bookable, everyCall || iteration.number % VOUCHER_EVERY === 0)
  }
  noteJourney(iteration)
}

/** Books, reads and cancels. A pending booking can neither be cancelled nor booked again, so it is left. */
function buy(iteration: Iteration, bookable: Bookable, withVoucher: boolean): void {
  const answer = book(iteration, bookable)
  const id = bookingIdOf(answer)
  if (id === undefined || answer.status === 202) return
  const { product } = bookable
  act(iteration, product, 'read', id)
  if (withVoucher) act(iteration, product, 'voucher', id)
  act(iteration, product, 'cancel', id)
  if (iteration.number % LOOK_BACK_EVERY === 1) act(iteration, product, 'read', id)
}

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
