import { asksFor, type Goods, type Kind, kindsOf } from './bookable.ts'
import { book, bookingIdOf, cancel, readBooking, readVoucher } from './bookings.ts'
import { send } from './call.ts'
import { browse } from './catalogs.ts'
import { type Following, findHotels } from './hotels.ts'
import { noteJourney, spreadOver, type Turn } from './iteration.ts'
import type { Operation } from './output.ts'
import type { Briefing } from './plan.ts'
import { objectIn } from './reading.ts'
import { findTickets } from './tickets.ts'
import { findTransfers } from './transfers.ts'

/** What a visitor comes for. */
export type Errand = 'browse' | Kind

/** How many of ten visitors come for what, mixed so that any few of them are a fair sample. */
const MIX: readonly Errand[] = [
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

/** The errands of the mix that a deployment can be sent on. */
export const errandsOf = (plan: Briefing): Errand[] => {
  const kinds: readonly Errand[] = kindsOf(plan)
  return MIX.filter(errand => errand === 'browse' || kinds.includes(errand))
}

/** The errand of a turn. Every sender comes by all of them, whatever number of senders there is. */
export function errandFor(errands: readonly Errand[], { plan, number, round }: Turn): Errand {
  return errands[((number % plan.senders.length) + round) % errands.length]!
}

/** Calls that an errand makes when everything goes well, beside those of browsing. */
export const callsFor = (errand: Errand): readonly Operation[] =>
  errand === 'browse' ? [] : [...FINDING[errand], ...BUYING]

const FINDING: Record<Kind, readonly Operation[]> = {
  transfers: ['v2 transfer availability'],
  tickets: ['v2 ticket availability'],
  hotels: ['v2 hotel search', 'v2 hotel poll'],
}

const BUYING = ['v2 offer check', 'v2 book', 'v2 booking', 'v2 voucher', 'v2 cancel'] as const

/** Of so many bookings one asks for its voucher. */
const VOUCHER_EVERY = 3

/** Of so many bookings one is looked at once more when it is cancelled. */
const LOOK_BACK_EVERY = 4

/** How hotel searches are followed where no setting says otherwise. */
const FOLLOWING: Following = { pollEvery: 1000, patience: 180 }

/** Goes on an errand from beginning to end. An answer that it cannot go on from ends it; nothing is thrown. */
export function travel(turn: Turn, errand: Errand, { everyCall = false } = {}): void {
  if (errand === 'browse') browse(turn)
  else {
    const goods = find(turn, errand)
    if (goods !== undefined) buy(turn, goods, everyCall || turn.number % VOUCHER_EVERY === 0)
  }
  noteJourney(turn)
}

/** Something of a kind that is on sale, of this turn's own as far as the deployment has enough. */
export function find(turn: Turn, kind: Kind): Goods | undefined {
  const { pollEvery = FOLLOWING.pollEvery, patience = FOLLOWING.patience } = turn.plan.settings
  const found = {
    transfers: () => findTransfers(turn),
    tickets: () => findTickets(turn),
    hotels: () => findHotels(turn, { pollEvery, patience }),
  }[kind]()
  if (found.length === 0) return undefined
  // Who asks the same as before takes something else out of the answer.
  const asks = asksFor(turn.plan, kind)
  return spreadOver(found, (turn.round % asks) + Math.floor(turn.round / asks))
}

/** Checks, books, reads and cancels. What is pending is left alone: it can neither be cancelled nor booked again yet. */
function buy(turn: Turn, goods: Goods, withVoucher: boolean): void {
  const checked = goods.items.map(({ offerId, item }) => ({ offerId: check(turn, offerId), item }))
  const items = checked.flatMap(({ offerId, item }) => (offerId === undefined ? [] : [{ offerId, item }]))
  if (items.length < checked.length) return
  const booked = book(turn, { ...goods, items })
  const id = bookingIdOf(booked)
  if (id === undefined || booked.status === 202) return
  readBooking(turn, id)
  if (withVoucher) readVoucher(turn, id)
  cancel(turn, id)
  if (turn.number % LOOK_BACK_EVERY === 1) readBooking(turn, id)
}

/** The checked offer; the one it was made from where the answer does not show it, as that stays valid. */
function check(turn: Turn, offerId: string): string | undefined {
  const answer = send(turn, {
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
