import { randomInt } from 'node:crypto'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { say, watched } from '../../fixtures/output/console.ts'
import type { RunRecord } from '../../fixtures/record.ts'
import { EXIT, type ExitCode, mayBeBooked } from '../../fixtures/run/failure.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { passiveClauses } from '../../fixtures/run/passive.ts'
import { anyRan, type Conducted, conduct } from '../../fixtures/run/run.ts'
import { select } from '../../fixtures/run/selection.ts'
import { assemble } from '../../reports/assemble.ts'
import { publish } from '../../reports/publish.ts'
import { createProgress, wantsColour } from '../../reports/terminal.ts'

/** Options of `tss certify`, as they were given. */
export interface CertifyOptions {
  deployment?: string
  only?: string
  seed?: number
  out: string
  maxDuration?: number
  maxRequests?: number
  requireCoverage?: number
  json?: boolean
}

/** Judges a deployment, writes record and reports, and says what came out. */
export async function certify(options: CertifyOptions): Promise<ExitCode> {
  const { deployment, only, out, maxDuration, maxRequests } = options
  const selection = only === undefined ? undefined : select(only, CLAUSES)
  const progress = createProgress({
    stream: watched,
    colour: wantsColour(watched, process.env),
  })
  const conducted = await conduct({
    seed: options.seed ?? randomInt(2 ** 31),
    out,
    ...(deployment === undefined ? {} : { deployment }),
    ...(selection === undefined ? {} : { only: selection }),
    ...(maxDuration === undefined ? {} : { maxDuration }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
    onProgress: progress.update,
    onNotice(sentence) {
      progress.end()
      say(sentence)
    },
  }).finally(progress.end)

  const record = recordOf(conducted, only)
  const { collected, halted } = conducted
  await publish(record, conducted.folder.path, {
    json: options.json,
    instead: halted !== undefined && !anyRan(collected) ? halted.sentence : undefined,
  })
  return exitCodeOf(record, conducted, options)
}

function recordOf(conducted: Conducted, only: string | undefined): RunRecord {
  const { deployment, folder, collected, halted, spent, startedAt, finishedAt, requests, leftovers } =
    conducted
  return assemble({
    kit,
    context: { run: folder.run, seed: conducted.seed },
    deployment,
    catalogue: CLAUSES,
    passiveClauses,
    collected,
    ...(only === undefined ? {} : { only }),
    ...(halted === undefined ? {} : { halted: halted.sentence }),
    ...(spent === undefined ? {} : { spent }),
    requests: { v1: requests.v1, v2: requests.v2 },
    leftovers,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
  })
}

function exitCodeOf(
  record: RunRecord,
  { halted }: Conducted,
  { requireCoverage = 0 }: CertifyOptions,
): ExitCode {
  const standing = mayBeBooked(record.leftovers)
  if (standing !== undefined) say(standing)
  if (halted !== undefined) return halted.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
  const { verdict, coverage } = record
  if (verdict === 'error' || verdict === 'not exercised') return EXIT.incomplete
  if (verdict !== 'conforms') return EXIT.violates
  if (standing !== undefined) return EXIT.violates
  const reached = coverage.applicable === 0 ? 0 : coverage.exercised / coverage.applicable
  if (reached >= requireCoverage) return EXIT.conforms
  say(
    `Coverage is ${(100 * reached).toFixed(1)} %, and --require-coverage asks for ${100 * requireCoverage} %.`,
  )
  return EXIT.violates
}
