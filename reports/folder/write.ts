import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { toCurl } from '../../fixtures/client/recording/index.ts'
import type { ClauseRecord, Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { optionsOfCall } from '../../fixtures/output/command-line.ts'
import { print, printJson, say } from '../../fixtures/output/console.ts'
import { appendText, writeJson, writeText } from '../../fixtures/output/files.ts'
import { EXIT, Failure } from '../../fixtures/run/failure.ts'
import type { Evidence } from '../html/findings.ts'
import { toHtml } from '../html/report.ts'
import { checksWithFindings, citedExchanges } from '../render/digest.ts'
import { toJUnit } from '../render/junit.ts'
import { stepSummaryOf, toMarkdown } from '../render/markdown.ts'
import { oneLine } from '../render/plain.ts'
import { summarise } from '../render/summary.ts'
import { poolOf, replayScript } from '../scripts/replay-script.ts'
import { finalText, wantsColour } from '../terminal/summary.ts'
import { RUN_FILES, type StoredRun, storedIn } from './read.ts'

/** Returns the evidence for the findings of a run: the cited exchanges, and scripts that repeat them. */
export async function evidenceOf(
  record: RunRecord,
  stored: Pick<StoredRun, 'exchanges' | 'traffic'>,
): Promise<Evidence> {
  const exchanges = await stored.exchanges(citedExchanges(record))
  const traffic = await stored.traffic(checksWithFindings(record))
  return {
    exchanges,
    curlOf: toCurl,
    scriptOf: (clause: ClauseRecord, finding: Finding) =>
      replayScript(
        { clause: clause.id, says: clause.says, ...finding },
        finding.exchanges,
        poolOf(
          traffic.get(finding.check) ?? [],
          finding.exchanges.flatMap(id => exchanges.get(id) ?? []),
        ),
      ),
  }
}

/**
 * Writes a record, with options of the command, and its reports into the run's folder, and prints the result on stdout.
 *
 * @param quiet prints nothing
 * @param instead a message for stderr instead of the result
 * @returns the record as it was written
 * @throws {Failure} if something could not be written, after the result was printed
 */
export async function publish(
  judged: RunRecord,
  path: string,
  {
    json = false,
    quiet = false,
    instead,
  }: {
    json?: boolean | undefined
    quiet?: boolean
    instead?: string | undefined
  } = {},
): Promise<RunRecord> {
  const record: RunRecord = { ...judged, called: optionsOfCall() }
  const unwritten = await writeRun(record, path).then(
    () => undefined,
    (error: unknown) => error,
  )
  const shown = relative(process.cwd(), path)
  if (quiet) {
    // The caller prints its own message.
  } else if (json) printJson(summarise(record, shown))
  else if (instead !== undefined) say(`travel-sales: ${instead}`)
  else {
    const colour = wantsColour(process.stdout, process.env)
    print(finalText(record, { colour, dir: shown }))
  }
  // The result has been printed by now, so a full disk does not suppress it.
  if (unwritten !== undefined) throw unwritten
  return record
}

/** Returns the error for a report that could not be written. The message names the file and what to do. */
export function notWritten(file: string, cause: NodeJS.ErrnoException): Failure {
  const { code, message } = cause
  if (code === undefined) {
    const fault = `${file} could not be made (${oneLine(message)}): a fault of the kit, please report it.`
    return new Failure(EXIT.incomplete, `${fault} record.json holds the run.`, { cause })
  }
  const remedy = REMEDIES[code] ?? 'see what the operating system says about it'
  return new Failure(EXIT.incomplete, `${file} could not be written (${code}): ${remedy}.`, { cause })
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space on the disk, or give another folder with --out',
  EDQUOT: 'free some space in your quota, or give another folder with --out',
  EACCES: 'allow writing there, or give another folder with --out',
  EPERM: 'allow writing there, or give another folder with --out',
  EROFS: 'the file system is read-only: give another folder with --out',
  ENOENT: 'the folder is gone: keep it until the run has ended',
  EISDIR: 'a folder of that name is in the way: remove it, or give another folder with --out',
}

interface WriteOptions {
  /** The environment; `GITHUB_STEP_SUMMARY` names a file to append the summary to. Default: that of the process. */
  env?: Readonly<Record<string, string | undefined>>
}

/**
 * Writes the record of a run into its folder, and then its reports, which can be made from it. Only a run does this: the
 * bytes of a record are what is attested.
 * @throws {Failure} for the first file that could not be written; no file is left incomplete
 */
export async function writeRun(given: RunRecord, dir: string, options?: WriteOptions): Promise<void> {
  const record = await writeWhole(join(dir, RUN_FILES.record), file => writeJson(file, given))
  await writeReports(record, dir, options)
}

/**
 * Writes report.html, junit.xml and summary.md into the folder of a run.
 * @throws {Failure} for the first file that could not be written; no file is left incomplete
 */
export async function writeReports(
  record: RunRecord,
  dir: string,
  { env = process.env }: WriteOptions = {},
): Promise<void> {
  const files: [name: string, write: (file: string) => Promise<unknown>][] = [
    [RUN_FILES.html, async file => writeText(file, toHtml(record, await evidenceOf(record, storedIn(dir))))],
    [RUN_FILES.junit, async file => writeText(file, toJUnit(record))],
    [RUN_FILES.markdown, async file => writeText(file, toMarkdown(record))],
  ]
  // What is wrong with one report keeps nobody from the others.
  let first: unknown
  for (const [name, write] of files) {
    await writeWhole(join(dir, name), write).catch((error: unknown) => {
      first ??= error
    })
  }

  const stepSummary = env.GITHUB_STEP_SUMMARY
  if (stepSummary) {
    const append = async () => appendText(stepSummary, `${stepSummaryOf(toMarkdown(record))}\n`)
    await append().catch((error: NodeJS.ErrnoException) => {
      first ??= notWritten(stepSummary, error)
    })
  }
  if (first !== undefined) throw first
}

/** Writes a file atomically: readers see the old or the new one, never a part. */
async function writeWhole<T>(file: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  const unfinished = `${file}.${randomUUID()}`
  try {
    const written = await write(unfinished)
    await rename(unfinished, file)
    return written
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw notWritten(file, error as NodeJS.ErrnoException)
  }
}
