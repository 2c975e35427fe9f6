import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Clause } from '../../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { versionOfClause } from '../../../fixtures/clauses/version.ts'
import { RunStopped, TransportError } from '../../../fixtures/client/transport/index.ts'
import type { Deployment } from '../../../fixtures/deployments/definition/index.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import { isProductId, productOf } from '../../../fixtures/ground/products.ts'
import type { Profile } from '../../../fixtures/ground/record.ts'
import { type RoleSeen, toldOf } from '../../../fixtures/run/preflight/roles-seen.ts'
import { tryDefinition } from '../../../fixtures/run/preflight/trial.ts'
import { conditionsUpTo } from '../../../fixtures/run/run.ts'
import { asksFor, LEAST, lacks } from '../../../reports/judge/profile.ts'

/** The predicted result of a run, as far as reads can show. */
export interface Forecast {
  /** Why it would be blocked or incomplete, one sentence each. */
  obstacles: string[]
  /** Claimed products that checks will not book, and why. */
  unbooked: { product: Product; why: string }[]
  /** The decisions that `DECIDE` marks in the definition's file leave open. */
  decide: string[]
  /** The clauses that the profile requires, counted for each kind of product, and those that a run can reach at most. */
  reach: { asked: number; reachable: number }
  /** Adapters that no read can try: less can be reached if bookings do not take what they write. */
  unread: string[]
  /** The approximate numbers of requests, and the minutes they take at the allowed pace. */
  expected: { v1: number; v2: number; minutes: number }
}

/**
 * The number of requests that decide each clause, with two credentials and no control, by product, measured on the embedded
 * deployment. A market with refusals needs more.
 */
export const REQUESTS: Readonly<Record<Product, number>> = {
  'v1-hotels': 333,
  'v1-transfers': 143,
  'v1-park-a': 420,
  'v1-park-b': 293,
  'v2-transfers': 330,
  'v2-tickets': 610,
  'v2-hotels': 346,
}

/** The requests of all checks, with conditions that only vary, as a multiple of these. */
export const OF_ALL = { v1: 2.6, v2: 2.1 } as const

interface Known {
  /** A `file:` address. */
  definition: string
  profile: Profile
  roles: readonly RoleSeen[]
  rateLimit: number | undefined
}

/** Tries the adapters of a definition, and predicts the result of a run. Books nothing. */
export async function forecast(deployment: Deployment, known: Known): Promise<Forecast> {
  const standard = known.roles.find(({ role }) => role === 'standard')
  const refused = (standard?.catalogs ?? []).filter(({ answered }) => answered !== 200)
  // Companies made by control are in test mode, and checks use them.
  const books = deployment.control.mint === undefined ? standard?.books : undefined
  const unbooked = deployment.products
    .filter(product => books !== undefined && !books.includes(product))
    .map(product => ({ product, why: whyUnbooked(product) }))
  const unreachable = new Set([...unbooked, ...refused].map(({ product }) => product))
  const reach = reachOf(deployment, known.profile, unreachable)
  const least = LEAST[known.profile]
  const trial = isSilent(known.roles)
    ? { untried: ['no further calls were made, because one was not answered'], unread: [] }
    : await trialOf(deployment)
  return {
    obstacles: [
      ...refused.map(seen => `the catalog of ${seen.product} ${toldOf(seen)}`),
      ...unbooked.map(({ product, why }) => `${product} will not be booked: ${why}`),
      ...trial.untried,
      ...(reach.reachable < least * reach.asked
        ? [`a run can reach less than the ${100 * least} % that the profile ${known.profile} takes`]
        : []),
    ],
    unbooked,
    decide: decisionsIn(known.definition),
    reach,
    unread: trial.unread,
    expected: expectedOf(deployment, unreachable, known.rateLimit),
  }
}

/** Whether a catalog was not answered at all. */
const isSilent = (roles: readonly RoleSeen[]): boolean =>
  roles.some(({ catalogs }) => catalogs.some(({ answered }) => typeof answered === 'string'))

const whyUnbooked = (product: Product): string =>
  productOf(product).tellsMode
    ? 'the standard credential is not a test credential for it (its modes in the definition)'
    : 'no answer says whether its bookings are real; if you are sure that the credential is a test credential for it, declare this with modes in the definition, or TSS_TEST_PRODUCTS in .env'

/** Returns the adapters that could not be tried, searches without an end, and what no read can try. */
async function trialOf(deployment: Deployment): Promise<{ untried: string[]; unread: string[] }> {
  try {
    const { untried, unread } = await tryDefinition({ deployment, dir: null })
    return { untried, unread: unread.map(({ adapter }) => adapter) }
  } catch (error) {
    if (error instanceof TransportError || error instanceof RunStopped)
      return { untried: [`the adapters could not all be tried: ${error.message}`], unread: [] }
    throw error
  }
}

/** Returns the open decisions that `init` marked in a file: the name of what is open, and why. */
function decisionsIn(definition: string): string[] {
  const file = definition.startsWith('file:') ? fileURLToPath(definition) : definition
  if (!existsSync(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(/^\s*\/\/ DECIDE (\w+: [^\n]{1,300})/gm)].map(
    ([, what]) => what!,
  )
}

function reachOf(
  deployment: Deployment,
  profile: Profile,
  unreachable: ReadonlySet<Product>,
): Forecast['reach'] {
  const reached = deployment.products.filter(product => !unreachable.has(product))
  const asked = Object.entries(CLAUSES as Readonly<Record<string, Clause>>).filter(
    ([, row]) => row.side !== 'client' && asksFor(profile, row, deployment),
  )
  const reachable = asked.filter(([, { needs = [] }]) => lacks(needs, deployment).length === 0)
  const pairsOf = (rows: typeof asked, products: readonly Product[]) =>
    rows.flatMap(([id, row]) => [
      ...new Set(productsOf(id, row, products).flatMap(product => productOf(product).kinds)),
    ])
  return {
    asked: pairsOf(asked, deployment.products).length,
    reachable: pairsOf(reachable, reached).length,
  }
}

/** Returns those of some products that a clause is about. */
function productsOf(id: string, { area }: Clause, claimed: readonly Product[]): readonly Product[] {
  if (isProductId(area)) return claimed.filter(product => product === area)
  const version = area.startsWith('v2-') ? 'v2' : versionOfClause(id)
  return claimed.filter(product => version === undefined || productOf(product).version === version)
}

function expectedOf(
  { products, traffic, control }: Deployment,
  unreachable: ReadonlySet<Product>,
  rateLimit = Number.POSITIVE_INFINITY,
): Forecast['expected'] {
  const sumOf = (version: 'v1' | 'v2') => {
    const least = products
      .filter(product => productOf(product).version === version && !unreachable.has(product))
      .reduce((sum, product) => sum + REQUESTS[product], 0)
    return Math.round(Math.max(least, Math.min(least * OF_ALL[version], conditionsUpTo(traffic))))
  }
  const [v1, v2] = [sumOf('v1'), sumOf('v2')]
  // Companies made for one check have their own limit.
  const pace = control.mint === undefined ? Math.min(traffic.perMinute, rateLimit) : Number.POSITIVE_INFINITY
  return { v1, v2, minutes: Math.max(1, Math.ceil(Math.max(v1, v2) / pace)) }
}
