import type { StoredExchange } from '../../fixtures/client/stored.ts'
import type { Variable } from '../../fixtures/output/shell.ts'
import { parseJson } from '../../fixtures/read-json.ts'
import type { Finding } from '../../fixtures/record.ts'

/** The subject of a script: a finding and its clause. */
export interface ScriptSubject extends Pick<Finding, 'expected' | 'observed' | 'compare' | 'arranged'> {
  clause: string
  says: string
}

/** A value that one step takes from the answer to an earlier one. */
export interface Link extends Variable {
  /** The exchange whose answer shows it. */
  from: StoredExchange
  /** Its place in that answer. */
  path: readonly (string | number)[]
  /** Set if the answer was not stored in full, so that its place is unknown: the number of the offer to take. */
  offer?: number
}

/** The requests of a script, and the values it passes on. */
export interface ScriptPlan {
  steps: readonly StoredExchange[]
  /** The steps, with those together that ran concurrently: they are sent concurrently too. */
  groups: readonly (readonly StoredExchange[])[]
  /** The steps that the finding shows. */
  shown: readonly StoredExchange[]
  links: readonly Link[]
  /** Values that the script makes up, one for each that the kit made up. */
  own: readonly Variable[]
}

/** Returns the JSON body of an answer; `undefined` if it is not JSON or was not stored in full. */
export function jsonOf({ response }: StoredExchange): unknown {
  try {
    return response?.body?.kind === 'text' ? parseJson(response.body.text) : undefined
  } catch {
    return undefined
  }
}
