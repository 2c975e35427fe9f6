import { CLAUSES } from '../../fixtures/clauses/index.ts'
import type { Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { passiveClauses } from '../../fixtures/model/clauses.ts'
import { kit } from '../../fixtures/run/kit.ts'
import type { FinishedRun } from '../../fixtures/run/run.ts'
import { essenceOf } from '../findings/roots.ts'
import { assemble } from './assemble.ts'
import type { Again, RunInput } from './run-input.ts'

/**
 * Makes the record of a run of checks, judged by the whole catalogue.
 *
 * @param asked the selection and the profile; absent: everything, without a profile
 */
export function recordOf(
  finished: FinishedRun,
  asked: Pick<RunInput, 'only' | 'selected' | 'profile' | 'waivers' | 'again'> = {},
): RunRecord {
  const { deployment, tested, seed, folder, collected, registered, halted, spent, requests, leftovers } =
    finished
  return assemble({
    kit,
    context: { run: folder.run, seed },
    deployment,
    tested,
    catalogue: CLAUSES,
    passiveClauses,
    collected,
    registered,
    ...asked,
    halted: halted?.sentence,
    spent,
    requests,
    leftovers,
    startedAt: finished.startedAt.toISOString(),
    finishedAt: finished.finishedAt.toISOString(),
  })
}

/**
 * Returns the data for trying the findings of a run again. A finding from concurrent requests is left to chance only if
 * no other request showed the same.
 */
export const againOf = ({ run, clauses }: Pick<RunRecord, 'run' | 'clauses'>, tries = 1): Again => ({
  run,
  tries,
  found: new Set(clauses.filter(({ findings }) => findings.length > 0).map(({ id }) => id)),
  byChance: new Set(clauses.filter(row => isByChance(row.findings)).map(({ id }) => id)),
})

const isByChance = (findings: readonly Finding[]): boolean =>
  [...Map.groupBy(findings, essenceOf).values()].some(alike => alike.every(({ chance }) => chance === true))
