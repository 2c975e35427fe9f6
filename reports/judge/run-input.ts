import type { Clause } from '../../fixtures/clauses/clause.ts'
import type { DefinitionInput, Deployment } from '../../fixtures/deployments/definition/index.ts'
import type { Tested } from '../../fixtures/deployments/loading/index.ts'
import type { Leftover, Profile, RunRecord } from '../../fixtures/ground/record.ts'
import type { LoadRecord } from '../../fixtures/ground/record-load.ts'
import type { Collected, CollectedCheck } from '../../fixtures/run/collected.ts'
import type { Waiver } from '../gate/waivers.ts'

/** The parts of a definition that decide which clauses can be reached. */
export type Offering = Partial<
  Pick<Deployment, 'control' | 'credentials' | 'disposable' | 'exhaustStandard'>
> & {
  /** For a definition that is known by its record alone: the needs that it does not fulfil. */
  lacking?: readonly string[] | undefined
}

/** The parts of a definition that a record depends on. */
export type JudgedDeployment = Offering &
  Pick<DefinitionInput, 'name' | 'baseUrl' | 'products' | 'productsAssumed'>

/** Findings of an earlier run that are tried again. */
export interface Again {
  /** The name of that run. */
  run: string
  /** The clauses with a finding that only concurrent requests showed. */
  byChance: ReadonlySet<string>
  /** The clauses with a finding: what was excused every time in that run is seen again if it is excused once more. */
  found?: ReadonlySet<string>
  tries: number
}

/** The complete input of a record. The same input gives the same record. */
export interface RunInput {
  kit: RunRecord['kit']
  context: { run: string; seed?: number | undefined }
  deployment: JudgedDeployment
  /** What the record says about it besides. Absent for clients and recordings. */
  tested?: Tested
  /** Every clause of the document, in the order of the record. */
  catalogue: Readonly<Record<string, Clause>>
  /**
   * The clauses of passive rules, with what they need. It distinguishes clauses that were not observed from those
   * without a check.
   */
  passiveClauses: ReadonlyMap<string, string>
  collected: Collected
  /** All checks, chosen or not. Default: those that were collected. */
  registered?: readonly Pick<CollectedCheck, 'tags' | 'kind' | 'product'>[] | undefined
  /** The `--only` expression. */
  only?: string | undefined
  /** The clauses that it selects; absent: all. */
  selected?: ReadonlySet<string> | undefined
  /** What must be exercised; absent: nothing. */
  profile?: Profile
  /** Why the run could not be completed. */
  halted?: string | undefined
  /** Why less was sent than the checks asked for. */
  spent?: string | undefined
  requests: { v1: number; v2: number }
  leftovers: Leftover[]
  /** Set if a client was judged (the deployment is then the examiner that it used), or recorded traffic. */
  subject?: 'client' | 'recording'
  /** What an examination should have observed and did not. */
  unseen?: readonly string[]
  /** The figures of a load run. */
  load?: LoadRecord
  /** An earlier run whose findings are tried again. A chance finding does not conform by not being seen again. */
  again?: Again | undefined
  /** The waivers. */
  waivers?: readonly Waiver[] | undefined
  /** In ISO 8601 UTC. */
  startedAt: string
  finishedAt: string
}
