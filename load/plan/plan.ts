import type { Product } from '../../fixtures/deployments/control.ts'

/** The questions that k6 is asked; each is a file of `load/scenarios/` and a conductor of `load/conductors/`. */
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

/** How much of a scenario is run: seconds, minutes, a staging environment, hours. */
export const PROFILES = ['smoke', 'ci', 'staging', 'soak'] as const
export type ProfileName = (typeof PROFILES)[number]

/** Numbers that size a scenario, by name; each is documented where its profile states it. */
export type Settings = Readonly<Record<string, number>>

/** Somebody who sends. Tokens travel beside the plan, in the environment, in the same order. */
export interface Sender {
  /** Short name that tags, figures and findings use; never the credential. */
  alias: string
  role: string
  /** Where the deployment minted it. */
  tenant?: string
}

/**
 * How a function of a definition reaches k6, which cannot import definitions: `default` is the kit's own of the same
 * name; else the source text of a function that stands alone.
 */
export type Adapter = 'default' | { source: string }

/** A cheap read that is always answered. */
export interface ProbeCall {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

/** What k6 has to know of the open shapes of a deployment. Everything that can be is worked out beforehand. */
export interface PlannedShapes {
  /** Of the API versions that answer at all. */
  probes: { v1?: ProbeCall; v2?: ProbeCall }
  transfers?: {
    productIds: number[]
    /** Days to ask for, `YYYY-MM-DD`. */
    days: string[]
    /** An item without its offer: travelers, logistics, options. */
    item: unknown
  }
  tickets?: {
    /** Bodies of availability requests, each with the item to book from its answer. */
    asks: { body: unknown; item: unknown }[]
    /** Offers out of an answer: `offersOf`. */
    offers: Adapter
  }
  hotels?: {
    /** Bodies of search requests. */
    searches: unknown[]
    /** An item without its offer. */
    item: unknown
    searchId: Adapter
    finished: Adapter
    /** Hotels found so far. */
    hotels: Adapter
  }
}

/** Everything one k6 process is told, as JSON in the variable `TSS_PLAN`, or in the file that `TSS_PLAN_FILE` names. */
export interface Plan {
  scenario: ScenarioName
  /** A scenario may have several stages, each a k6 run of its own: what happens in between (time passes) is not k6's. */
  stage: string
  /** What stands before `/api/v1` and `/api/v2`. */
  baseUrl: string
  settings: Settings
  senders: readonly Sender[]
  products: readonly Product[]
  shapes: PlannedShapes
  /** Random part of what this run makes up (keys, references). */
  nonce: string
  /** Address of the desk, which journals bookings before they leave; absent where nothing has to be journalled. */
  desk?: string
  /** Iterations a second that an open model is to start, over all its parts; absent where it changes. */
  intendedRate?: number
  /** Of how many iterations one has its answers written down; 1 is every one. Unexpected answers always are. */
  spoolEvery: number
}

/** Environment of a k6 process: the only way in which secrets reach it. */
export const ENV = {
  plan: 'TSS_PLAN',
  planFile: 'TSS_PLAN_FILE',
  /** Credentials, one a line, in the order of `senders`. */
  tokens: 'TSS_TOKENS',
} as const
