import type { Counters } from '../../fixtures/control.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import type { Plan } from '../plan/plan.ts'
import type { Vitals } from '../run/watch.ts'
import type { Operation } from '../scenarios/lib/output.ts'

/** One request, as k6's own output tells it. */
export interface RequestRow {
  op: Operation
  api: 'v1' | 'v2'
  /** Alias of the sender. */
  who: string
  /** k6 scenario within the stage. */
  part: string
  /** The time of sending, in epoch milliseconds. */
  at: number
  /** Milliseconds from the first byte sent to the last byte received. */
  took: number
  /** 0 without an answer. */
  status: number
  /** k6's, 0 where there was none; 1050 is a timeout. */
  errorCode: number
  /** Its journey was not drawn to be judged: an answer of it is written down only where it failed. */
  light?: true
}

/** One value of a custom metric. */
export interface Measure {
  at: number
  value: number
  tags: Readonly<Record<string, string>>
}

/** Iterations that ended by themselves, and those of an open model that could not be started in time. */
export interface Iterations {
  completed: number
  dropped: number
}

/** Adds up the iterations of stages, or of processes. */
export const sumOf = (all: readonly { iterations: Iterations }[]): Iterations => ({
  completed: all.reduce((sum, { iterations }) => sum + iterations.completed, 0),
  dropped: all.reduce((sum, { iterations }) => sum + iterations.dropped, 0),
})

/** One request that was written down whole. */
export interface LoadExchange extends Exchange, Pick<RequestRow, 'op' | 'part' | 'light'> {
  /** What it shows of a v1 hotel search, as long bodies are not kept. */
  paged?: PagedAnswer
}

/** An answer to a paged search of v1. */
export interface PagedAnswer {
  /** `id_search` of the request: it continues a search. */
  continues?: string
  /** `id_search` of the answer. */
  id?: string
  finished: boolean
  /** `id_hotel` of every hotel. */
  hotels: readonly string[]
}

/** One request that was written down whole and had no answer. */
export interface LoadFailure extends Omit<RequestRow, 'api' | 'status' | 'errorCode'> {
  id: string
  request: { method: string; path: string; headers: Readonly<Record<string, string>> }
  /** `external_reference` of a confirmation of v1; of its body, nothing else is kept. */
  reference?: string
  error: { code: number; message: string }
}

/** The evidence that one stage of a scenario left. */
export interface StageEvidence {
  plan: Plan
  /** Epoch milliseconds. */
  startedAt: number
  finishedAt: number
  /** Every request, in the order in which they were sent. */
  requests: readonly RequestRow[]
  /** Custom metrics, by name; also `DROPPED`, where iterations were. */
  measures: ReadonlyMap<string, readonly Measure[]>
  iterations: Iterations
  /** Iterations a second that an open model was to start; absent for others, and where it changes. */
  intendedRate?: number
  exchanges: readonly LoadExchange[]
  failures: readonly LoadFailure[]
  /** By alias: what the deployment itself counted during the stage. */
  counted?: ReadonlyMap<string, Counters>
  vitals: readonly Vitals[]
}
