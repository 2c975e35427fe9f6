import type { Inconclusive } from '../fixtures/check/evidence/assume.ts'
import { CheckEvidence } from '../fixtures/check/evidence/check-evidence.ts'
import { cancellationsDue } from '../fixtures/check/products/leftovers.ts'
import type { Session } from '../fixtures/client/client.ts'
import type { Shared } from '../fixtures/client/pace/index.ts'
import { salesOf } from '../fixtures/client/requests/index.ts'
import type { Deployment } from '../fixtures/deployments/definition/index.ts'
import { v1PathsOf } from '../fixtures/deployments/definition/index.ts'
import type { Product } from '../fixtures/ground/control.ts'
import type { ApiVersion } from '../fixtures/ground/exchange.ts'
import { productOf, productsOf } from '../fixtures/ground/products.ts'
import { buyerFor } from '../fixtures/run/first-bookings.ts'
import { asksFor, reasonOf } from './asks.ts'
import { clauseOfBookings } from './judge/bookings/booking-contention.ts'
import { insistOnStated } from './plan/allowance.ts'
import type { AdapterTrial } from './plan/bundle.ts'
import type { PlannedShapes } from './plan/plan.ts'
import { checkOf, idOf, type ScenarioResult } from './record/scenario-result.ts'
import { stoppedBy } from './run/run-stages.ts'

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
  const { deployment, session, tryAdapter } = options
  const { actorFor, groundOf, sender } = await buyerFor({ ...options, ...session }, CHECK)
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

/** Returns the findings of the passive rules for discovery's answers, even if discovery was stopped. */
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
    // The run itself counts these requests.
    checks: [{ title: TITLE, report: { ...report, clauses: report.exercised, requests: { v1: 0, v2: 0 } } }],
  }
}

/** Returns a check for each product or version that is left out of the load, with the reason. */
export const checksOfMissing = ({ missing }: Discovered): ScenarioResult['checks'] =>
  [...missing].map(([what, reason]) => {
    const title = `${what === 'v1' || what === 'v2' ? what : productOf(what).title} can be put under load`
    const stopped = stoppedBy(reason)
    return checkOf({ title, clauses: [clauseOfBookings(what)], exercised: [], findings: [], stopped }, FILE)
  })
