import { sleep } from 'k6'
import { isPlainRate, isResortRate, ratesOf } from '../../../fixtures/check/products/quoted.ts'
import type { Buyer } from '../../../fixtures/client/requests/sales.ts'
import type { HotelSeen } from '../../../fixtures/deployments/definition/definition.ts'
import type { Product, ProductKind } from '../../../fixtures/ground/control.ts'
import type { JsonObject } from '../../../fixtures/ground/json.ts'
import { pricedAs, type TicketSeller } from '../../../fixtures/products/ticket-seller.ts'
import { V1_PARK_A } from '../../../fixtures/products/v1-park-a.ts'
import { V1_PARK_B } from '../../../fixtures/products/v1-park-b.ts'
import type { Ask, Plan } from '../../plan/plan.ts'
import { read } from './adapters.ts'
import { type Iteration, placeOf, spreadOver } from './iteration.ts'
import { listed, objectIn } from './reading.ts'
import { type Answer, ask } from './send.ts'

/** Something on sale: the request that books it, without key or reference. */
export interface Bookable {
  product: Product
  kind: ProductKind
  body: JsonObject
}

/** Finds an offer and returns the body that books it. `turn` varies the choice among equal requests. */
type Find = (iteration: Iteration, planned: Ask, following: Following, turn: number) => JsonObject | undefined

/** Finds v1 tickets of an operator, for one person. */
const ticketsOf =
  ({ kind, rowsIn }: TicketSeller): Find =>
  (iteration, { request, item }, _, turn) => {
    const days = rowsIn(ask(iteration, by => by.v1[kind].price(request)).success())
    const rows = days.get(String(item.date)) ?? []
    const found = rows.filter(({ price, capacity }) => Number.isFinite(price) && capacity !== 0)
    const chosenRow = chosen(found, turn)
    if (chosenRow === undefined) return undefined
    const time = kind === 'parkB' ? read.eventTime(chosenRow.row, rows.length) : undefined
    return { ...item, ...pricedAs({ total: chosenRow.price, time }) }
  }

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

  'v1-park-a': ticketsOf(V1_PARK_A),
  'v1-park-b': ticketsOf(V1_PARK_B),

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

/** A search and the result of its last poll. */
export interface Search<Hotel> {
  /** The number of hotel records in its last answer, or of hotels if it was parsed whole. */
  count: number
  /** Parses one of them; `undefined` if the record is not a hotel. */
  hotelAt(place: number): Hotel | undefined
  /** Parses all of them, which is slow. */
  all(): readonly Hotel[]
  finished: boolean
  /** Milliseconds from its start to the last answer. */
  took: number
  polls: number
}

/** The interval and timeout of the polls of a search. */
interface Following {
  /** Milliseconds between the answer of a poll and the next poll. */
  pollEvery: number
  /** Seconds after which the search is given up. */
  timeout: number
}

/** How searches of an API version are started and read. */
interface Searching<Hotel> {
  start(by: Buyer, request: unknown): unknown
  /** Returns the reference for the next poll; `undefined` if the answer has none. */
  reference(answer: unknown): string | number | undefined
  poll(by: Buyer, reference: string | number, request: unknown): unknown
  finished(answer: unknown): boolean
  hotels(answer: unknown): readonly Hotel[]
  /** The name of the list of hotels, if the document states it. */
  list?: string
  /** Whether every answer has results and a reference, including the first. */
  answersAtOnce: boolean
}

/** v2 searches: a reference, then polls. */
export const V2: Searching<HotelSeen> = {
  start: ({ v2 }, request) => v2.hotelSearch(request),
  reference: read.searchId,
  poll: ({ v2 }, reference) => v2.hotelSearchPoll(reference),
  finished: read.finished,
  hotels: read.hotels,
  answersAtOnce: false,
}

/** Paged v1 searches: the same call again with `id_search`. */
export const V1: Searching<JsonObject> = {
  start: ({ v1 }, request) => v1.hotels.search(request),
  reference(answer) {
    const { id_search: id } = objectIn(answer)
    return typeof id === 'string' && id !== '' ? id : undefined
  },
  poll: ({ v1 }, id_search, request) => v1.hotels.search({ ...objectIn(request), id_search }),
  finished: answer => objectIn(answer).finish === true,
  hotels: answer => listed(answer, 'hotels'),
  list: 'hotels',
  answersAtOnce: true,
}

/** Starts a search and polls it; `undefined` if it could not be started. */
export function search<Hotel>(
  iteration: Iteration,
  searching: Searching<Hotel>,
  { request, list = searching.list }: Pick<Ask, 'request' | 'list'>,
  { pollEvery, timeout }: Following,
): Search<Hotel> | undefined {
  const began = Date.now()
  const started = ask(iteration, by => searching.start(by, request))
  if (!started.succeeded) return undefined
  let last = viewOf(started, list)
  let reference = searching.reference(last.around)
  let polls = 0
  let took = Date.now() - began
  let finished = searching.answersAtOnce && searching.finished(last.around)
  if (!finished && reference === undefined) return undefined
  while (!finished && Date.now() - began < timeout * 1000) {
    sleep(pollEvery / 1000)
    const poll = ask(iteration, by => searching.poll(by, reference!, request))
    took = Date.now() - began
    polls++
    if (!poll.succeeded) break
    last = viewOf(poll, list)
    finished = searching.finished(last.around)
    if (searching.answersAtOnce) reference = searching.reference(last.around) ?? reference
  }
  return { ...hotelsIn(last, searching), finished, took, polls }
}

/** An answer for adapters: whole, or without the records of its long list, which are parsed one by one. */
interface View {
  around: unknown
  records?: { count(): number; at(place: number): unknown; whole(): unknown }
}

/** Names that need no escaping in a path. */
const PLAIN = /^[a-z]\w*$/i

/**
 * Reads an answer without parsing its list of hotels, in a tenth of the time. Without such a list it is parsed
 * whole.
 */
function viewOf(answer: Answer, list: string | undefined): View {
  const names = list === undefined ? undefined : answer.at('@keys')
  if (list === undefined || !Array.isArray(names) || !names.includes(list) || !names.every(isPlain))
    return { around: answer.json() }
  const others = names.filter(name => name !== list)
  const around = { ...objectIn(answer.part(`{${others.join()}}`)), [list]: [] }
  return {
    around,
    records: {
      count: () => Number(answer.at(`${list}.#`) ?? 0),
      at: place => ({ ...around, [list]: [answer.part(`${list}.${place}`)] }),
      whole: () => answer.json(),
    },
  }
}

const isPlain = (name: string): boolean => PLAIN.test(name)

function hotelsIn<Hotel>(
  { around, records }: View,
  { hotels }: Searching<Hotel>,
): Pick<Search<Hotel>, 'count' | 'hotelAt' | 'all'> {
  if (records !== undefined) {
    const { count, at, whole } = records
    return { count: count(), hotelAt: place => hotels(at(place))[0], all: () => hotels(whole()) }
  }
  const all = hotels(around)
  return { count: all.length, hotelAt: place => all[place], all: () => all }
}
