import { Counter } from 'k6/metrics'
import type { Product } from '../../../fixtures/ground/control.ts'
import { act, book, bookingIdOf } from './bookings.ts'
import { browse } from './catalogs.ts'
import { type Bookable, checked, find, productsIn } from './finding.ts'
import { type Briefing, type Iteration, noteJourney } from './iteration.ts'
import { METRIC } from './output.ts'

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
export function journeyFor(journeys: readonly Journey[], { plan, number, round }: Iteration): Journey {
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
