import { notExercised } from '../../fixtures/check/evidence/assume.ts'
import { bookingRules } from '../../fixtures/client/money/index.ts'
import { type Deployment, loadRole, type Role } from '../../fixtures/deployments/definition/index.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import type { ApiVersion } from '../../fixtures/ground/exchange.ts'
import { productOf } from '../../fixtures/ground/products.ts'
import type { PlanInput, PlannedSender } from './scenario-plan.ts'

/** The part of the documented rate that is used, per second. The rest is a margin for requests in flight. */
const WITHIN = 480 / 60

export const mints = ({ control }: Deployment): boolean => control.mint !== undefined

/** Returns the API versions that answer. @throws Inconclusive if none does */
export function versionsOf({ missing }: PlanInput): ApiVersion[] {
  const versions = (['v1', 'v2'] as const).filter(version => !missing.has(version))
  if (versions.length > 0) return versions
  throw missing.get('v1')
}

/** Returns the possible speed of the clock; 1 if no clock can be moved. */
export const speedOf = ({ settings, deployment }: PlanInput): number =>
  deployment.control.advanceClock === undefined ? 1 : (settings.speed ?? 1)

/** Returns the products of a list that can be sold. @throws Inconclusive with the reason if none can */
export function sellable({ deployment, missing }: PlanInput, products: readonly Product[]): Product[] {
  const claimed = products.filter(product => deployment.products.includes(product))
  const sold = claimed.filter(product => !missing.has(product))
  if (sold.length > 0) return sold
  const [first] = claimed
  if (first === undefined)
    throw notExercised(`needs one of ${products.join(', ')}, and the definition claims none`)
  throw missing.get(first)
}

/** Returns `load.maxRate` of the definition in requests per second. */
export const maxRateOf = ({ deployment }: PlanInput): number =>
  deployment.load.maxRate ?? Number.POSITIVE_INFINITY

/**
 * Returns the wanted rate in iterations per second, or less if the definition or its credentials allow less.
 *
 * @param requests per iteration
 */
export function allowedRate(input: PlanInput, rate: number, requests: number): number {
  const { deployment, scenario, onNotice } = input
  const ofCredentials = mints(deployment)
    ? Number.POSITIVE_INFINITY
    : (standingSenders(deployment).length * deployment.traffic.perMinute) / 60
  const allowed = Math.min(maxRateOf(input), ofCredentials) / requests
  if (rate <= allowed) return rate
  const lowered = Math.max(Math.floor(allowed * 100) / 100, 0.01)
  onNotice(
    `${scenario}: ${rate} iterations a second were asked for, and ${lowered} are what the credentials and load.maxRate of the definition allow.`,
  )
  return lowered
}

/** Returns enough senders for a rate in requests per second (per version). @throws Inconclusive if there are none */
export function sendersFor(
  deployment: Deployment,
  requestsPerSecond: number,
  like: Partial<PlannedSender> = {},
): PlannedSender[] {
  if (mints(deployment)) {
    const count = Math.max(2, Math.ceil(requestsPerSecond / WITHIN))
    return Array.from({ length: count }, (_, index) => {
      const alias = `${like.alias ?? 'company'} ${index + 1}`
      return { role: 'standard', ...like, id: alias, alias }
    })
  }
  const senders = standingSenders(deployment)
  if (senders.length === 0) throw notExercised('needs a credential that is in test mode for every product')
  return senders
}

/**
 * Requires that the credential for a product is stated to be a test credential, if its orders do not tell.
 * @throws Inconclusive if it is not
 */
export function insistOnStated(deployment: Deployment, product: Product): void {
  const { tellsMode, kinds, title } = productOf(product)
  if (tellsMode || mints(deployment)) return
  const { credentials, load } = deployment
  const { modeOf } = bookingRules(deployment)
  const unstated = standingSenders(deployment).filter(({ role }) => {
    const index = (load.tokens ?? []).findIndex((_, index) => loadRole(index) === role)
    const token = index === -1 ? credentials[role as Role]!.token : load.tokens![index]!
    return kinds.some(kind => modeOf(token, kind)?.stated !== true)
  })
  if (unstated.length === 0) return
  throw notExercised(
    `orders of ${title} do not say that they are tests, and the definition does not state it of ${unstated.map(({ role }) => role).join(', ')}`,
  )
}

/** The roles whose credentials may send ordinary load. */
const CARRIERS: readonly Role[] = ['standard', 'otherCompany', 'expendable']

/** Returns all senders of a definition that may send ordinary load. */
function standingSenders({ credentials, load }: Deployment): PlannedSender[] {
  const roles = CARRIERS.filter(role => {
    const credential = credentials[role]
    return credential !== undefined && !Object.values(credential.modes ?? {}).includes('live')
  })
  const further = (load.tokens ?? []).map((_, index) => loadRole(index))
  return [...roles, ...further].map(role => ({ id: role, alias: role, role }))
}
