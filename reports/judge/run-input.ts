import type { Clause } from '../../fixtures/clauses/clause.ts'
import type { DefinitionInput, Deployment } from '../../fixtures/deployments/definition.ts'
import type { Leftover, Profile, RunRecord } from '../../fixtures/record.ts'
import type { LoadRecord } from '../../fixtures/record-load.ts'
import type { Collected } from '../../fixtures/run/collected.ts'
import type { Waiver } from '../gate/waivers.ts'

/** What of a definition decides which clauses can be reached. */
export type Offering = Partial<
  Pick<Deployment, 'control' | 'credentials' | 'allowLiveBookings' | 'disposable' | 'exhaustStandard'>
>

/** What of a definition a record depends on. */
export type JudgedDeployment = Offering &
  Pick<DefinitionInput, 'name' | 'baseUrl' | 'products' | 'productsAssumed'>

/** Findings of an earlier run that are tried again. */
export interface Again {
  /** Name of that run. */
  run: string
  /** Clauses that it saw broken by requests that were sent at once. */
  byChance: ReadonlySet<string>
  tries: number
}

/** Everything that a record is made from. Nothing else is looked at: same input, same record. */
export interface RunInput {
  kit: RunRecord['kit']
  context: { run: string; seed?: number | undefined }
  deployment: JudgedDeployment
  /** Every clause of the document, in the order in which the record lists them. */
  catalogue: Readonly<Record<string, Clause>>
  /** Clauses that passive checkers judge; tells an unseen one from one that no check decides. */
  passiveClauses: ReadonlyMap<string, string>
  collected: Collected
  /** The `--only` expression. */
  only?: string | undefined
  /** Clauses that it selects; absent: all. */
  selected?: ReadonlySet<string> | undefined
  /** What has to have been exercised; absent: nothing is asked for. */
  profile?: Profile
  /** The reason why the run could not be completed. */
  halted?: string | undefined
  /** The reason why less was sent than the checks asked for. */
  spent?: string | undefined
  requests: { v1: number; v2: number }
  leftovers: Leftover[]
  /** A client was judged, and the deployment is the examiner that it used; or recorded traffic was. */
  subject?: 'client' | 'recording'
  /** What an examination did not get to see of what it has to. */
  unseen?: readonly string[]
  /** The figures of the scenarios of a load run. */
  load?: LoadRecord
  /** An earlier run whose findings are tried again; what it saw by chance does not conform because it was not seen again. */
  again?: Again | undefined
  /** Findings that somebody answers for. */
  waivers?: readonly Waiver[] | undefined
  /** ISO 8601 UTC. */
  startedAt: string
  finishedAt: string
}
