import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Fact, Plot } from '../../fixtures/ground/record-load.ts'
import type { Circumstances } from '../plan/plan.ts'
import type { Claim, RequestRow, StageEvidence } from '../read/evidence.ts'

export type { Claim }

/** Why nothing shows a clause: an obstacle, or no opportunity. */
export interface Open {
  verdict: 'blocked' | 'not exercised'
  reason: string
}

/** One question of a scenario: a check of the record. */
export interface Question {
  /** A statement of behaviour, as the title of a check. */
  title: string
  clauses: readonly ClauseId[]
  /** Returns why no answer shows some of them. */
  whyOpen(): Open
  /** Whether other answers do not answer it. */
  isAlone?: true
}

/** The result of judging a scenario. */
export interface Judgement {
  questions: Question[]
  claims: Claim[]
  facts: Fact[]
  /** Plots beyond those that every scenario has (rate and latency over time, histogram). */
  plots: Plot[]
}

/** Judges the stages of a scenario, by name. A pure function. */
export type Judge = (stages: ReadonlyMap<string, StageEvidence>, circumstances: Circumstances) => Judgement

export const kept = (clause: ClauseId): Claim => ({ clause })

/** Returns a claim that a clause was broken. `rows`: in the order of sending. The last one shows the fault. */
export function broken(
  clause: ClauseId,
  { tried, expected, observed }: Record<'tried' | 'expected' | 'observed', string>,
  rows: readonly Pick<RequestRow, 'id'>[],
): Claim {
  const exchanges = rows.map(({ id }) => id)
  const name = exchanges.length === 1 ? 'exchange' : 'exchanges'
  const where = exchanges.length === 0 ? '' : ` (${name} ${exchanges.join(', ')})`
  const message = `${tried}: expected ${expected}, got ${observed}${where}`
  return { clause, found: { message, expected, observed, exchanges } }
}

/** Says that there was no opportunity to see a clause. */
export const notExercised = (reason: string): Open => ({ verdict: 'not exercised', reason })

/** Says that a clause could not be seen because of another fault. */
export const blocked = (reason: string): Open => ({ verdict: 'blocked', reason })

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
