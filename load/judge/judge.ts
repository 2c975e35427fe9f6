import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Fact, Plot } from '../../fixtures/ground/record-load.ts'
import type { Circumstances } from '../plan/plan.ts'
import type { StageEvidence } from '../read/evidence.ts'

/** A finding of a load run. */
export interface LoadFinding {
  clause: ClauseId
  /** What was tried, expected and observed, in sentences. */
  message: string
  expected: string
  observed: string
  /** The ids of exchanges in the order of sending. The last one shows the fault. */
  exchanges: string[]
}

/** One question of a scenario and its answer: a check of the record. */
export interface Answered {
  /** A statement of behaviour, as the title of a check. */
  title: string
  clauses: readonly ClauseId[]
  /** The clauses that were seen kept or broken. */
  exercised: readonly ClauseId[]
  findings: readonly LoadFinding[]
  /** Why the other clauses could not be decided. */
  stopped?: { verdict: 'blocked' | 'not exercised' | 'error'; reason: string }
}

/** The result of judging a scenario. */
export interface Judgement {
  answers: Answered[]
  facts: Fact[]
  /** Plots beyond those that every scenario has (rate and latency over time, histogram). */
  plots: Plot[]
}

/** Judges the stages of a scenario, by name. A pure function. */
export type Judge = (stages: ReadonlyMap<string, StageEvidence>, circumstances: Circumstances) => Judgement
