import { type Actor, resolveSender } from '../fixtures/check/actor.ts'
import {
  type Arrangement,
  createArrangement,
  createProductArrange,
  type ProductArrange,
} from '../fixtures/check/arrange.ts'
import { cancellationsDue } from '../fixtures/check/cancellations-due.ts'
import { CheckEvidence } from '../fixtures/check/check-evidence.ts'
import { Inconclusive } from '../fixtures/check/inconclusive.ts'
import { nothingLearned } from '../fixtures/check/learned-requirements.ts'
import { addDays } from '../fixtures/check/products/adapter-context.ts'
import { ONE_ROOM } from '../fixtures/check/products/hotels.ts'
import type { Offer } from '../fixtures/check/products/product-adapter.ts'
import { PEOPLE } from '../fixtures/check/travelers.ts'
import { createV1Selling, type V1Arrange } from '../fixtures/check/v1/arrange.ts'
import { BookingsClosed, NotAllowed, RunStopped, TransportError } from '../fixtures/client/errors.ts'
import type { ApiVersion } from '../fixtures/client/exchange.ts'
import { createPartner } from '../fixtures/client/partner.ts'
import { type Buyer, salesOf } from '../fixtures/client/sales.ts'
import type { Session } from '../fixtures/client/session.ts'
import { nextDay, type Shared } from '../fixtures/client/shared.ts'
import type { Product, ProductKind } from '../fixtures/deployments/control.ts'
import { v1PathsOf } from '../fixtures/deployments/defaults-v1.ts'
import type { Deployment } from '../fixtures/deployments/definition.ts'
import type { JsonObject } from '../fixtures/json.ts'
import { kindOf, type V1Product } from '../fixtures/service/products.ts'
import { insistOnStated } from './plan/allowance.ts'
import type { AdapterTrial } from './plan/bundle.ts'
import type { Ask, PlannedShapes } from './plan/plan.ts'
import { idOf, type ScenarioResult } from './record/scenario-result.ts'

const FILE = 'load/discovery.ts'
const TITLE = 'every answer before the load keeps the rules of every exchange'
/** The check that the requests of discovery belong to. */
const CHECK = idOf(FILE, TITLE)

/** Days that journeys spread over, from the first one that the definition names. */
const DAYS = 40
/** Products of one availability request. */
const PRODUCTS = 10
/** Places that searches are spread over. */
const PLACES = 5

interface DiscoveryOptions {
  deployment: Deployment
  session: Session
  shared: Shared
  run: string
  signal: AbortSignal
  /** Tries adapters that k6 has to run. */
  tryAdapter: AdapterTrial
}

/** The results of discovery, and the reasons for what is missing. */
export interface Discovered {
  shapes: PlannedShapes
  /** Products that cannot be sold here, and API versions that answer nothing, with the reason. */
  missing: ReadonlyMap<Product | ApiVersion, Inconclusive>
}

/**
 * Finds out what k6 has to be told of the open shapes of a deployment, with the definition's own adapters: one ordinary
 * purchase of every product that is claimed, cancelled at once.
 */
export async function discover({
  deployment,
  session,
  shared,
  run,
  signal,
  tryAdapter,
}: DiscoveryOptions): Promise<Discovered> {
  const actorFor = await actorOf(deployment, session, signal)
  const standard = actorFor('transfers')
  const learned = nothingLearned()
  const groundOf = (kind: ProductKind) =>
    createArrangement({
      deployment,
      learned,
      run,
      actorOf: async () => actorFor(kind),
      nextTicket: () => nextDay(shared),
      now: Date.now,
      signal,
      alone: async () => {},
      advanceClock: async (tenant, seconds) => deployment.control.advanceClock?.(tenant, seconds),
    })
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
    for (const { bookingId, product = 'v2-transfers' } of cancellationsDue(session.recorder.of(CHECK))) {
      const { cancel } = salesOf(product, deployment.shapes)
      // The ledger still holds what cannot be cancelled now, and the end of the run tries once more.
      await cancel(standard as unknown as Buyer, bookingId, { cleanup: true }).catch(() => {})
    }
  }
  return { shapes, missing }
}

/** Returns what k6 asks for a product. @throws Inconclusive where it cannot be bought */
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
 * Returns why something could not be found out: what a definition's own adapter throws is told, too.
 *
 * @throws RunStopped as it is
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

/** Returns what the rules of every exchange say of the answers that discovery got, also of one that was stopped. */
export function resultOfDiscovery(
  { recorder }: Session,
  { control, credentials }: Deployment,
): ScenarioResult {
  const live = Object.values(credentials.standard?.modes ?? {}).includes('live')
  const evidence = new CheckEvidence({
    check: CHECK,
    clauses: [],
    redact: recorder.redactor.text,
    sentInTestMode: () => control.mint !== undefined || !live,
  })
  for (const exchange of recorder.of(CHECK)) evidence.observe(exchange)
  recorder.forget(CHECK)
  const report = evidence.close(undefined, undefined)
  return {
    file: FILE,
    milliseconds: 0,
    // Its requests are the run's own, and are counted there.
    checks: [{ title: TITLE, report: { ...report, clauses: report.exercised, requests: { v1: 0, v2: 0 } } }],
  }
}

/** The standard partner, as the buyer of each kind of product. */
async function actorOf(
  deployment: Deployment,
  { client }: Session,
  signal: AbortSignal,
): Promise<(kind: ProductKind) => Actor> {
  const resolved = await resolveSender(deployment, 'standard', {}, undefined)
  const { role, tenant, token, minted } = resolved
  const sender = minted ? { role, tenant } : { role }
  const modes = minted ? resolved.modes : undefined
  return kind => ({
    ...resolved,
    ...createPartner({
      client,
      token,
      sender,
      check: CHECK,
      signal,
      kind,
      minted: modes,
      v1Paths: v1PathsOf(deployment.shapes),
    }),
  })
}

type Stretch = { firstDay: number; days: number }

const days = ({ firstDay, days }: Stretch): string[] => {
  const today = new Date().toISOString().slice(0, 10)
  return Array.from({ length: Math.min(DAYS, days) }, (_, index) => addDays(today, firstDay + index))
}

/** A source may fail, or its price move, in any single booking. */
const TRIES = 3

/** Makes an ordinary booking, and another one where it fails: it shows that what k6 is told can be booked. */
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

/** Books an offer of v2, and returns it with the item of its booking, without its id. */
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
  /** Tries adapters that k6 has to run. */
  tryAdapter: AdapterTrial
}

async function transfers({ shapes }: Shopping, arrange: ProductArrange<'transfers'>): Promise<Asks> {
  const { item } = await boughtOffer(arrange)
  const product_ids = (await arrange.adapter.productIds(await arrange.actor())).slice(0, PRODUCTS)
  const pax = { adult: 1, child: 0, infant: 0 }
  return days(shapes.transfers).map(day => ({
    kind: 'transfers',
    request: { product_ids, from: day, to: day, pax },
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
  const places = (await adapter.destinations(by)).slice(0, PLACES)
  const search = await adapter.search(by, { destination: places[0]!, checkIn: adapter.day() })
  const last = search.polls.at(-1)!.response.json
  tryAdapter('hotels.searchId', shape.searchId, search.started.response.json)
  tryAdapter('hotels.finished', shape.finished, last)
  tryAdapter('hotels.hotels', shape.hotels, last)
  return places.flatMap(destination =>
    days(shape).map(checkIn => {
      const request = shape.search({ destination, checkIn, checkOut: addDays(checkIn, 2), rooms: ONE_ROOM })
      return { kind: 'hotels' as const, request, item }
    }),
  )
}

/** What k6 asks for products of API v1, out of an ordinary order of each. */
const V1: { [P in V1Product]: (shopping: Shopping, arrange: V1Arrange<P>) => Promise<Asks> } = {
  async 'v1-transfers'({ shapes, tryAdapter }, arrange) {
    const { offer, id } = await bought(() => arrange.order())
    const { total, confirm, cancel, price, logistics } = shapes.v1Transfers
    const { people, productData } = offer
    const passengers = Array.from({ length: people.adults + people.children }, () => PEOPLE[0])
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

  async 'v1-park-a'({ shapes }, arrange) {
    const { offer } = await bought(() => arrange.order())
    const { family } = offer.productData
    const { product_id } = family.adult ?? family.child ?? {}
    return (family.eventDate === undefined ? days(shapes.v1ParkA) : [family.eventDate]).map(date => {
      const { total_amount: _, ...item } = arrange.adapter.body({ ...offer, date })
      return { kind: 'parkA', request: { product_id, from_date: date, to_date: date }, item }
    })
  },

  async 'v1-park-b'({ shapes, tryAdapter }, arrange) {
    const { offer } = await bought(() => arrange.order())
    const [[row, ...others] = []] = [...arrange.adapter.rowsOf(offer.exchange).values()]
    if (row !== undefined) tryAdapter('v1ParkB.eventTime', shapes.v1ParkB.eventTime, row, others.length + 1)
    return days(shapes.v1ParkB).map(date => {
      const { total_amount: _, event_time: __, ...item } = arrange.adapter.body({ ...offer, date })
      return { kind: 'parkB', request: { plu: offer.productData.plu, from_date: date, to_date: date }, item }
    })
  },

  async 'v1-hotels'({ shapes, tryAdapter }, arrange) {
    const { offer } = await bought(() => arrange.order())
    tryAdapter('v1Hotels.checked', shapes.v1Hotels.checked, offer.exchange.response.json)
    const { ratekey: _, ...item } = arrange.adapter.body(offer)
    const places = (await arrange.adapter.places(await arrange.actor())).slice(0, PLACES)
    return places.flatMap(({ id }) =>
      days(shapes.v1Hotels).map(checkIn => {
        const request = arrange.adapter.searchBody({ place: id, checkIn })
        return { kind: 'hotels' as const, request, item }
      }),
    )
  },
}
