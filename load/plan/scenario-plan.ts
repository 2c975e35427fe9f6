import type { Inconclusive } from '../../fixtures/check/evidence/inconclusive.ts'
import type { CallName, Product } from '../../fixtures/control.ts'
import type { Deployment } from '../../fixtures/deployments/definition.ts'
import type { ApiVersion } from '../../fixtures/exchange.ts'
import type { Circumstances, ScenarioName, Settings } from './plan.ts'

/** The input of planning a scenario. */
export interface PlanInput {
  deployment: Deployment
  scenario: ScenarioName
  settings: Settings
  /** Products and API versions that cannot be used, with the reason. */
  missing: ReadonlyMap<Product | ApiVersion, Inconclusive>
  onNotice(sentence: string): void
}

/** A sender that is to be found, or minted, before the first stage that it sends in. */
export interface PlannedSender {
  /** The same in two stages means the same sender. */
  id: string
  /** Name that figures and findings use. */
  alias: string
  /** A role of the definition, or the name of one of its `load.tokens`. */
  role: string
  /** `id` of the sender whose company it belongs to; needs control that mints. */
  colleagueOf?: string
  /** The product that it books, where each product has senders of its own. */
  product?: Product
}

/** One run of k6, and what happens just before it. */
export interface StagePlan {
  name: string
  senders: readonly PlannedSender[]
  /** Settings that differ from those of the scenario. */
  settings?: Settings
  /** Products that it is about. Default: all that are claimed. */
  products?: readonly Product[]
  /** Seconds of the deployment's clock that its senders are silent before, and the reason for a reader. */
  silence?: { seconds: number; why: string }
  /** Milliseconds by which control delays the answers to its senders, by call. */
  delays?: ReadonlyMap<CallName, number>
  /** The speed of the clocks of its senders, as a multiple. Default 1. */
  speed?: number
  /** Iterations a second that an open model starts; absent where the rate changes. */
  intendedRate?: number
}

/** Everything that a scenario does, in order, with its settings as used: a rate may be lowered to what is allowed. */
export interface ScenarioPlan extends Circumstances {
  stages: readonly StagePlan[]
}

/** Plans one scenario. @throws Inconclusive where it cannot be run on this deployment */
export type Planner = (input: PlanInput) => ScenarioPlan
