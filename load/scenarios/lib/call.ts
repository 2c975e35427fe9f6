import type { ProbeCall } from '../../plan/plan.ts'
import type { Operation } from './output.ts'

/** A request of a scenario. */
export interface Call extends ProbeCall {
  op: Operation
  headers?: Readonly<Record<string, string>> | undefined
  /** Statuses that are fine beside 200 to 299, where they are others than with every call of its operation. */
  expects?: readonly number[]
}
