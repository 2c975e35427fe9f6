import { isDeepStrictEqual } from 'node:util'
import type { Arrangement } from '../fixtures/check/buying/arrange.ts'
import { createProductArrange, type ProductArrange } from '../fixtures/check/buying/selling.ts'
import { createV1Selling, type V1Arrange } from '../fixtures/check/buying/v1-selling.ts'
import { Inconclusive, ifHad, notExercised } from '../fixtures/check/evidence/assume.ts'
import { addDays } from '../fixtures/check/products/adapter-context.ts'
import { ONE_ROOM } from '../fixtures/check/products/hotel-search.ts'
import { cancellationsDue } from '../fixtures/check/products/leftovers.ts'
import type { Offer } from '../fixtures/check/products/product-adapter.ts'
import { spelledAt } from '../fixtures/check/products/travelers.ts'
import type { ParkCheck } from '../fixtures/check/v1/index.ts'
import type { Session } from '../fixtures/client/client.ts'
import type { Shared } from '../fixtures/client/pace/index.ts'
import { salesOf } from '../fixtures/client/requests/index.ts'
import { BookingsClosed, NotAllowed, RunStopped, TransportError } from '../fixtures/client/transport/index.ts'
import { type Deployment, v1PathsOf } from '../fixtures/deployments/definition/index.ts'
import type { Product, ProductKind } from '../fixtures/ground/control.ts'
import type { ApiVersion } from '../fixtures/ground/exchange.ts'
import type { JsonObject } from '../fixtures/ground/json.ts'
import { kindOf, productOf, productsOf, type V1Product } from '../fixtures/ground/products.ts'
import { questionOf, unpriced } from '../fixtures/products/ticket-seller.ts'
import { V1_PARK_A } from '../fixtures/products/v1-park-a.ts'
import { V1_PARK_B } from '../fixtures/products/v1-park-b.ts'
import type { CheckEvidence } from '../fixtures/recording/check-evidence.ts'
import { buyerFor } from '../fixtures/run/preflight/first-bookings.ts'
import { clauseOfBookings } from './judge/bookings/booking-contention.ts'
import type { AdapterTrial } from './plan/bundle.ts'
import type { Ask, PlannedShapes } from './plan/plan.ts'
import { insistOnStated } from './plan/rate-limits.ts'
import { type OpenEvidence, openEvidence, tellStopped } from './read/scenario-evidence.ts'
import { idOf, type ScenarioResult } from './record/scenario-result.ts'
import { stoppedBy } from './run/run-stages.ts'

/** The number of days that journeys use, from `firstDay` of the definition on. */
const DAYS = 40
/** The number of products in one availability request. */
const PRODUCTS = 10
/** The number of places that searches use. */
const PLACES = 5

/** Returns the requests that k6 sends for a product. @throws Inconclusive if the product cannot be bought */
async function asksFor(
  product: Product,
  shopping: Shopping,
  groundOf: (kind: ProductKind) => Arrangement,
): Promise<Asks> {
  const arrange = <Kind extends ProductKind>(kind: Kind) => createProductArrange(groundOf(kind), kind).arrange
  if (product === 'v2-transfers') return transfers(shopping, arrange('transfers'))
  if (product === 'v2-tickets') return tickets(shopping, [arrange('parkA'), arrange('parkB')])
  if (product === 'v2-hotels') return hotels(shopping, arrange('hotels'))
  const selling = createV1Selling(groundOf(kindOf(product)), product)
  return (V1[product] as (shopping: Shopping, arrange: unknown) => Promise<Asks>)(shopping, selling.arrange)
}

/**
 * Converts an error to the reason why something is unknown, including errors of a definition's adapter.
 * @throws RunStopped unchanged
 */
function reasonOf(error: unknown): Inconclusive {
  if (error instanceof Inconclusive) return error
  if (error instanceof RunStopped) throw error
  const { message } = error as Error
  if (error instanceof TransportError || error instanceof BookingsClosed)
    return new Inconclusive('blocked', message)
  if (error instanceof NotAllowed) return new Inconclusive('not exercised', message)
  return new Inconclusive('error', message)
}

type Stretch = { firstDay: number; days: number }

const days = ({ firstDay, days }: Stretch): string[] => {
  const today = new Date().toISOString().slice(0, 10)
  return Array.from({ length: Math.min(DAYS, days) }, (_, index) => addDays(today, firstDay + index))
}

/** A single booking may fail because of its supplier or a changed price. */
const TRIES = 3

/** Makes an ordinary booking, and repeats it if it fails. It proves that the requests for k6 can be booked. */
async function bought<Booked>(book: () => Promise<Booked>): Promise<Booked> {
  for (let tries = 1; ; tries++) {
    try {
      return await book()
    } catch (error) {
      const reason = reasonOf(error)
      if (tries === TRIES) throw reason
    }
  }
}

/** Books a v2 offer, and returns the offer and the item of the request without its offer id. */
const boughtOffer = (arrange: ProductArrange): Promise<{ offer: Offer; item: JsonObject }> =>
  bought(async () => {
    const offer = await arrange.offer()
    const { body } = await arrange.booking({ offers: offer })
    const [{ offer_id: _, ...item }] = body.items as [JsonObject]
    return { offer, item }
  })

type Asks = readonly Ask[]

interface Shopping {
  shapes: Deployment['shapes']
  /** Tests the adapters that k6 has to run. */
  tryAdapter: AdapterTrial
}

async function transfers({ shapes }: Shopping, arrange: ProductArrange<'transfers'>): Promise<Asks> {
  const { offer, item } = await boughtOffer(arrange)
  // Whether the last day of a range counts is open, so the ranges have the same form as the one that found the
  // offer.
  const { from, to } = JSON.parse(Buffer.from(offer.exchange.request.body ?? []).toString()) as JsonObject
  const further = from === to ? 0 : 1
  const product_ids = (await arrange.adapter.productIds(await arrange.actor())).slice(0, PRODUCTS)
  const pax = { adult: 1, child: 0, infant: 0 }
  return days(shapes.transfers).map(day => ({
    kind: 'transfers',
    request: { product_ids, from: day, to: addDays(day, further), pax },
    item,
  }))
}

async function tickets(
  { shapes, tryAdapter }: Shopping,
  operators: readonly ProductArrange<'parkA' | 'parkB'>[],
): Promise<Asks> {
  const asks: Ask[] = []
  let seen: unknown
  let failed: Inconclusive | undefined
  for (const arrange of operators) {
    const { kind, adapter } = arrange
    try {
      const { offer, item } = await boughtOffer(arrange)
      const product = adapter.productOf(offer)
      seen ??= offer.exchange.response.json
      const period = product.days === undefined ? days(shapes.tickets) : [product.days.from]
      for (const day of period) asks.push({ kind, request: adapter.ask(product, day, day), item })
    } catch (error) {
      failed = reasonOf(error)
    }
  }
  if (asks.length === 0) throw failed
  tryAdapter('tickets.offers', shapes.tickets.offers, seen)
  return asks
}

async function hotels({ shapes, tryAdapter }: Shopping, arrange: ProductArrange<'hotels'>): Promise<Asks> {
  const { hotels: shape } = shapes
  const { item } = await boughtOffer(arrange)
  const by = await arrange.actor()
  const { adapter } = arrange
  const [places, search] = await placesOf(await adapter.destinations(by, PLACES), destination =>
    adapter.follow(by, { destination, checkIn: adapter.day() }),
  )
  const last = search.polls.at(-1)!.response.json
  tryAdapter('hotels.searchId', shape.searchId, search.started.response.json)
  tryAdapter('hotels.finished', shape.finished, last)
  tryAdapter('hotels.hotels', shape.hotels, last)
  const list = hotelListIn(last, shape)
  const asks = stays(places, shape, item, (destination, checkIn) =>
    shape.search({ destination, checkIn, checkOut: addDays(checkIn, search.nights), rooms: ONE_ROOM }),
  )
  return list === undefined ? asks : asks.map(ask => ({ ...ask, list }))
}

/**
 * Returns the name of the list in a search result that adapters can read record by record with the same result, so
 * that k6 need not parse the rest. Returns `undefined` if there is none, or if `finished` depends on the list.
 */
export function hotelListIn(
  answer: unknown,
  { hotels, finished }: Pick<Deployment['shapes']['hotels'], 'hotels' | 'finished'>,
): string | undefined {
  const all = hotels(answer)
  const within = (name: string, list: readonly unknown[]) => ({ ...Object(answer), [name]: list })
  return Object.entries(Object(answer) as JsonObject).find(
    ([name, list]) =>
      Array.isArray(list) &&
      all.length > 0 &&
      hotels(within(name, [])).length === 0 &&
      isDeepStrictEqual(
        list.flatMap(record => hotels(within(name, [record]))),
        all,
      ) &&
      finished(within(name, [])) &&
      !finished({ [name]: list }),
  )?.[0]
}

/** Returns the requests for stays at each place from each day on. */
const stays = <Place>(
  places: readonly Place[],
  stretch: Stretch,
  item: JsonObject,
  search: (place: Place, checkIn: string) => unknown,
): Asks =>
  days(stretch).flatMap(checkIn =>
    places.map((place): Ask => ({ kind: 'hotels', request: search(place, checkIn), item })),
  )

/** Returns some of the places, the first of which shows hotels as far as any does, and what was found there. */
async function placesOf<Place, Search extends { hotels: readonly unknown[] }>(
  all: readonly Place[],
  search: (place: Place) => Promise<Search>,
): Promise<[places: Place[], Search]> {
  const last = all.length - 1
  for (const [index, place] of all.entries()) {
    const found = await (index < last ? ifHad(search(place)) : search(place))
    if (found === undefined || (found.hotels.length === 0 && index < last)) continue
    return [[...all.slice(index), ...all.slice(0, index)].slice(0, PLACES), found]
  }
  throw notExercised('no place was found to search for hotels')
}

/** Returns the requests for v1 tickets of an operator. */
async function ticketsOfOperator(
  seller: typeof V1_PARK_A | typeof V1_PARK_B,
  { shapes, tryAdapter }: Shopping,
  { order, adapter }: ParkCheck['arrange'],
): Promise<Asks> {
  const { kind, shape } = seller
  const { offer } = await bought(() => order())
  const { ticket } = offer.productData
  const [[{ row } = {}, ...others] = []] = [...adapter.rowsOf(offer.exchange).values()]
  if (row !== undefined && shape === 'v1ParkB')
    tryAdapter('v1ParkB.eventTime', shapes.v1ParkB.eventTime, row, others.length + 1)
  return (ticket.eventDate === undefined ? days(shapes[shape]) : [ticket.eventDate]).map(date => ({
    kind,
    request: questionOf(seller, adapter.idOf(ticket), date, date),
    item: unpriced(adapter.body({ ...offer, date })),
  }))
}

/** Returns the requests for each v1 product, taken from an ordinary order. */
const V1: { [P in V1Product]: (shopping: Shopping, arrange: V1Arrange<P>) => Promise<Asks> } = {
  async 'v1-transfers'({ shapes, tryAdapter }, arrange) {
    const { offer, id } = await bought(() => arrange.order())
    const { total, confirm, cancel, price, logistics } = shapes.v1Transfers
    const { people, productData } = offer
    const passengers = Array.from({ length: people.adults + people.children }, (_, index) =>
      spelledAt(arrange.draw, index),
    )
    const item = { transfer: productData.transfer, people, passengers, logistics }
    const { quoted } = productData
    tryAdapter('v1Transfers.total', total, quoted)
    tryAdapter('v1Transfers.confirm', confirm, { ...item, date: offer.date, total: offer.total, quoted })
    tryAdapter('v1Transfers.cancel', cancel, id)
    return days(shapes.v1Transfers).map(date => ({
      kind: 'transfers',
      request: price({ transfer: productData.transfer, date, people }),
      item: { ...item, date },
    }))
  },

  'v1-park-a': (shopping, arrange) => ticketsOfOperator(V1_PARK_A, shopping, arrange),
  'v1-park-b': (shopping, arrange) => ticketsOfOperator(V1_PARK_B, shopping, arrange),

  async 'v1-hotels'({ shapes, tryAdapter }, arrange) {
    const { offer } = await bought(() => arrange.order())
    tryAdapter('v1Hotels.checked', shapes.v1Hotels.checked, offer.exchange.response.json)
    const { ratekey: _, ...item } = arrange.adapter.body(offer)
    const { adapter } = arrange
    const by = await arrange.actor()
    const [places] = await placesOf(await adapter.places(by), ({ id: place }) =>
      adapter.follow(by, { place, checkIn: offer.date }, ({ hotels }) => hotels.length > 0),
    )
    return stays(places, shapes.v1Hotels, item, ({ id: place }, checkIn) =>
      adapter.searchBody({ place, checkIn }),
    )
  },
}

const FILE = 'load/discovery.ts'
const TITLE = 'every answer before the load keeps the rules of every exchange'
/** The check that the requests of discovery belong to. */
const CHECK = idOf(FILE, TITLE)

interface DiscoveryOptions {
  deployment: Deployment
  session: Session
  shared: Shared
  signal: AbortSignal
  /** Tests the adapters that k6 has to run. */
  tryAdapter: AdapterTrial
  /** Takes what it is answered. */
  evidence: CheckEvidence
}

/** The results of discovery, and the reasons for what is missing. */
interface Discovered {
  shapes: PlannedShapes
  /** The products that cannot be sold and the API versions that do not answer, with the reason. */
  missing: ReadonlyMap<Product | ApiVersion, Inconclusive>
}

/**
 * Determines the open shapes that k6 needs, with the definition's adapters: makes one ordinary purchase of every
 * claimed product and cancels it at once.
 */
export async function discover(options: DiscoveryOptions): Promise<Discovered> {
  const { deployment, session, tryAdapter, evidence } = options
  const { actorFor, groundOf, sender, knows } = await buyerFor({ ...options, ...session }, CHECK)
  evidence.opens(sender.tenant ?? sender.role, knows)
  const shapes: PlannedShapes = { probes: {}, v1Paths: v1PathsOf(deployment.shapes), asks: {} }
  const missing = new Map<Product | ApiVersion, Inconclusive>()
  const attempt = async (what: Product | ApiVersion, look: () => Promise<void>): Promise<void> => {
    try {
      await look()
    } catch (error) {
      missing.set(what, reasonOf(error))
    }
  }
  for (const version of ['v1', 'v2'] as const) {
    await attempt(version, async () => {
      await groundOf('transfers').arrange.probe(version)
      shapes.probes[version] = deployment.shapes.probes[version]
    })
  }
  const shopping = { shapes: deployment.shapes, tryAdapter }
  for (const product of deployment.products) {
    await attempt(product, async () => {
      insistOnStated(deployment, product)
      shapes.asks[product] = await asksFor(product, shopping, groundOf)
    })
  }
  if (!deployment.disposable) {
    for (const { bookingId, product: known } of cancellationsDue(session.recorder.of(CHECK))) {
      const isOf = (product: Product) =>
        session.ledger.madeBy({ product, ...sender, bookingId: String(bookingId) })
      const product = known ?? productsOf('v2').find(isOf) ?? 'v2-transfers'
      const { cancel } = salesOf(product, deployment.shapes)
      // If it fails, the cleanup at the end of the run tries again.
      await cancel(actorFor(productOf(product).kinds[0]!), bookingId, { cleanup: true }).catch(() => {})
    }
  }
  return { shapes, missing }
}

/** Returns the evidence of discovery. */
export const evidenceOfDiscovery = (deployment: Deployment, { recorder }: Session): OpenEvidence =>
  openEvidence(CHECK, { deployment, recorder })

/** Returns the findings of discovery's answers, even if discovery was stopped. */
export function resultOfDiscovery({ recorder }: Session, { close }: OpenEvidence): ScenarioResult {
  recorder.forget(CHECK)
  const report = close()
  return {
    file: FILE,
    milliseconds: 0,
    // The run itself counts these requests.
    checks: [{ title: TITLE, report: { ...report, clauses: report.exercised, requests: { v1: 0, v2: 0 } } }],
  }
}

/** Returns a check for each product or version that is left out of the load, with the reason. */
export const checksOfMissing = ({ missing }: Discovered, { recorder }: Session): ScenarioResult['checks'] =>
  [...missing].map(([what, reason]) => {
    const title = `${what === 'v1' || what === 'v2' ? what : productOf(what).title} can be put under load`
    const clauses = [clauseOfBookings(what)]
    const stopped = stoppedBy(reason)
    tellStopped(recorder, idOf(FILE, title), clauses, stopped)
    const nothing = { exercised: [], findings: [], requests: { v1: 0, v2: 0 }, properties: [] }
    return { title, report: { ...nothing, clauses, stopped } }
  })
