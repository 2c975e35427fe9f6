import { randomInt } from 'node:crypto'
import { CLAUSES, clauseIds } from '../../fixtures/clauses/index.ts'
import { say } from '../../fixtures/output/console.ts'
import type { Profile, RunRecord } from '../../fixtures/record.ts'
import { anyRan } from '../../fixtures/run/collected.ts'
import { EXIT, type ExitCode, mayBeBooked } from '../../fixtures/run/failure.ts'
import type { FinishedRun } from '../../fixtures/run/run.ts'
import { select } from '../../fixtures/run/selection.ts'
import { profileFor } from '../../reports/profile.ts'
import { publish } from '../../reports/publish.ts'
import { recordOf } from '../../reports/run-record.ts'
import { runWatched } from './watched-run.ts'

/** Options of `tss certify`, as they were given. */
export interface CertifyOptions {
  deployment?: string
  only?: string
  seed?: number
  out: string
  profile?: Profile
  maxDuration?: number
  maxRequests?: number
  requireCoverage?: number
  json?: boolean
}

/** Judges a deployment, writes record and reports, and says what came out. */
export async function certify(options: CertifyOptions): Promise<ExitCode> {
  const { deployment, only, out, maxDuration, maxRequests } = options
  const selection = only === undefined ? undefined : select(only, CLAUSES)
  const finished = await runWatched({
    seed: options.seed ?? randomInt(2 ** 31),
    out,
    ...(deployment === undefined ? {} : { deployment }),
    ...(selection === undefined ? {} : { only: selection }),
    ...(maxDuration === undefined ? {} : { maxDuration }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
  })
  const record = recordOf(finished, {
    profile: options.profile ?? finished.deployment.profile ?? profileFor(finished.deployment, CLAUSES),
    ...(selection === undefined
      ? {}
      : { only: selection.text, selected: new Set(clauseIds.filter(id => selection.matches([id]))) }),
  })
  const { collected, halted } = finished
  await publish(record, finished.folder.path, {
    json: options.json,
    instead: halted !== undefined && !anyRan(collected) ? halted.sentence : undefined,
  })
  return exitCodeOf(record, finished, options)
}

function exitCodeOf(
  record: RunRecord,
  { halted }: FinishedRun,
  { requireCoverage = 0 }: CertifyOptions,
): ExitCode {
  const standing = mayBeBooked(record.leftovers)
  if (standing !== undefined) say(standing)
  if (halted !== undefined) return halted.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
  const { verdict, coverage } = record
  if (verdict === 'error' || verdict === 'not exercised') return EXIT.incomplete
  if (verdict !== 'conforms') return EXIT.violates
  if (standing !== undefined) return EXIT.violates
  const { applicable, exercised } = coverage.perKind ?? coverage
  const reached = applicable === 0 ? 0 : exercised / applicable
  if (reached >= requireCoverage) return EXIT.conforms
  say(
    `Coverage is ${(100 * reached).toFixed(1)} %, and --require-coverage asks for ${100 * requireCoverage} %.`,
  )
  return EXIT.violates
}
