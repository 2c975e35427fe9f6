import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Fact, Plot } from '../../fixtures/record-load.ts'
import type { Circumstances } from '../plan/plan.ts'
import type { StageEvidence } from '../read/evidence.ts'

/** Something that was seen broken. */
export interface LoadFinding {
  clause: ClauseId
  /** The attempt, the expectation and the observation, in one or more sentences. */
  message: string
  expected: string
  observed: string
  /** Ids of exchanges, in the order sent; the last one shows the fault. */
  exchanges: string[]
}

/** One question of a scenario and what came of it: a check of the record. */
export interface Answered {
  /** Half a sentence that states behaviour, as a check's title does. */
  title: string
  clauses: readonly ClauseId[]
  /** Those that were seen kept or broken. */
  exercised: readonly ClauseId[]
  findings: readonly LoadFinding[]
  /** The reason why the rest of its clauses could not be decided. */
  stopped?: { verdict: 'blocked' | 'not exercised' | 'error'; reason: string }
}

/** The result of judging a scenario. */
export interface Judgement {
  answers: Answered[]
  facts: Fact[]
  /** Beside those that every scenario has (rate and latency over time, distribution). */
  plots: Plot[]
}

/** Judges the stages of a scenario, by the name of each. Pure. */
export type Judge = (stages: ReadonlyMap<string, StageEvidence>, circumstances: Circumstances) => Judgement
