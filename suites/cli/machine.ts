import { kit } from '../../fixtures/run/kit.ts'
import { presentK6 } from '../../load/k6/index.ts'

/** What the kit can use on this machine. */
export interface Machine {
  kit: string
  node: string
  /** The k6 that load would use; `null` if it would be fetched first. */
  k6: { path: string; version: string } | null
  /** Why each installed k6 is not used, as parts of a sentence. */
  k6Passed: string[]
}

/** Inspects this machine. Fetches nothing. */
export async function machine(): Promise<Machine> {
  const { k6, passed } = await presentK6()
  return {
    kit: kit.version,
    node: kit.node,
    k6: k6 === undefined ? null : { path: k6.path, version: k6.version },
    k6Passed: passed,
  }
}
