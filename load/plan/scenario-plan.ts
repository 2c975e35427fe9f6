import type { Inconclusive } from '../../fixtures/check/evidence/assume.ts'
import type { Deployment } from '../../fixtures/deployments/definition/index.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import type { ApiVersion } from '../../fixtures/ground/exchange.ts'
import type { Circumstances, ScenarioName, Settings } from './plan.ts'

/** The input for planning a scenario. */
export interface PlanInput {
  deployment: Deployment
  scenario: ScenarioName
  settings: Settings
  /** Products and API versions that cannot be used, with the reason. */
  missing: ReadonlyMap<Product | ApiVersion, Inconclusive>
  onNotice(sentence: string): void
}

/** A sender that is found or minted before its first stage. */
export interface PlannedSender {
  /** Equal ids in two stages mean the same sender. */
  id: string
  /** The name in figures and findings. */
  alias: string
  /** A role of the definition, or the name of one of its `load.tokens`. */
  role: string
  /** The `id` of another sender of the same company; needs control that mints. */
  colleagueOf?: string
  /** The product that it books, if each product has its own senders. */
  product?: Product
}

/** One k6 run, and what is done before it. */
export interface StagePlan {
  name: string
  senders: readonly PlannedSender[]
  /** Settings that differ from those of the scenario. */
  settings?: Settings
  /** The products of the stage. Default: all claimed ones. */
  products?: readonly Product[]
  /** Seconds of the deployment's clock during which its senders are silent before, with the reason. */
  silence?: { seconds: number; why: string }
  /** The speed of its senders' clocks. Default: 1. */
  speed?: number
  /** The iterations per second of an open model; absent if the rate changes. */
  intendedRate?: number
}

/** The stages of a scenario in order, with the settings used: a rate may be lowered to what is allowed. */
export interface ScenarioPlan extends Circumstances {
  stages: readonly StagePlan[]
}

/** Plans a scenario. @throws Inconclusive if it cannot run on this deployment */
export type Planner = (input: PlanInput) => ScenarioPlan
