import type { RunRecord } from '../../../fixtures/ground/record.ts'
import type { ClauseFinding } from '../../../fixtures/recording/judge.ts'
import type { Passed } from '../../../fixtures/watch/forwarding.ts'
import type { WatchedCounts } from '../../../fixtures/watch/watcher.ts'

/** What it is started with. */
export interface ThreadOptions {
  run: string
  /** The folder of the run. */
  dir: string
  base: string
  startedAt: Date
  /** Milliseconds between two writings of the record. */
  every: number
  /** Whether all that the companies send passes here. */
  whole: boolean
}

/** What the thread that judges is told. */
export type ToThread =
  | { passed: readonly Passed[] }
  | { tick: number | undefined }
  | { end: true; halted?: string }
/** What it tells. */
export type FromThread =
  | { ready: true }
  | { done: number }
  | { finding: Pick<ClauseFinding, 'clause' | 'message'> & { level: string } }
  | { unwritten: string }
  | Ended

/** What it tells at the end. */
export interface Ended {
  record: RunRecord
  counts: Counts
  /** How often each broken clause was found broken. */
  broken: ReadonlyMap<string, number>
}

/** What was seen in all. */
export type Counts = WatchedCounts
