import {
  isPlainRate,
  isResortRate,
  parkAPricesIn,
  parkBRowsIn,
  ratesOf,
} from '../../../fixtures/check/products/quoted.ts'
import { amountOf } from '../../../fixtures/contracts/amount.ts'
import type { Product, ProductKind } from '../../../fixtures/ground/control.ts'
import type { JsonObject } from '../../../fixtures/ground/json.ts'
import type { Ask, Plan } from '../../plan/plan.ts'
import { read } from './adapters.ts'
import { type Iteration, placeOf, spreadOver } from './iteration.ts'
import { listed } from './reading.ts'
import { type Following, search, V1, V2 } from './searches.ts'
import { type Answer, ask } from './send.ts'

/** Something on sale: the request that books it, without key or reference. */
export interface Bookable {
  product: Product
  kind: ProductKind
  body: JsonObject
}

/** Finds an offer and returns the body that books it. `turn` varies the choice among equal requests. */
type Find = (iteration: Iteration, planned: Ask, following: Following, turn: number) => JsonObject | undefined

/** How each product is found, the fastest first. */
const FIND: { readonly [P in Product]: Find } = {
  'v2-transfers'(iteration, { request, item }, _, turn) {
    const answer = ask(iteration, by => by.v2.transferAvailability(request))
    return itemOf(
      item,
      textsAt(answer, 'results.#.days.#(availability=="available")#.offer_id|@flatten'),
      turn,
    )
  },

  'v2-tickets'(iteration, { request, item }, _, turn) {
    const answer = ask(iteration, by => by.v2.ticketAvailability(request))
    const offers = read.ownOffers?.(answer.success()).map(({ offerId }) => offerId)
    return itemOf(item, offers ?? textsAt(answer, '@dig:offer_id'), turn)
  },

  'v2-hotels'(iteration, planned, following, turn) {
    const seen = search(iteration, V2, planned, following)
    for (let next = turn; seen !== undefined && next < turn + seen.count; next++) {
      const hotel = seen.hotelAt(placeOf(seen.count, next))
      // Rooms that can be cancelled online, as far as is known.
      if (hotel === undefined || hotel.cancellableOnline === false) continue
      const { rooms } = hotel
      if (rooms.some(offers => offers.length === 0)) continue
      const offers = rooms.map(offers => spreadOver(offers, iteration.round).offerId)
      return itemsOf(planned.item, offers)
    }
    return undefined
  },

  'v1-transfers'(iteration, { request, item }) {
    const quoted = ask(iteration, by => by.v1.transfers.price(request)).success()
    const total = quoted === undefined ? undefined : read.total(quoted)
    const quote = { ...item, total, quoted } as unknown as Parameters<typeof read.confirm>[0]
    return total === undefined ? undefined : read.confirm(quote)
  },

  'v1-park-a'(iteration, { request, item }) {
    const prices = parkAPricesIn(ask(iteration, by => by.v1.parkA.price(request)).success())
    const total_amount = prices.get(String(item.date))
    return total_amount === undefined ? undefined : { ...item, total_amount }
  },

  'v1-park-b'(iteration, { request, item }, _, turn) {
    const days = parkBRowsIn(ask(iteration, by => by.v1.parkB.price(request)).success())
    const rows = days.get(String(item.date)) ?? []
    const found = rows.flatMap(row => {
      const total_amount = amountOf(row.totalPriceWithTax)
      const event_time = read.eventTime(row, rows.length)
      if (!Number.isFinite(total_amount) || row.capacityAvailable === 0) return []
      return [{ ...item, ...(event_time !== undefined && { event_time }), total_amount }]
    })
    return chosen(found, turn)
  },

  'v1-hotels'(iteration, planned, following, turn) {
    const hotels = search(iteration, V1, planned, following)?.all() ?? []
    const rates = hotels.flatMap(hotel => (ratesOf(hotel)[0] ?? []).filter(rate => !isResortRate(rate)))
    const plain = rates.filter(isPlainRate)
    const keys = (plain.length > 0 ? plain : rates).flatMap(({ rate_key: key }) =>
      typeof key === 'string' ? [key] : [],
    )
    const key = chosen(keys, turn)
    return key === undefined ? undefined : { ...planned.item, ratekey: [key] }
  },
}

/** Returns the texts at a path of a successful answer. k6 extracts them without parsing the rest, which is slow. */
function textsAt(answer: Answer, path: string): string[] {
  const found = answer.succeeded ? answer.at(path) : undefined
  return Array.isArray(found) ? found.filter(text => typeof text === 'string' && text !== '') : []
}

const chosen = <T>(list: readonly T[], turn: number): T | undefined =>
  list.length === 0 ? undefined : spreadOver(list, turn)

function itemOf(item: JsonObject, offers: readonly string[], turn: number): JsonObject | undefined {
  const offer = chosen(offers, turn)
  return offer === undefined ? undefined : itemsOf(item, [offer])
}

const itemsOf = (item: JsonObject, offerIds: readonly string[]): JsonObject => ({
  items: offerIds.map(offer_id => ({ ...item, offer_id })),
})

/** Returns the products of a plan that can be booked, the fastest first. */
export const productsIn = ({ products, shapes }: Plan): Product[] =>
  (Object.keys(FIND) as Product[]).filter(
    product => products.includes(product) && (shapes.asks[product]?.length ?? 0) > 0,
  )

/** The default polling of hotel searches. */
const FOLLOWING: Following = { pollEvery: 1000, timeout: 180 }

/** Finds an offer of a product, different for each iteration as far as the deployment has enough. */
export function find(iteration: Iteration, product: Product): Bookable | undefined {
  const asks = iteration.plan.shapes.asks[product] ?? []
  if (asks.length === 0) return undefined
  const { pollEvery = FOLLOWING.pollEvery, timeout = FOLLOWING.timeout } = iteration.plan.settings
  const planned = spreadOver(asks, iteration.turn)
  // Repeated requests choose another entry of the answer.
  const another = (iteration.round % asks.length) + Math.floor(iteration.round / asks.length)
  const body = FIND[product](iteration, planned, { pollEvery, timeout }, another)
  return body && { product, kind: planned.kind, body }
}

/**
 * Checks an offer again, as clients do before they book: v2 offers, and v1 hotel rates. Other v1 prices are fresh.
 *
 * @returns `undefined` if it is no longer sold
 */
export function checked(iteration: Iteration, bookable: Bookable): Bookable | undefined {
  const { product, body } = bookable
  if (product === 'v1-hotels') {
    const [key] = body.ratekey as [string]
    const answer = ask(iteration, by => by.v1.hotels.price({ rate_key: key }))
    if (!answer.succeeded) return undefined
    return { ...bookable, body: { ...body, ratekey: [read.checked(answer.json()).rateKey ?? key] } }
  }
  if (product.startsWith('v1')) return bookable
  const items = listed(body, 'items').map(item => {
    const offer_id = checkedOffer(iteration, String(item.offer_id))
    return offer_id === undefined ? undefined : { ...item, offer_id }
  })
  return items.includes(undefined) ? undefined : { ...bookable, body: { items } }
}

/** Returns the id of the checked offer, or the original id if the answer does not show it, since that stays valid. */
function checkedOffer(iteration: Iteration, offerId: string): string | undefined {
  const answer = ask(iteration, by => by.v2.checkOffer(offerId))
  if (!answer.succeeded) return undefined
  const shown = answer.at('offer.offer_id') ?? answer.at('offer_id')
  return typeof shown === 'string' ? shown : offerId
}
