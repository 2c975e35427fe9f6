import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { CLAUSES, clauseIds } from '../../../fixtures/clauses/index.ts'
import type { Remembered } from '../../../fixtures/client/money/index.ts'
import { LARGEST, readFileOf } from '../../../fixtures/ground/read-file.ts'
import type { Profile, RunRecord } from '../../../fixtures/ground/record.ts'
import { say } from '../../../fixtures/output/console.ts'
import { anyRan } from '../../../fixtures/run/collected.ts'
import { EXIT, type ExitCode, wrongCall } from '../../../fixtures/run/failure.ts'
import { rememberedIn } from '../../../fixtures/run/run-folder.ts'
import { type Selection, select } from '../../../fixtures/run/selection.ts'
import { folderNamed, publish, readRecord } from '../../../reports/folder/write.ts'
import { gated } from '../../../reports/gate/gate.ts'
import type { Waiver } from '../../../reports/gate/waivers.ts'
import { outcomeOf } from '../../../reports/judge/outcome.ts'
import { profileFor } from '../../../reports/judge/profile.ts'
import { againOf, recordOf } from '../../../reports/judge/run-record.ts'
import { runWatched } from './watched-run.ts'

interface CertifyOptions {
  deployment?: string
  only?: string
  /** A run whose red clauses are judged again, instead of `only`. */
  failed?: string
  seed?: number
  out: string
  profile?: Profile
  maxDuration?: number
  maxRequests?: number
  thorough?: boolean
  requireCoverage?: number
  /** The path of a record to compare with. */
  baseline?: string
  /** The path of a file of waivers. */
  waivers?: string
  /** Reports to write in addition to the standard ones. */
  json?: boolean
}

/** What is read before the first request. */
interface Prepared {
  selection: Selection | undefined
  /** The run whose red clauses are selected. */
  failed: RunRecord | undefined
  baseline: RunRecord | undefined
  waivers: Waiver[] | undefined
  /** What earlier runs found out about the credentials. */
  remembered: Remembered[]
}

/** Certifies a deployment, writes record and reports, and prints the result. */
export async function certify(options: CertifyOptions): Promise<ExitCode> {
  const prepared = await prepare(options)
  // Clauses that are tried again get the same generated cases.
  const seed = options.seed ?? prepared.failed?.seed ?? randomInt(2 ** 31 - 1)
  return certifyOnce(options, prepared, seed)
}

async function prepare({ only, failed, baseline, waivers }: CertifyOptions): Promise<Prepared> {
  if (only !== undefined && failed !== undefined)
    throw wrongCall('--only and --failed both say what to run: give one of them.')
  const earlier = failed === undefined ? undefined : await readRecord(failed)
  const wanted = earlier === undefined ? only : redClauses(earlier)
  return {
    selection: wanted === undefined ? undefined : select(wanted, CLAUSES),
    failed: earlier,
    baseline: baseline === undefined ? undefined : await readRecord(baseline),
    waivers: waivers === undefined ? undefined : await waiversIn(waivers),
    remembered: failed === undefined ? [] : rememberedIn(folderNamed(failed)),
  }
}

/** Returns a selection of the clauses of a run that were broken, blocked or in error. */
function redClauses({ run, clauses }: RunRecord): string {
  const red = clauses.filter(
    ({ verdict, findings }) => verdict === 'blocked' || verdict === 'error' || findings.length > 0,
  )
  const known = red.map(({ id }) => id).filter(id => (clauseIds as readonly string[]).includes(id))
  if (known.length === 0) throw wrongCall(`Nothing was red in ${run}: there is nothing to run again.`)
  return known.join(' or ')
}

async function waiversIn(file: string): Promise<Waiver[]> {
  const text = readFileOf(resolve(file), LARGEST.small, (code, cause) =>
    wrongCall(`The waivers in ${file} could not be read (${code}): name a file with --waivers.`, { cause }),
  )
  // The YAML reader takes a while to load, and few runs have waivers.
  const { readWaivers } = await import('../../../reports/gate/gate.ts')
  return readWaivers(text, { file, clauses: clauseIds, today: new Date().toISOString().slice(0, 10) })
}

async function certifyOnce(
  options: CertifyOptions,
  { selection, failed, baseline, waivers, remembered }: Prepared,
  seed: number,
): Promise<ExitCode> {
  const { deployment, out, maxDuration, maxRequests, thorough } = options
  const limits = { maxDuration, maxRequests, thorough }
  const plan = { seed, out, remembered, deployment, only: selection, ...limits }
  const finished = await runWatched(plan)
  const judged = recordOf(finished, {
    profile: options.profile ?? finished.deployment.profile ?? profileFor(finished.deployment, CLAUSES),
    only: selection?.text,
    selected: selection && new Set(clauseIds.filter(id => selection.matches([id]))),
    waivers,
    again: failed && againOf(failed),
  })
  const asked = gated(judged, { baseline, requireCoverage: options.requireCoverage })
  const { collected, halted } = finished
  const record = await publish(asked, finished.folder.path, {
    json: options.json,
    instead: halted !== undefined && !anyRan(collected) ? halted.sentence : undefined,
  })
  const { exitCode, reasons } = outcomeOf(record)
  if (finished.refusals !== undefined) say(finished.refusals)
  for (const { about, text } of reasons) if (about === 'bookings' || about === 'gate') say(text)
  return halted?.reason === 'interrupted' ? EXIT.interrupted : exitCode
}
