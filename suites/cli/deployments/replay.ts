import { randomInt } from 'node:crypto'
import { dirname, relative } from 'node:path'
import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { findStatedDefinition } from '../../../fixtures/deployments/loading/index.ts'
import type { Finding, RunRecord } from '../../../fixtures/ground/record.ts'
import { commandLine, optionsOfCall } from '../../../fixtures/output/command-line.ts'
import { print, say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, mayBeBooked, wrongCall } from '../../../fixtures/run/failure.ts'
import type { FinishedRun } from '../../../fixtures/run/run.ts'
import { DEFAULT_OUT, noteOfRun, rememberedIn } from '../../../fixtures/run/run-folder.ts'
import { clausesNamed } from '../../../fixtures/run/selection.ts'
import { everyCheck } from '../../../fixtures/run/tracing.ts'
import { commandToSeeAgain, scenarioOf } from '../../../reports/findings/command-to-see-again.ts'
import { openRun, publish, type StoredRun } from '../../../reports/folder/write.ts'
import { againOf, recordOf } from '../../../reports/judge/run-record.ts'
import { leftoverLines } from '../../../reports/render/digest.ts'
import { oneLine } from '../../../reports/render/plain.ts'
import { runWatched } from './watched-run.ts'

/** How often a fault that shows only by chance is tried. */
const TRIES = 5

const findingsOf = ({ clauses }: RunRecord, clause: string): Finding[] =>
  clauses.find(({ id }) => id === clause)?.findings ?? []

/**
 * Runs the checks with findings once more, with the same seed and new offers, keys and bookings, and prints whether each
 * fault shows again. Writes a record of each replay beside the run.
 *
 * @param wanted id of the clause, `clause#2` for its second finding, or an area, a prefix or an expression
 * @returns 1 if a fault shows again or a booking may still stand, else 3 if one could not be tried, else 0
 */
export async function replay(
  wanted: string,
  options: { run?: string; deployment?: string },
): Promise<ExitCode> {
  const { found, stored } = await find(wanted, options.run)
  if (stored.record.subject !== undefined) {
    throw wrongCall(
      `Run ${stored.record.run} judged ${stored.record.subject === 'client' ? 'a client' : 'a recording'}, so the kit cannot send its requests again: let the client send them, and examine it again.`,
    )
  }
  const loaded = found.find(({ finding }) => scenarioOf(finding.check) !== undefined)
  if (loaded !== undefined) {
    const called = { ...stored.record.called, ...optionsOfCall() }
    const command = commandToSeeAgain({ ...stored.record, called }, loaded.clause, loaded.finding, 0)
    throw wrongCall(`${loaded.clause} was found under load, which no single check repeats: ${command} does.`)
  }
  const stated = noteOfRun(stored.dir).definition
  if (stated === undefined && options.deployment === undefined)
    throw wrongCall(`${stored.dir} does not say which deployment was judged: name it with --deployment.`)
  const definition = options.deployment ?? findStatedDefinition(stated!, process.cwd())
  const known = new Set((await everyCheck()).map(({ file, title }) => [file, ...title].join(' > ')))
  const unknown = found.find(({ finding }) => !known.has(finding.check))
  if (unknown !== undefined) {
    throw wrongCall(
      `Run ${stored.record.run} found ${unknown.clause} with a check that this version of the kit does not have (${oneLine(unknown.finding.check).slice(0, 200)}): replay it with the version that wrote the record, or run ${commandLine('certify')} again.`,
    )
  }
  const codes: ExitCode[] = []
  const remembered = rememberedIn(stored.dir)
  for (const { clause, finding } of found) {
    const { run, clauses, checks } = stored.record
    const row = clauses.find(({ id }) => id === clause)!
    const earlier = { run, clauses: [{ ...row, findings: [finding] }] }
    let ended: { finished: FinishedRun; record: RunRecord } | undefined
    for (let tries = 1; tries <= (finding.chance === true ? TRIES : 1); tries++) {
      const plan = {
        seed: stored.record.seed ?? randomInt(2 ** 31),
        out: dirname(stored.dir),
        deployment: definition,
        check: finding.check,
        generous: checks.find(({ id }) => id === finding.check)?.generous,
        remembered,
      }
      const finished = await runWatched(plan)
      remembered.push(...finished.folder.remembered())
      const judged = {
        ...recordOf(finished, { only: clause, selected: new Set([clause]), again: againOf(earlier, tries) }),
        replayOf: stored.record.run,
      }
      const record = await publish(judged, finished.folder.path, { quiet: true })
      ended = { finished, record }
      if (finished.halted !== undefined || findingsOf(record, clause).length > 0) break
    }
    const { finished, record } = ended!
    const { text, exitCode } = comparison(clause, finding, record)
    const shown = relative(process.cwd(), finished.folder.path)
    print(`${text}\nReports: ${shown} (its exchanges are in ${shown}/exchanges.ndjson)\n`)
    codes.push(exitCode)
    if (finished.refusals !== undefined) say(finished.refusals)
    const standing = mayBeBooked(record)
    if (standing !== undefined) {
      print(
        `${leftoverLines(record)
          .map(line => `Left: ${oneLine(line)}\n`)
          .join('')}${standing}\n`,
      )
      codes.push(EXIT.violates)
    }
    if (['interrupted', 'not a test credential'].includes(finished.halted?.reason ?? '')) break
  }
  return [EXIT.violates, EXIT.incomplete].find(code => codes.includes(code)) ?? EXIT.conforms
}

interface Found {
  clause: string
  finding: Finding
}

async function find(wanted: string, run: string | undefined): Promise<{ found: Found[]; stored: StoredRun }> {
  const [name = '', number = '1'] = wanted.split('#')
  const clauses = clausesNamed(name, CLAUSES)
  const stored = await openRun(run)
  if (stored === undefined)
    throw wrongCall(`There is no run under ${DEFAULT_OUT} to replay from: name its folder with --run.`)
  const broken = stored.record.clauses.filter(row => row.findings.length > 0)
  const found = clauses.flatMap(clause => {
    const finding = broken.find(({ id }) => id === clause)?.findings[Number(number) - 1]
    return finding === undefined ? [] : [{ clause, finding }]
  })
  if (found.length > 0) return { found, stored }
  const count = broken.find(({ id }) => id === clauses[0])?.findings.length ?? 0
  const others = broken.map(({ id }) => id).slice(0, 5)
  throw wrongCall(
    clauses.length === 1 && count > 0
      ? `Run ${stored.record.run} has ${count} findings of ${name}, and ${wanted} asks for another.`
      : `Run ${stored.record.run} found nothing against ${clauses.length === 1 ? clauses[0] : wanted}${others.length === 0 ? '' : `; it has findings of ${others.join(', ')}`}.`,
  )
}

/** Compares the replay with the recorded finding, as text and exit code. */
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
  if (row.verdict === 'conforms')
    return { text: [...lines, 'It does not show again.'].join('\n'), exitCode: EXIT.conforms }
  const why = row.reason === undefined ? row.verdict : oneLine(row.reason)
  if (recorded.chance === true && why.includes('not seen again'))
    return { text: [...lines, `It was ${why}.`].join('\n'), exitCode: EXIT.incomplete }
  return { text: [...lines, `It could not be tried again: ${why}.`].join('\n'), exitCode: EXIT.incomplete }
}
