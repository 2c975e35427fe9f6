import type { ProbeCall } from '../../plan/plan.ts'
import type { Operation } from './output.ts'

/** A request of a scenario. */
export interface Call extends ProbeCall {
  op: Operation
  headers?: Readonly<Record<string, string>> | undefined
  /** Expected statuses other than 200 to 299, if they differ from those of the operation. */
  expects?: readonly number[]
}
