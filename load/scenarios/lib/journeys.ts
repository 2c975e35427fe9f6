import { type Bookable, type Kind, kindsOf, requestsFor } from './bookable.ts'
import { book, bookingIdOf, cancel, readBooking, readVoucher } from './bookings.ts'
import { send } from './call.ts'
import { browse } from './catalogs.ts'
import { type Following, findHotels } from './hotels.ts'
import { type Iteration, noteJourney, spreadOver } from './iteration.ts'
import type { Operation } from './output.ts'
import type { Briefing } from './plan.ts'
import { objectIn } from './reading.ts'
import { findTickets } from './tickets.ts'
import { findTransfers } from './transfers.ts'

/** The purpose of a visitor. */
export type Journey = 'browse' | Kind

/** The journeys of ten visitors, mixed so that any few of them are a fair sample. */
const MIX: readonly Journey[] = [
  'transfers',
  'browse',
  'tickets',
  'hotels',
  'transfers',
  'browse',
  'tickets',
  'transfers',
  'hotels',
  'browse',
]

/** Returns the journeys of the mix that a deployment can be sent on. */
export const journeysOf = (plan: Briefing): Journey[] => {
  const kinds: readonly Journey[] = kindsOf(plan)
  return MIX.filter(journey => journey === 'browse' || kinds.includes(journey))
}

/** Returns the journey of a iteration. Every sender comes by all of them, whatever number of senders there is. */
export function journeyFor(journeys: readonly Journey[], { plan, number, round }: Iteration): Journey {
  return journeys[((number % plan.senders.length) + round) % journeys.length]!
}

/** Calls that an journey makes when everything goes well, beside those of browsing. */
export const callsFor = (journey: Journey): readonly Operation[] =>
  journey === 'browse' ? [] : [...FINDING[journey], ...BUYING]

const FINDING: Record<Kind, readonly Operation[]> = {
  transfers: ['v2 transfer availability'],
  tickets: ['v2 ticket availability'],
  hotels: ['v2 hotel search', 'v2 hotel poll'],
}

const BUYING = ['v2 offer check', 'v2 book', 'v2 booking', 'v2 voucher', 'v2 cancel'] as const

/** One in so many bookings asks for its voucher. */
const VOUCHER_EVERY = 3

/** One in so many bookings is read once more after it is cancelled. */
const LOOK_BACK_EVERY = 4

/** The polling of hotel searches where no setting says otherwise. */
const FOLLOWING: Following = { pollEvery: 1000, timeout: 180 }

/** Goes on an journey from beginning to end. An answer that it cannot go on from ends it; nothing is thrown. */
export function travel(iteration: Iteration, journey: Journey, { everyCall = false } = {}): void {
  if (journey === 'browse') browse(iteration)
  else {
    const bookable = find(iteration, journey)
    if (bookable !== undefined) buy(iteration, bookable, everyCall || iteration.number % VOUCHER_EVERY === 0)
  }
  noteJourney(iteration)
}

/** Something of a kind that is on sale, of this iteration's own as far as the deployment has enough. */
export function find(iteration: Iteration, kind: Kind): Bookable | undefined {
  const { pollEvery = FOLLOWING.pollEvery, timeout = FOLLOWING.timeout } = iteration.plan.settings
  const found = {
    transfers: () => findTransfers(iteration),
    tickets: () => findTickets(iteration),
    hotels: () => findHotels(iteration, { pollEvery, timeout }),
  }[kind]()
  if (found.length === 0) return undefined
  // Who asks the same as before takes something else out of the answer.
  const asks = requestsFor(iteration.plan, kind)
  return spreadOver(found, (iteration.round % asks) + Math.floor(iteration.round / asks))
}

/**
 * Checks, books, reads and cancels. What is pending is left alone: it can neither be cancelled nor booked again yet.
 */
function buy(iteration: Iteration, bookable: Bookable, withVoucher: boolean): void {
  const checked = bookable.items.map(({ offerId, item }) => ({ offerId: check(iteration, offerId), item }))
  const items = checked.flatMap(({ offerId, item }) => (offerId === undefined ? [] : [{ offerId, item }]))
  if (items.length < checked.length) return
  const booked = book(iteration, { ...bookable, items })
  const id = bookingIdOf(booked)
  if (id === undefined || booked.status === 202) return
  readBooking(iteration, id)
  if (withVoucher) readVoucher(iteration, id)
  cancel(iteration, id)
  if (iteration.number % LOOK_BACK_EVERY === 1) readBooking(iteration, id)
}

/** Returns the checked offer; the one it was made from where the answer does not show it, as that stays valid. */
function check(iteration: Iteration, offerId: string): string | undefined {
  const answer = send(iteration, {
    op: 'v2 offer check',
    method: 'POST',
    path: '/api/v2/offers/check',
    body: { offer_id: offerId },
    expects: [409],
  })
  if (!answer.succeeded) return undefined
  const whole = objectIn(answer.json())
  const checked = objectIn(whole.offer).offer_id ?? whole.offer_id
  return typeof checked === 'string' ? checked : offerId
}
