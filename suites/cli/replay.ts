import { relative } from 'node:path'
import { clauseIds } from '../../fixtures/clauses/index.ts'
import { print } from '../../fixtures/output/console.ts'
import type { Finding, RunRecord } from '../../fixtures/record.ts'
import { EXIT, type ExitCode, wrongCall } from '../../fixtures/run/failure.ts'
import { DEFAULT_OUT, definitionOfRun } from '../../fixtures/run/run-folder.ts'
import { clauseNamed } from '../../fixtures/run/selection.ts'
import { oneLine } from '../../reports/plain.ts'
import { publish } from '../../reports/publish.ts'
import type { StoredRun } from '../../reports/read.ts'
import { recordOf } from '../../reports/run-record.ts'
import { openRun } from '../../reports/stored-run.ts'
import { runWatched } from './watched-run.ts'

/** Options of `tss replay`, as they were given. */
export interface ReplayOptions {
  /** Folder of the run that found it. Default: the newest. */
  run?: string
  /** Default: the deployment of that run. */
  deployment?: string
  out: string
}

/**
 * Runs the check that found a finding once more, with the same seed and with offers, keys and bookings of its own, and
 * says whether the fault shows again. A record of the replay is written as after any run.
 *
 * @param wanted id of the clause, or `clause#2` for its second finding
 * @returns 1 when it shows again, 0 when it does not, 3 when that could not be found out
 */
export async function replay(wanted: string, options: ReplayOptions): Promise<ExitCode> {
  const { clause, finding, stored } = await find(wanted, options.run)
  const definition = options.deployment ?? definitionOfRun(stored.dir)
  if (definition === undefined) {
    throw wrongCall(`${stored.dir} does not say which deployment was judged: name it with --deployment.`)
  }
  const finished = await runWatched({
    seed: stored.record.seed,
    out: options.out,
    deployment: definition,
    check: finding.check,
  })
  const record = recordOf(finished, { only: clause })
  const { path } = finished.folder
  await publish(record, path, { quiet: true })
  const { text, exitCode } = comparison(clause, finding, record)
  const shown = relative(process.cwd(), path)
  print(`${text}\nReports: ${shown} (its exchanges are in ${shown}/exchanges.ndjson)\n`)
  return exitCode
}

async function find(
  wanted: string,
  run: string | undefined,
): Promise<{ clause: string; finding: Finding; stored: StoredRun }> {
  const [name = '', number = '1'] = wanted.split('#')
  const clause = clauseNamed(name, clauseIds)
  const stored = await openRun(run)
  if (stored === undefined) {
    throw wrongCall(`There is no run under ${DEFAULT_OUT} to replay from: name its folder with --run.`)
  }
  const findings = stored.record.clauses.find(({ id }) => id === clause)?.findings ?? []
  const finding = findings[Number(number) - 1]
  if (finding !== undefined) return { clause, finding, stored }
  const broken = stored.record.clauses.filter(row => row.findings.length > 0).map(({ id }) => id)
  throw wrongCall(
    findings.length > 0
      ? `Run ${stored.record.run} has ${findings.length} findings of ${clause}, and ${wanted} asks for another.`
      : `Run ${stored.record.run} found nothing against ${clause}${broken.length === 0 ? '' : `; it has findings of ${broken.slice(0, 5).join(', ')}`}.`,
  )
}

/** What the replay shows beside what was recorded. */
export function comparison(
  clause: string,
  recorded: Finding,
  record: RunRecord,
): { text: string; exitCode: ExitCode } {
  const row = record.clauses.find(({ id }) => id === clause)!
  const again = row.findings[0]
  const lines = [
    `${clause}: ${row.says}`,
    `  Check: ${oneLine(recorded.check)}`,
    ...(recorded.expected === undefined ? [] : [`  Expected:      ${oneLine(recorded.expected)}`]),
    `  Observed then: ${oneLine(recorded.observed ?? recorded.message)}`,
  ]
  if (again !== undefined) {
    lines.push(`  Observed now:  ${oneLine(again.observed ?? again.message)}`, 'It shows again.')
    return { text: lines.join('\n'), exitCode: EXIT.violates }
  }
  if (row.verdict === 'conforms') {
    return { text: [...lines, 'It does not show again.'].join('\n'), exitCode: EXIT.conforms }
  }
  const why = row.reason === undefined ? row.verdict : oneLine(row.reason)
  return { text: [...lines, `It could not be tried again: ${why}.`].join('\n'), exitCode: EXIT.incomplete }
}
