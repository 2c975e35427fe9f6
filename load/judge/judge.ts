import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Fact, Plot } from '../../fixtures/ground/record-load.ts'
import type { Circumstances } from '../plan/plan.ts'
import type { LoadExchange, StageEvidence } from '../read/evidence.ts'

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

/** The decision on one clause. */
export type Decision =
  | { clause: ClauseId; outcome: 'kept' }
  | { clause: ClauseId; outcome: 'broken'; findings: readonly LoadFinding[] }
  | { clause: ClauseId; outcome: 'undecided'; verdict: Undecided; reason: string }

/** Why a clause is undecided: an obstacle, or no opportunity. */
type Undecided = 'blocked' | 'not exercised'

/** The facts of a finding. */
interface Claim {
  tried: string
  expected: string
  observed: string
  /** In the order of sending. The last one shows the fault. */
  exchanges: readonly LoadExchange[]
}

export const kept = (clause: ClauseId): Decision => ({ clause, outcome: 'kept' })

export function broken(clause: ClauseId, { tried, expected, observed, exchanges }: Claim): Decision {
  const ids = exchanges.map(({ id }) => id)
  const where = ids.length === 0 ? '' : ` (${ids.length === 1 ? 'exchange' : 'exchanges'} ${ids.join(', ')})`
  const message = `${tried}: expected ${expected}, got ${observed}${where}`
  return { clause, outcome: 'broken', findings: [{ clause, message, expected, observed, exchanges: ids }] }
}

const undecided =
  (verdict: Undecided) =>
  (clause: ClauseId, reason: string): Decision => ({ clause, outcome: 'undecided', verdict, reason })

/** Makes a decision for a clause without an opportunity to observe it. */
export const notExercised = undecided('not exercised')

/** Makes a decision for a clause that could not be observed because of another fault. */
export const blocked = undecided('blocked')

/** Returns a question with the decisions on its clauses. */
export function answered(title: string, decisions: readonly Decision[]): Answered {
  const reasons = decisions.flatMap(decision => (decision.outcome === 'undecided' ? [decision] : []))
  const verdict = reasons.some(one => one.verdict === 'blocked') ? 'blocked' : 'not exercised'
  const reason = [...new Set(reasons.map(one => one.reason))].join('; ')
  return {
    title,
    clauses: decisions.map(({ clause }) => clause),
    exercised: decisions.filter(({ outcome }) => outcome !== 'undecided').map(({ clause }) => clause),
    findings: decisions.flatMap(one => (one.outcome === 'broken' ? one.findings : [])),
    ...(reasons.length === 0 ? {} : { stopped: { verdict, reason } }),
  }
}

/** The number of exchanges cited for an answer that occurs many times. */
const A_FEW = 3

/** Returns the first exchanges of a stage that fulfil a condition. */
export const showing = (
  { exchanges }: StageEvidence,
  shows: (exchange: LoadExchange) => boolean,
): LoadExchange[] => exchanges.values().filter(shows).take(A_FEW).toArray()

/** Equal slices of a period. */
export interface Slices {
  /** The beginning of the first slice, in epoch milliseconds. */
  from: number
  /** In milliseconds. */
  width: number
  count: number
}

/** Slice widths that are easy to read, in milliseconds. Beyond them, whole hours. */
const WIDTHS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600].map(
  seconds => seconds * 1000,
)
const AN_HOUR = 3_600_000

/** Divides a period into at most `most` slices of at least `narrowest` milliseconds. */
export function slicesOf(
  { from, to }: { from: number; to: number },
  { most, narrowest = 0 }: { most: number; narrowest?: number },
): Slices {
  const wanted = Math.max((to - from) / most, narrowest)
  const width = WIDTHS.find(one => one >= wanted) ?? Math.ceil(wanted / AN_HOUR) * AN_HOUR
  return { from, width, count: Math.max(1, Math.ceil((to - from) / width)) }
}

/** Returns the index of the slice that contains a time, or of the nearest one. */
export const sliceAt = ({ from, width, count }: Slices, at: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor((at - from) / width)))

/** Returns the middle of a slice in seconds after `zero` (epoch milliseconds), to the millisecond. */
export const middleOf = ({ from, width }: Slices, slice: number, zero: number): number =>
  Math.round(from + (slice + 0.5) * width - zero) / 1000

/** Groups values by slice. */
export function sliced<T extends { at: number }>(slices: Slices, seen: Iterable<T>): T[][] {
  const parts = Array.from({ length: slices.count }, (): T[] => [])
  for (const one of seen) parts[sliceAt(slices, one.at)]!.push(one)
  return parts
}
