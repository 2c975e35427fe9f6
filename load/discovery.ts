import { type Actor, resolveSender } from '../fixtures/check/actor.ts'
import { createArrangement, createProductArrange, type ProductArrange } from '../fixtures/check/arrange.ts'
import { cancellationsDue } from '../fixtures/check/cancellations-due.ts'
import { CheckEvidence } from '../fixtures/check/check-evidence.ts'
import { Inconclusive } from '../fixtures/check/inconclusive.ts'
import { nothingLearned } from '../fixtures/check/learned-requirements.ts'
import { addDays } from '../fixtures/check/products/adapter-context.ts'
import { ONE_ROOM } from '../fixtures/check/products/hotels.ts'
import type { Offer } from '../fixtures/check/products/product-adapter.ts'
import { BookingsClosed, NotAllowed, RunStopped, TransportError } from '../fixtures/client/errors.ts'
import type { ApiVersion } from '../fixtures/client/exchange.ts'
import { createPartner } from '../fixtures/client/partner.ts'
import type { Session } from '../fixtures/client/session.ts'
import { nextDay, type Shared } from '../fixtures/client/shared.ts'
import type { Product, ProductKind } from '../fixtures/deployments/control.ts'
import { v1PathsOf } from '../fixtures/deployments/defaults-v1.ts'
import type { Deployment } from '../fixtures/deployments/definition.ts'
import type { AdapterTrial } from './plan/bundle.ts'
import type { PlannedShapes } from './plan/plan.ts'
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
  const arrange = <Kind extends ProductKind>(kind: Kind): ProductArrange<Kind> =>
    createProductArrange(groundOf(kind), kind).arrange
  const shapes: PlannedShapes = { probes: {} }
  const missing = new Map<Product | ApiVersion, Inconclusive>()
  const attempt = async (what: Product | ApiVersion, look: () => Promise<void>): Promise<void> => {
    try {
      await look()
    } catch (error) {
      missing.set(what, reasonOf(error))
    }
  }
  const sells = (product: Product) => deployment.products.includes(product)

  for (const version of ['v1', 'v2'] as const) {
    await attempt(version, async () => {
      await groundOf('transfers').arrange.probe(version)
      shapes.probes[version] = deployment.shapes.probes[version]
    })
  }
  if (sells('v2-transfers')) {
    await attempt('v2-transfers', async () => {
      shapes.transfers = await transfers(deployment, arrange('transfers'))
    })
  }
  if (sells('v2-tickets')) {
    await attempt('v2-tickets', async () => {
      shapes.tickets = await tickets(deployment, [arrange('parkA'), arrange('parkB')], tryAdapter)
    })
  }
  if (sells('v2-hotels')) {
    await attempt('v2-hotels', async () => {
      shapes.hotels = await hotels(deployment, arrange('hotels'), tryAdapter)
    })
  }
  if (!deployment.disposable) {
    for (const { bookingId } of cancellationsDue(session.recorder.of(CHECK))) {
      // The ledger still holds what cannot be cancelled now, and the end of the run tries once more.
      await standard.v2.cancel(bookingId, undefined, { cleanup: true }).catch(() => {})
    }
  }
  return { shapes, missing }
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

const days = ({ firstDay, days }: { firstDay: number; days: number }): string[] => {
  const today = new Date().toISOString().slice(0, 10)
  return Array.from({ length: Math.min(DAYS, days) }, (_, index) => addDays(today, firstDay + index))
}

/** Returns the item of the kit's ordinary booking of an offer, without the offer; that booking is made. */
async function itemOf(arrange: ProductArrange, offer: Offer): Promise<unknown> {
  const { body } = await arrange.booking({ offers: offer })
  const [{ offer_id: _, ...item }] = body.items as [Record<string, unknown>]
  return item
}

/** A source may fail, or its price move, in any single booking. */
const TRIES = 3

/** An offer and the item of its booking; where the booking fails, of another offer. */
async function bought(arrange: ProductArrange): Promise<{ offer: Offer; item: unknown }> {
  for (let tries = 1; ; tries++) {
    const offer = await arrange.offer()
    try {
      return { offer, item: await itemOf(arrange, offer) }
    } catch (error) {
      const reason = reasonOf(error)
      if (tries === TRIES) throw reason
    }
  }
}

async function transfers(
  deployment: Deployment,
  arrange: ProductArrange<'transfers'>,
): Promise<NonNullable<PlannedShapes['transfers']>> {
  const { item } = await bought(arrange)
  return {
    productIds: (await arrange.adapter.productIds(await arrange.actor())).slice(0, PRODUCTS),
    days: days(deployment.shapes.transfers),
    item,
  }
}

async function tickets(
  { shapes }: Deployment,
  operators: readonly ProductArrange<'parkA' | 'parkB'>[],
  tryAdapter: AdapterTrial,
): Promise<NonNullable<PlannedShapes['tickets']>> {
  const asks: NonNullable<PlannedShapes['tickets']>['asks'] = []
  let seen: unknown
  let failed: Inconclusive | undefined
  for (const arrange of operators) {
    try {
      const { offer, item } = await bought(arrange)
      const adapter = arrange.adapter
      const product = adapter.productOf(offer)
      seen ??= offer.exchange.response.json
      const period = product.days === undefined ? days(shapes.tickets) : [product.days.from]
      for (const day of period.slice(0, DAYS))
        asks.push({ kind: arrange.kind, body: adapter.ask(product, day, day), item })
    } catch (error) {
      failed = reasonOf(error)
    }
  }
  if (asks.length === 0) throw failed
  tryAdapter('tickets.offers', shapes.tickets.offers, seen)
  return { asks }
}

async function hotels(
  deployment: Deployment,
  arrange: ProductArrange<'hotels'>,
  tryAdapter: AdapterTrial,
): Promise<NonNullable<PlannedShapes['hotels']>> {
  const { hotels: shape } = deployment.shapes
  const { item } = await bought(arrange)
  const by = await arrange.actor()
  const adapter = arrange.adapter
  const places = (await adapter.destinations(by)).slice(0, PLACES)
  const search = await adapter.search(by, { destination: places[0]!, checkIn: adapter.day() })
  const last = search.polls.at(-1)!.response.json
  tryAdapter('hotels.searchId', shape.searchId, search.started.response.json)
  tryAdapter('hotels.finished', shape.finished, last)
  tryAdapter('hotels.hotels', shape.hotels, last)
  return {
    searches: places.flatMap(destination =>
      days(shape).map(checkIn =>
        shape.search({ destination, checkIn, checkOut: addDays(checkIn, 2), rooms: ONE_ROOM }),
      ),
    ),
    item,
  }
}
