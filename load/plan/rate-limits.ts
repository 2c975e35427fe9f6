import { notExercised } from '../../fixtures/check/evidence/assume.ts'
import { bookingRules } from '../../fixtures/client/money/index.ts'
import { type Deployment, loadRole, type Role } from '../../fixtures/deployments/definition/index.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import type { ApiVersion } from '../../fixtures/ground/exchange.ts'
import { productOf } from '../../fixtures/ground/products.ts'
import { DOCUMENTED_LIMIT } from '../../fixtures/service/rate-limit.ts'
import type { Settings } from './plan.ts'
import type { PlanInput, PlannedSender, Planner, StagePlan } from './scenario-plan.ts'

/** The part of the documented rate that is used, per second. The rest is a margin for requests in flight. */
const WITHIN = 480 / 60

export const mints = ({ control }: Deployment): boolean => control.mint !== undefined

/** Returns the API versions that answer. @throws Inconclusive if none does */
function versionsOf({ missing }: PlanInput): ApiVersion[] {
  const versions = (['v1', 'v2'] as const).filter(version => !missing.has(version))
  if (versions.length > 0) return versions
  throw missing.get('v1')
}

/** Returns the possible speed of the clock; 1 if no clock can be moved. */
const speedOf = ({ settings, deployment }: PlanInput): number =>
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
const maxRateOf = ({ deployment }: PlanInput): number => deployment.load.maxRate ?? Number.POSITIVE_INFINITY

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

/** Seconds after which no kind of minute window counts a request, with one second for clock differences. */
const A_MINUTE = 61
/** In seconds. */
const A_DAY = 86_400

/** A longer burst says nothing about a limit per minute. */
const BURST_SECONDS = 30

/** Returns settings whose sizes are for the documented limit, for the one that the definition states. */
const forLimit = (settings: Settings, ...sizes: string[]): Settings =>
  Object.fromEntries(
    sizes.flatMap(name => {
      const size = settings[name]
      return size === undefined
        ? []
        : [[name, Math.round((size * (settings.limit ?? DOCUMENTED_LIMIT)) / DOCUMENTED_LIMIT)]]
    }),
  )

/**
 * Plans bursts above the limit. Each has its own credential if they can be minted, otherwise one that was silent
 * for a minute. Unaffected senders send in the same minute.
 */
export const rateLimitBurst: Planner = input => {
  const { settings, deployment, scenario } = input
  const { overrunMinutes = 0 } = settings
  const { burst = 0, overrunPerMinute = 0 } = forLimit(settings, 'burst', 'overrunPerMinute')
  const versions = versionsOf(input)
  const maxRate = maxRateOf(input)
  if (maxRate < (versions.length * burst) / BURST_SECONDS) {
    throw notExercised(
      `a burst is ${burst} requests of each version within ${BURST_SECONDS} seconds, and load.maxRate of the definition allows ${maxRate} a second`,
    )
  }
  if (maxRate < Number.POSITIVE_INFINITY) {
    input.onNotice(
      `${scenario}: bursts are of no more than ${maxRate} requests a second, which is what load.maxRate of the definition allows.`,
    )
  }
  const paced = (perSecond: number): { settings?: Settings } =>
    perSecond < Number.POSITIVE_INFINITY ? { settings: { perSecond } } : {}
  const stages: StagePlan[] = []
  for (const version of versions) {
    const sender = burstSender(input, `alone-${version}`)
    stages.push({ name: `alone-${version}`, ...quiet(input, sender), ...paced(maxRate) })
    const others = [sender, ...bystanders(input, sender)]
    if (others.length > 1 || versions.length > 1)
      stages.push({ name: `alone-${version}-others`, senders: others })
  }
  const both = burstSender(input, 'together')
  stages.push(
    { name: 'together', ...quiet(input, both), ...paced(maxRate / versions.length) },
    {
      name: 'recovery',
      senders: [both],
      silence: { seconds: A_MINUTE, why: 'after a 429, nothing may be sent for a minute' },
    },
  )
  // Rate limits may use another clock than the one that is moved; then moving it has no effect.
  if (deployment.control.advanceClock !== undefined) {
    const silence = { seconds: A_DAY, why: 'no limit counts requests of the day before' }
    stages.push({ name: 'a-day-later', senders: [both], silence })
  }
  const speed = Math.min(speedOf(input), (maxRate * 60) / (versions.length * overrunPerMinute))
  if (overrunMinutes > 0) {
    const intendedRate = (versions.length * overrunPerMinute * speed) / 60
    const sender = burstSender(input, 'overrun')
    stages.push({ name: 'overrun', ...quiet(input, sender), speed, settings: { speed }, intendedRate })
  }
  return {
    settings: { ...settings, burst, overrunPerMinute, speed },
    minted: mints(deployment),
    timeScale: speed,
    stages,
  }
}

/** Returns the sender that may exceed a limit. */
function burstSender({ deployment }: PlanInput, stage: string): PlannedSender {
  const { credentials, exhaustStandard } = deployment
  const standard = !mints(deployment) && credentials.expendable === undefined && exhaustStandard
  return { id: `burst of ${stage}`, alias: 'burst', role: standard ? 'standard' : 'expendable' }
}

/** Makes an existing sender wait for a minute first. */
const quiet = ({ deployment }: PlanInput, sender: PlannedSender): Pick<StagePlan, 'senders' | 'silence'> => ({
  senders: [sender],
  ...(mints(deployment)
    ? {}
    : { silence: { seconds: A_MINUTE, why: 'a burst needs a minute without requests before it' } }),
})

/** Returns the senders that another's burst must not affect, as far as there are any. */
function bystanders({ deployment }: PlanInput, { id, role }: PlannedSender): PlannedSender[] {
  const other = (role: string): PlannedSender => ({ id: `other beside ${id}`, alias: 'other', role })
  if (mints(deployment)) {
    return [
      other('otherCompany'),
      { id: `colleague of ${id}`, alias: 'colleague', role: 'expendable', colleagueOf: id },
    ]
  }
  if (deployment.credentials.otherCompany !== undefined) return [other('otherCompany')]
  return role === 'standard' ? [] : [other('standard')]
}

/**
 * Plans partners a little below the limit, one per version: so a counter shared by both versions is not taken for a
 * low limit. A definition with a single credential uses it for both.
 */
export const rateLimitSustained: Planner = input => {
  const { settings, deployment } = input
  const { perMinute = 0 } = forLimit(settings, 'perMinute')
  const versions = versionsOf(input)
  const speed = speedOf(input)
  const rate = (versions.length * perMinute * speed) / 60
  const maxRate = maxRateOf(input)
  if (rate > maxRate) {
    throw notExercised(
      `${perMinute} requests a minute of ${versions.join(' and ')} are ${rate} a second, and load.maxRate of the definition allows ${maxRate}`,
    )
  }
  const minted = mints(deployment)
  if (!minted && perMinute > deployment.traffic.perMinute) {
    throw notExercised(
      `${perMinute} requests a minute are more than the ${deployment.traffic.perMinute} that traffic.perMinute of the definition allows`,
    )
  }
  const senders = versions.map((version, index): PlannedSender => {
    const other = index > 0 && !minted && deployment.credentials.otherCompany !== undefined
    const alias = `partner ${version}`
    return { id: alias, alias, role: other ? 'otherCompany' : 'standard' }
  })
  const silence = { seconds: A_MINUTE, why: 'earlier requests must not count' }
  const sustained: StagePlan = {
    name: 'sustained',
    senders,
    ...(minted ? {} : { silence }),
    speed,
    settings: { speed },
    intendedRate: rate,
  }
  return { settings: { ...settings, perMinute, speed }, minted, timeScale: speed, stages: [sustained] }
}
