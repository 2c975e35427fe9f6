import { Counter } from 'k6/metrics'
import type { Product } from '../../../fixtures/control.ts'
import { ENDPOINTS, type EndpointId } from '../../../fixtures/service/endpoints.ts'
import { act, book, bookingIdOf } from './bookings.ts'
import { browse } from './catalogs.ts'
import { type Bookable, checked, find, productsIn } from './finding.ts'
import { type Iteration, noteJourney } from './iteration.ts'
import { METRIC, type Operation } from './output.ts'
import type { Briefing } from './plan.ts'

const booked = new Counter(METRIC.booked)

/** The purpose of a visitor: to look, or to buy a product. */
export type Journey = 'browse' | Product

/** The journeys of fourteen visitors, mixed so that any few of them are a fair sample. */
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

/** Returns the journeys of the mix that a deployment can be sent on. */
export const journeysOf = (plan: Briefing): Journey[] => {
  const products: readonly Journey[] = productsIn(plan)
  return MIX.filter(journey => journey === 'browse' || products.includes(journey))
}

/** Returns the journey of an iteration. Every sender comes by all of them, whatever number of senders there is. */
export function journeyFor(journeys: readonly Journey[], { plan, number, round }: Iteration): Journey {
  return journeys[((number % plan.senders.length) + round) % journeys.length]!
}

/** Calls that are no part of a journey: lists, and the state of a hotel's own number. */
const NEVER: readonly EndpointId[] = ['v1 hotel number']

/** Calls that a journey makes when everything goes well, beside those of browsing. */
export const callsFor = (journey: Journey): readonly Operation[] =>
  ENDPOINTS.filter(
    ({ id, does, products }) =>
      does !== 'lists' &&
      !NEVER.includes(id) &&
      (products as readonly Product[]).includes(journey as Product),
  ).map(({ id }) => id)

/** One in so many bookings asks for its voucher. */
const VOUCHER_EVERY = 3

/** One in so many bookings is read once more after it is cancelled. */
const LOOK_BACK_EVERY = 4

/** Goes on a journey from beginning to end. An answer that it cannot go on from ends it; nothing is thrown. */
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

/** Books, reads and cancels. What is pending is left alone: it can neither be cancelled nor booked again yet. */
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
