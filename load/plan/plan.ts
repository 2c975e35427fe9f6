import type { Product, ProductKind } from '../../fixtures/ground/control.ts'
import type { V1Paths } from '../../fixtures/ground/endpoints.ts'
import type { JsonObject } from '../../fixtures/ground/json.ts'

/** The scenarios. Each has a file in `load/scenarios/` and a planner in `load/plan/`. */
export const SCENARIOS = [
  'rate-limit-burst',
  'rate-limit-sustained',
  'search-polling',
  'booking-contention',
  'timeouts',
  'journey-mix',
  'spike',
  'breakpoint',
  'soak',
] as const
export type ScenarioName = (typeof SCENARIOS)[number]

/** The size of a run: seconds, minutes, or for a staging environment. */
export const PROFILES = ['smoke', 'ci', 'staging'] as const
export type ProfileName = (typeof PROFILES)[number]

/** The numbers that size a scenario, documented in its profile. */
export type Settings = Readonly<Record<string, number>>

/** A sender. Its token is passed separately in the environment, in the same order. */
export interface Sender {
  /** A short name for tags, figures and findings. It never contains the credential. */
  alias: string
  role: string
  /** The tenant, if the deployment minted it. */
  tenant?: string
  /** Alias of the sender whose company it belongs to. */
  colleagueOf?: string
  /** The product that it books, if each product has its own senders. */
  product?: Product
}

/** Returns the name of a sender in control, which it has in every stage: aliases repeat. */
export const tenantOf = ({ tenant, role }: Pick<Sender, 'tenant' | 'role'>): string => tenant ?? role

/** A cheap read that is always answered. */
export interface ProbeCall {
  method: 'GET' | 'POST'
  /** The path with its query, relative to the base address. */
  path: string
  /** Sent as JSON. */
  body?: unknown
}

/** A request for offers, and the fixed parts of a booking of them. */
export interface Ask {
  kind: ProductKind
  /** The body of the availability, search or price request. */
  request: unknown
  /**
   * The parts of a booking that do not come from the answer: a v2 item, a v1 confirmation, or the input of
   * `shapes.v1Transfers.confirm`.
   */
  item: JsonObject
  /** The name of the list of hotels whose records can be read one by one; absent if answers are read whole. */
  list?: string
}

/** The open shapes that k6 needs, prepared as far as possible. */
export interface PlannedShapes {
  /** A probe for each API version that answers. */
  probes: { v1?: ProbeCall; v2?: ProbeCall }
  /** The paths of v1 endpoints that the document does not show. */
  v1Paths?: V1Paths
  /** The requests for each product that can be sold. */
  asks: Partial<Record<Product, readonly Ask[]>>
}

/** The conditions of a scenario that its judge needs. */
export interface Circumstances {
  settings: Settings
  /** Whether every sender was minted for this run: its limits are the documented ones, and nobody else uses it. */
  minted: boolean
  /**
   * The speed of the deployment's clock relative to real time in the accelerated stages (`overrun`, `sustained`).
   * In all others it is 1.
   */
  timeScale: number
  /** Products that are sold but left out of the scenario, with the reason. */
  leftOut?: Partial<Record<Product, string>>
}

/** The name of the file with the plan, beside the script. */
export const PLAN_FILE = 'plan.json'

/** The input of one k6 process, as JSON. */
export interface Plan {
  scenario: ScenarioName
  /** A stage of the scenario. Each is a separate k6 run; k6 does not take part in what happens between them. */
  stage: string
  /** The address before `/api/v1` and `/api/v2`. */
  baseUrl: string
  settings: Settings
  senders: readonly Sender[]
  /** The seconds by which the clocks of its senders were moved before it. */
  silence?: number
  products: readonly Product[]
  shapes: PlannedShapes
  /** The random part of keys and references of this run. */
  nonce: string
  /** The address of the booking gate, which journals bookings before they are sent. Absent without a journal. */
  gate?: string
  /** Where the tokens of these senders, by alias, are asked for, since they change. Absent: none does. */
  renewals?: { url: string; of: readonly string[] }
  /** The iterations per second of an open model, over all parts; absent if the rate changes. */
  intendedRate?: number
}

/** The environment variables of a k6 process. Secrets reach it only through them. */
export const ENV = {
  /** The credentials, one per line, in the order of `senders`. */
  tokens: 'TSS_TOKENS',
  /** The client certificate and its key, as PEM texts. */
  cert: 'TSS_CLIENT_CERT',
  key: 'TSS_CLIENT_KEY',
  /** The headers of every request, as a JSON object. Absent: none. */
  headers: 'TSS_HEADERS',
} as const
