import { notExercised } from '../../fixtures/check/evidence/assume.ts'
import { salesOf } from '../../fixtures/client/requests/index.ts'
import type { Deployment } from '../../fixtures/deployments/definition/index.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import { isV1Product, productIds, productOf } from '../../fixtures/ground/products.ts'
import { isHandle } from '../../fixtures/secrets/token-handle.ts'
import { SCENARIOS, type ScenarioName, type Settings } from './plan.ts'
import {
  allowedRate,
  mints,
  rateLimitBurst,
  rateLimitSustained,
  sellable,
  sendersFor,
} from './rate-limits.ts'
import type { PlanInput, Planner, ScenarioPlan, StagePlan } from './scenario-plan.ts'

/** The maximum requests of one journey in one version. */
const REQUESTS_PER_JOURNEY = 16

/** The requests of every call once, including those that prepare others. */
const REQUESTS_PER_ROUND = 20

/** The usual maximum duration of a search in seconds. */
const SEARCH_SECONDS = 30

/** Returns the requests of a search: its start and its polls. */
const requestsPerSearch = ({ settings: { pollEvery = 1000 }, deployment }: PlanInput): number =>
  deployment.disposable ? 10 : 1 + (SEARCH_SECONDS * 1000) / pollEvery

function oneStage(
  { scenario, deployment, settings }: PlanInput,
  used: Settings,
  requestsPerSecond: number,
  more: Partial<StagePlan> = {},
): ScenarioPlan {
  const senders = sendersFor(deployment, requestsPerSecond)
  return {
    settings: { ...settings, ...used },
    minted: mints(deployment),
    timeScale: 1,
    stages: [{ name: scenario, senders, settings: used, ...more }],
  }
}

/** Plans one stage at the configured rate, or the part of it that is allowed. */
function atRate(input: PlanInput, requests: number, more: Partial<StagePlan> = {}): ScenarioPlan {
  const rate = allowedRate(input, input.settings.rate ?? 1, requests)
  return oneStage(input, { rate }, rate * requests, { intendedRate: rate, ...more })
}

/** Plans hotel searches, each polled until it ends. */
const searchPolling: Planner = input => {
  sellable(input, ['v2-hotels', 'v1-hotels'])
  return atRate(input, requestsPerSearch(input))
}

/**
 * Returns whether a repeat is promised to be a replay. v1 hotels and transfers promise it for live credentials
 * only, which are used only if the deployment was created for the run.
 */
const isPromised = ({ deployment }: PlanInput, product: Product): boolean =>
  salesOf(product, deployment.shapes).replaysTests || (mints(deployment) && deployment.disposable)

/** Plans many v2 keys and v1 references, each sent several times at once. */
const bookingContention: Planner = input => {
  const { settings, deployment } = input
  const sold = sellable(input, productIds)
  const promised = sold.filter(product => isPromised(input, product))
  const products = [
    ...promised.filter(product => !isV1Product(product)).slice(0, 1),
    ...promised.filter(isV1Product),
  ]
  const leftOut = Object.fromEntries(
    sold
      .filter(product => !promised.includes(product))
      .map(product => [product, `test credentials of ${productOf(product).title} are promised no replay`]),
  )
  if (products.length === 0) throw notExercised(Object.values(leftOut).join('; '))
  // An offer for each key, the copies, and some repeats; hotels also need a search.
  const requests = (product: Product) =>
    (settings.copies ?? 1) + 6 + (product.endsWith('hotels') ? requestsPerSearch(input) : 0)
  const average = products.reduce((sum, product) => sum + requests(product), 0) / products.length
  const rate = allowedRate(input, settings.rate ?? 1, average)
  const senders = products.flatMap(product => {
    const role = salesOf(product, deployment.shapes).replaysTests ? 'standard' : 'live'
    const like = { alias: `${product} company`, role, product }
    return sendersFor(deployment, (rate / products.length) * requests(product), like)
  })
  const own = mints(deployment) ? { senders } : {}
  const plan = oneStage(input, { rate }, rate * average, { intendedRate: rate, products, ...own })
  return { ...plan, leftOut }
}

/** Plans ordinary traffic at a constant rate. */
const journeyMix: Planner = input => {
  sellable(input, productIds)
  return atRate(input, REQUESTS_PER_JOURNEY)
}

/** Plans a sudden rush. */
const spike: Planner = input => {
  sellable(input, productIds)
  const { rate: asked = 1, spike: factor = 1 } = input.settings
  const most = allowedRate(input, asked * factor, REQUESTS_PER_JOURNEY)
  return oneStage(input, { rate: most / factor }, most * REQUESTS_PER_JOURNEY)
}

/** Plans a rate that rises until something fails. */
const breakpoint: Planner = input => {
  sellable(input, productIds)
  const { from: first = 1, to: asked = 1 } = input.settings
  const to = allowedRate(input, asked, REQUESTS_PER_JOURNEY)
  // A rising load must not begin above the allowed rate.
  const from = to < asked ? (first * to) / asked : first
  return oneStage(input, { from, to }, to * REQUESTS_PER_JOURNEY)
}

/** Plans every call, to measure its duration. The times are shorter if the deployment's clock runs faster. */
const timeouts: Planner = input => {
  sellable(input, productIds)
  const { scale = 1 } = input.settings
  if (scale !== 1 && input.deployment.control.advanceClock === undefined)
    throw notExercised('needs control that moves the clock, for a scale other than 1')
  return atRate(input, REQUESTS_PER_ROUND, scale === 1 ? {} : { speed: 1 / scale })
}

const PLANNERS: Record<ScenarioName, Planner> = {
  'rate-limit-burst': rateLimitBurst,
  'rate-limit-sustained': rateLimitSustained,
  'search-polling': searchPolling,
  'booking-contention': bookingContention,
  timeouts,
  'journey-mix': journeyMix,
  spike,
  breakpoint,
  soak: journeyMix,
}

/** The documented minimum interval of search polls in milliseconds. */
const POLITE = 1000

/**
 * Plans a scenario: senders, stages and settings. It sends nothing. Only a deployment created for this run is
 * polled more often than once a second. @throws Inconclusive if the scenario cannot run on this deployment
 */
export function planScenario(input: PlanInput): ScenarioPlan {
  const { settings, deployment, scenario } = input
  const { perMinute: limit } = deployment.limits
  const { pollEvery } = settings
  const polite = pollEvery === undefined || deployment.disposable ? pollEvery : Math.max(pollEvery, POLITE)
  return PLANNERS[scenario]({
    ...input,
    settings: {
      ...settings,
      ...(polite !== undefined && { pollEvery: polite }),
      // Plans that other machines read say so, too.
      ...(limit !== undefined && { limit }),
    },
  })
}

/** Returns why no archive for other machines can hold scenarios, as a part of a sentence; `undefined` if one can. */
export function whyNotArchived(
  [scenario, ...others]: readonly ScenarioName[],
  { credentials, disposable, load, tls }: Deployment,
): string | undefined {
  if (others.length > 0) return 'it holds one scenario, which --scenario names'
  if (scenario!.startsWith('rate-limit'))
    return `${scenario} holds all that a credential sends against its limit, which no part of it shows`
  if (!disposable && scenario !== 'search-polling')
    return `${scenario} books, and only this process journals a booking before it leaves, proves first that it is a test, and cancels it: choose search-polling, or set disposable in the definition if bookings vanish with the deployment`
  const tokens = [...Object.values(credentials).map(({ token }) => token), ...(load.tokens ?? [])]
  if (credentials.standard === undefined)
    return 'its credentials come by the environment, and this deployment has none of the role standard, or makes its own in each run: give one that has it, as serve prints them'
  if (tokens.some(isHandle)) return 'only this process can renew tokens that change: give some that last'
  if (tls?.cert !== undefined) return 'k6 would write the key of the client certificate into it'
  return undefined
}

/** Seconds for waiting: requests in flight, pending results, silent credentials. */
const WAITING = 20 * 60

/** The maximum number of journeys that `timeouts` alternates between. */
const JOURNEYS_OF_TIMEOUTS = 8

/**
 * Returns the default time limit of a load run in milliseconds: twice the planned time of its scenarios on this
 * deployment, and twenty minutes for waiting.
 */
export function defaultLoadDuration(
  deployment: Deployment,
  scenarios: ReadonlyMap<ScenarioName, Settings>,
): number {
  const planned = SCENARIOS.filter(name => scenarios.has(name)).map(scenario =>
    plannedSeconds(deployment, scenario, scenarios.get(scenario)!),
  )
  return 1000 * (WAITING + 2 * planned.reduce((sum, seconds) => sum + seconds, 0))
}

/** Returns the planned seconds of a scenario with the waits between stages; 0 if it cannot run here. */
function plannedSeconds(deployment: Deployment, scenario: ScenarioName, settings: Settings): number {
  const plan = planOf(deployment, scenario, settings)
  if (plan === undefined) return 0
  const waits = deployment.control.advanceClock === undefined
  return plan.stages.reduce(
    (sum, { silence, settings: { perSecond = Number.POSITIVE_INFINITY } = {} }) =>
      sum + (waits ? (silence?.seconds ?? 0) : 0) + (plan.settings.burst ?? 0) / perSecond,
    secondsOf(plan.settings),
  )
}

function planOf(deployment: Deployment, scenario: ScenarioName, settings: Settings) {
  try {
    return planScenario({ deployment, scenario, settings, missing: new Map(), onNotice() {} })
  } catch {
    return undefined
  }
}

/** Returns the seconds of the settings. Each scenario has some of these. */
function secondsOf(settings: Settings): number {
  const { rate = 1, speed = 1, duration = 0, before = 0, during = 0, after = 0 } = settings
  const { minutes = 0, overrunMinutes = 0, keys = 0, each = 0 } = settings
  return (
    duration +
    before +
    during +
    after +
    ((minutes + overrunMinutes) * 60) / speed +
    (keys + each * JOURNEYS_OF_TIMEOUTS) / rate
  )
}
