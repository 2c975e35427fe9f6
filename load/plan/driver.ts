import type { StageEvidence } from '../judge/judge.ts'
import type { Stagehand } from '../run/run-stages.ts'
import type { Settings } from './plan.ts'

/** Puts a scenario on stage: who sends, in which order, what happens in between. It judges nothing. */
export interface Conductor {
  /**
   * @returns the settings as they were really used, and what every stage left, by its name
   * @throws Stop where the scenario cannot be put on here
   */
  play(hand: Stagehand): Promise<Played>
}

/** What a conductor gives to the judge. */
export interface Played {
  stages: ReadonlyMap<string, StageEvidence>
  /** As used: a rate may have been lowered to what is allowed. */
  settings: Settings
  minted: boolean
  /** How many times faster the deployment's clock ran. Default 1. */
  timeScale?: number
}
