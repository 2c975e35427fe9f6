import type { Product, ProductKind } from '../../fixtures/control.ts'
import type { JsonObject } from '../../fixtures/json.ts'
import type { V1Paths } from '../../fixtures/service/endpoints.ts'

/** The questions that k6 is asked; each is a file of `load/scenarios/` and a planner in `load/plan/`. */
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

/** Scenarios that can judge a share of their journeys: the others need every answer. */
export const JOURNEYS: readonly ScenarioName[] = ['journey-mix', 'spike', 'breakpoint', 'soak']

/** The amount of a scenario that is run: seconds, minutes, a staging environment, hours. */
export const PROFILES = ['smoke', 'ci', 'staging', 'soak'] as const
export type ProfileName = (typeof PROFILES)[number]

/**
 * Numbers that size a scenario, by name; each is documented where its profile states it. Journeys have `judge` besides: the
 * share of them whose answers are judged. Absent: all.
 */
export type Settings = Readonly<Record<string, number>>

/** Somebody who sends. Tokens travel beside the plan, in the environment, in the same order. */
export interface Sender {
  /** Short name that tags, figures and findings use; never the credential. */
  alias: string
  role: string
  /** The tenant, where the deployment minted it. */
  tenant?: string
  /** Alias of the sender whose company it belongs to. */
  colleagueOf?: string
  /** The product that it books, where each product has senders of its own. */
  product?: Product
}

/** A cheap read that is always answered. */
export interface ProbeCall {
  method: 'GET' | 'POST'
  /** With query, relative to the base address. */
  path: string
  /** Sent as JSON. */
  body?: unknown
}

/** One request for what is on sale, and what its booking states beside what was found. */
export interface Ask {
  kind: ProductKind
  /** Body of the availability request, search or price. */
  request: unknown
  /**
   * Without what its answer tells: an item of v2, a confirmation of v1, or what `shapes.v1Transfers.confirm` makes one
   * of.
   */
  item: JsonObject
  /** The name of the list in an answer whose records are hotels, each by itself; absent where answers are read whole. */
  list?: string
}

/** The parts of a deployment's open shapes that k6 needs. Everything that can be is worked out beforehand. */
export interface PlannedShapes {
  /** A probe for each API version that answers. */
  probes: { v1?: ProbeCall; v2?: ProbeCall }
  /** Where endpoints of v1 are whose place is open. */
  v1Paths?: V1Paths
  /** What each product is asked for that can be sold. */
  asks: Partial<Record<Product, readonly Ask[]>>
}

/** The conditions under which a scenario was run, as far as a judge needs them. */
export interface Circumstances {
  settings: Settings
  /** Every sender was minted for this run, so that its limits are the documented ones and nobody else uses it. */
  minted: boolean
  /**
   * Speed of the deployment's clock relative to the machine's in the stages that are in a hurry (`overrun`,
   * `sustained`): seconds of the document are so much shorter there. In all others both run alike.
   */
  timeScale: number
  /** Products that the scenario leaves out though they are sold, with the reason. */
  leftOut?: Partial<Record<Product, string>>
}

/** Everything one k6 process is told, as JSON in the variable `TSS_PLAN`, or in the file that `TSS_PLAN_FILE` names. */
export interface Plan {
  scenario: ScenarioName
  /**
   * A scenario may have several stages, each a k6 run of its own: what happens in between (time passes) is not k6's.
   */
  stage: string
  /** The address in front of `/api/v1` and `/api/v2`. */
  baseUrl: string
  settings: Settings
  senders: readonly Sender[]
  products: readonly Product[]
  shapes: PlannedShapes
  /** Random part of what this run makes up (keys, references). */
  nonce: string
  /** Address of the booking gate, which journals bookings before they leave; absent where no booking needs that. */
  gate?: string
  /** Iterations a second that an open model is to start, over all its parts; absent where it changes. */
  intendedRate?: number
}

/** Environment of a k6 process: the only way in which secrets reach it. */
export const ENV = {
  plan: 'TSS_PLAN',
  planFile: 'TSS_PLAN_FILE',
  /** Credentials, one a line, in the order of `senders`. */
  tokens: 'TSS_TOKENS',
} as const
