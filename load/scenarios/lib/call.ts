import type { Operation } from './output.ts'

/** A request of a scenario. */
export interface Call {
  op: Operation
  method: 'GET' | 'POST'
  /** With query, relative to the base address. */
  path: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Readonly<Record<string, string>> | undefined
  /** Statuses that are fine beside 200 to 299, where they are others than with every call of its operation. */
  expects?: readonly number[]
}
