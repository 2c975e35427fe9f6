import { passiveClauses } from '../fixtures/checkers/passive-clauses.ts'
import { CLAUSES } from '../fixtures/clauses/index.ts'
import type { RunRecord } from '../fixtures/record.ts'
import { kit } from '../fixtures/run/kit.ts'
import type { FinishedRun } from '../fixtures/run/run.ts'
import { assemble } from './assemble.ts'

/**
 * Makes the record of a run of checks, judged by the whole catalogue.
 *
 * @param only the expression that selected them
 */
export function recordOf(finished: FinishedRun, only?: string): RunRecord {
  const { deployment, seed, folder, collected, halted, spent, requests, leftovers } = finished
  return assemble({
    kit,
    context: { run: folder.run, seed },
    deployment,
    catalogue: CLAUSES,
    passiveClauses,
    collected,
    ...(only === undefined ? {} : { only }),
    ...(halted === undefined ? {} : { halted: halted.sentence }),
    ...(spent === undefined ? {} : { spent }),
    requests,
    leftovers,
    startedAt: finished.startedAt.toISOString(),
    finishedAt: finished.finishedAt.toISOString(),
  })
}
