import type { Counters } from '../../fixtures/control.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import type { Plan } from '../plan/plan.ts'
import type { Vitals } from '../run/watch.ts'
import type { Operation } from '../scenarios/lib/output.ts'

/** One request in k6's output. */
export interface RequestRow {
  op: Operation
  api: 'v1' | 'v2'
  /** The alias of the sender. */
  who: string
  /** The k6 scenario within the stage. */
  part: string
  /** The time of sending, in epoch milliseconds. */
  at: number
  /** Milliseconds from the first byte sent to the last byte received. */
  took: number
  /** 0 if there was no answer. */
  status: number
  /** k6's error code, or 0; 1050 is a timeout. */
  errorCode: number
  /** Set if its journey is not judged: the answer is logged only if it failed. */
  light?: true
}

/** A value of a custom metric. */
export interface Measure {
  at: number
  value: number
  tags: Readonly<Record<string, string>>
}

/** The number of finished iterations, and of those that an open model could not start in time. */
export interface Iterations {
  completed: number
  dropped: number
}

/** Adds the iterations of stages or processes. */
export const sumOf = (all: readonly { iterations: Iterations }[]): Iterations => ({
  completed: all.reduce((sum, { iterations }) => sum + iterations.completed, 0),
  dropped: all.reduce((sum, { iterations }) => sum + iterations.dropped, 0),
})

/** A request that was logged in full. */
export interface LoadExchange extends Exchange, Pick<RequestRow, 'op' | 'part' | 'light'> {
  /** The content of a v1 hotel search, since long bodies are not kept. */
  paged?: PagedAnswer
}

/** The content of an answer to a paged v1 search. */
export interface PagedAnswer {
  /** The `id_search` of the request, if it continues a search. */
  continues?: string
  /** The `id_search` of the answer. */
  id?: string
  finished: boolean
  /** The `id_hotel` of every hotel. */
  hotels: readonly string[]
}

/** A request that was logged in full and had no answer. */
export interface LoadFailure extends Omit<RequestRow, 'api' | 'status' | 'errorCode'> {
  id: string
  request: { method: string; path: string; headers: Readonly<Record<string, string>> }
  /** The `external_reference` of a v1 confirmation. Nothing else of its body is kept. */
  reference?: string
  error: { code: number; message: string }
}

/** The data of one stage of a scenario. */
export interface StageEvidence {
  plan: Plan
  /** In epoch milliseconds. */
  startedAt: number
  finishedAt: number
  /** All requests in the order of sending. */
  requests: readonly RequestRow[]
  /** Custom metrics by name, including `DROPPED`. */
  measures: ReadonlyMap<string, readonly Measure[]>
  iterations: Iterations
  /** The intended iterations per second of an open model; absent for others, and if the rate changes. */
  intendedRate?: number
  exchanges: readonly LoadExchange[]
  failures: readonly LoadFailure[]
  /** By alias: the deployment's own counters during the stage. */
  counted?: ReadonlyMap<string, Counters>
  vitals: readonly Vitals[]
}
