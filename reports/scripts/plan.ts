import type { StoredExchange } from '../../fixtures/client/stored.ts'
import type { Variable } from '../../fixtures/output/shell.ts'
import type { Finding } from '../../fixtures/record.ts'

/** The subject of a script: a finding, and its clause. */
export interface ScriptSubject extends Pick<Finding, 'expected' | 'observed' | 'compare' | 'arranged'> {
  clause: string
  says: string
}

/** A value that one step takes from the answer to an earlier one. */
export interface Link extends Variable {
  /** The exchange whose answer shows it. */
  from: StoredExchange
  /** Its place there. */
  path: readonly (string | number)[]
  /** Set where the answer was not stored whole, so that its place is not known: which of the offers there is taken. */
  offer?: number
}

/** The requests that a script sends, and what it carries from one to another. */
export interface ScriptPlan {
  steps: readonly StoredExchange[]
  /** The same, with those together that were under way at once: they are sent side by side. */
  groups: readonly (readonly StoredExchange[])[]
  /** Those that the finding shows. */
  shown: readonly StoredExchange[]
  links: readonly Link[]
  /** Values that the script makes up itself, one for each that the kit had made up. */
  own: readonly Variable[]
}

/** Returns the body of an answer as JSON; `undefined` where it is none, or was not stored whole. */
export function jsonOf({ response }: StoredExchange): unknown {
  try {
    return response?.body?.kind === 'text' ? JSON.parse(response.body.text) : undefined
  } catch {
    return undefined
  }
}
