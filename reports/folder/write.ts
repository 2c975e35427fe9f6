import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { toCurl } from '../../fixtures/client/recording/index.ts'
import { type StoredExchange, storedExchangeSchema } from '../../fixtures/client/redaction/index.ts'
import { LARGEST, linesOf, namesIn, readUtf8Of, statOf } from '../../fixtures/ground/read-file.ts'
import { jsonIn, type Limits, OF_ANY_LENGTH } from '../../fixtures/ground/read-json.ts'
import type { ClauseRecord, Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { optionsOfCall } from '../../fixtures/output/command-line.ts'
import { print, printJson, say } from '../../fixtures/output/console.ts'
import { appendText, writeJson, writeText } from '../../fixtures/output/files.ts'
import { acknowledgedIn, withAcknowledgement } from '../../fixtures/run/cleanup/acknowledged.ts'
import { EXIT, Failure, WrongCall } from '../../fixtures/run/failure.ts'
import { DEFAULT_OUT } from '../../fixtures/run/run-folder.ts'
import type { Evidence } from '../html/findings.ts'
import { toHtml } from '../html/report.ts'
import { checksWithFindings, citedExchanges } from '../render/digest.ts'
import { toJUnit } from '../render/junit.ts'
import { stepSummaryOf, toMarkdown } from '../render/markdown.ts'
import { oneLine } from '../render/plain.ts'
import { summarise } from '../render/summary.ts'
import { readableRecordSchema } from '../schema.ts'
import { isChange, poolOf, replayScript } from '../scripts/replay-script.ts'
import { finalText, wantsColour } from '../terminal/summary.ts'

/** File names in the folder of a run. */
export const RUN_FILES = {
  record: 'record.json',
  exchanges: 'exchanges.ndjson',
  html: 'report.html',
  junit: 'junit.xml',
  markdown: 'summary.md',
} as const

/** The error for a folder without a run that this version can read. The message says why and what to do. */
export class RunNotReadable extends WrongCall {
  override readonly name = 'RunNotReadable'
}

/** A stored run, written by this version of the kit or a later one of the same format. */
export interface StoredRun {
  dir: string
  record: RunRecord
  /** Returns stored exchanges by id. Missing and truncated ones are left out. */
  exchanges(ids: Iterable<string>): Promise<Map<string, StoredExchange>>
  /** Returns the stored exchanges of some checks, in order of recording (see `readTraffic`). */
  traffic(checks: Iterable<string>): Promise<Map<string, StoredExchange[]>>
}

/** Reads the run in a folder. @throws {RunNotReadable} without a record, or with one of an unknown version */
export async function readRun(dir: string): Promise<StoredRun> {
  // Every later 1.y has all fields of this version with the same meaning.
  const record = readPartOf(dir, readableRecordSchema) as RunRecord
  const looked = acknowledgedIn(dir)
  const leftovers = record.leftovers.map(one => withAcknowledgement(one, looked))
  return { dir, record: { ...record, leftovers }, ...storedIn(dir) }
}

/** Reads the part of a folder's record that a schema describes. @throws {RunNotReadable} as `readRun` does */
export function readPartOf<Part>(dir: string, schema: z.ZodType<Part>, limits = OF_ANY_LENGTH): Part {
  const file = join(dir, RUN_FILES.record)
  const bytes = readUtf8Of(file, LARGEST.record, (code, cause) => {
    const why =
      code === 'ENOENT' ? 'it is not the folder of a run, or the run was killed before its end' : code
    return new RunNotReadable(
      `There is no record to read in ${dir} (${why}): name the folder of a finished run.`,
      { cause },
    )
  })
  return recordIn(bytes, file, schema, limits)
}

/** Returns functions that read the exchanges in the folder of a run. */
const storedIn = (dir: string): Pick<StoredRun, 'exchanges' | 'traffic'> => ({
  exchanges: ids => readExchanges(join(dir, RUN_FILES.exchanges), new Set(ids)),
  traffic: checks => readTraffic(join(dir, RUN_FILES.exchanges), new Set(checks)),
})

/**
 * Reads a record alone, from a file, or from the folder of a run by path or name.
 * @throws {RunNotReadable} if there is none, or one that this version does not understand
 */
export async function readRecord(path: string): Promise<RunRecord> {
  const isFolder = statOf(path)?.isDirectory() ?? !/[\\/]|\.json$/.test(path)
  if (isFolder) return (await readRun(folderNamed(path))).record
  const bytes = readUtf8Of(
    path,
    LARGEST.record,
    (code, cause) =>
      new RunNotReadable(
        `There is no record to read in ${path} (${code}): name a record.json, or the folder of a finished run.`,
        { cause },
      ),
  )
  return recordIn(bytes, path, readableRecordSchema, OF_ANY_LENGTH) as RunRecord
}

function recordIn<Part>(bytes: Buffer, file: string, schema: z.ZodType<Part>, limits: Limits): Part {
  const json = jsonIn(bytes, limits)
  if (json === undefined) {
    throw new RunNotReadable(
      `${file} is not JSON of a record: name the record.json of a finished run as it was written, or run the checks again.`,
    )
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) {
    const problem = z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' ').replaceAll(/\s+/g, ' ')
    throw new RunNotReadable(
      `${file} is not a record that this version understands (${problem}): read it with the version of the kit that wrote it.`,
    )
  }
  return parsed.data
}

/**
 * The maximum number of exchanges kept per check, more than anybody replays by hand, apart from those that changed something:
 * what follows depends on them.
 */
const MOST_OF_A_CHECK = 500

/** Returns the exchanges of some checks from a file of any size, by check; the first 500 of each. */
async function readTraffic(
  file: string,
  checks: ReadonlySet<string>,
): Promise<Map<string, StoredExchange[]>> {
  const found = new Map<string, StoredExchange[]>()
  // The check is the second field.
  const begins = /^\{"id":"[^"\\]*","check":("(?:[^"\\]|\\.)*")/
  for await (const exchange of stored(file, begins, checks)) {
    const known = found.get(exchange.check)
    if (!checks.has(exchange.check)) continue
    if (known === undefined) found.set(exchange.check, [exchange])
    else if (known.length < MOST_OF_A_CHECK || isChange(exchange)) known.push(exchange)
  }
  return found
}

/** Returns exchanges by id from a file of any size. */
async function readExchanges(
  file: string,
  wanted: ReadonlySet<string>,
): Promise<Map<string, StoredExchange>> {
  const found = new Map<string, StoredExchange>()
  for await (const exchange of stored(file, /^\{"id":("[^"\\]*")/, wanted)) {
    if (wanted.has(exchange.id)) found.set(exchange.id, exchange)
    if (found.size === wanted.size) break
  }
  return found
}

/**
 * Yields exchanges in order of recording. It ignores truncated lines (of a killed run), invalid ones, and a missing
 * file.
 *
 * @param begins matches the beginning of a line, so that most unwanted lines need not be parsed
 */
async function* stored(
  file: string,
  begins?: RegExp,
  wanted?: ReadonlySet<string>,
): AsyncGenerator<StoredExchange> {
  if (wanted?.size === 0) return
  try {
    for await (const line of linesOf(file)) {
      const first = begins?.exec(line)?.[1]
      if (first !== undefined && !wanted?.has(JSON.parse(first))) continue
      const { data } = storedExchangeSchema.safeParse(jsonIn(line))
      if (data !== undefined) yield data
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOENT') return
    throw new RunNotReadable(`The exchanges in ${file} cannot be read (${code}): remove that file.`, {
      cause: error,
    })
  }
}

/**
 * Reads the wanted run, by its folder or by its name under `reports/out`; or else the newest finished one there that is no
 * replay; `undefined` if there is none.
 * @throws {RunNotReadable} if the folder has no run
 */
export async function openRun(wanted: string | undefined, out = DEFAULT_OUT): Promise<StoredRun | undefined> {
  if (wanted !== undefined) return readRun(folderNamed(wanted, out))
  for (const name of (namesIn(out) ?? []).sort().reverse()) {
    try {
      const run = await readRun(resolve(out, name))
      if (run.record.replayOf === undefined) return run
    } catch (error) {
      // A proof or a killed run has no record.
      if (!(error instanceof RunNotReadable)) throw error
    }
  }
  return undefined
}

/** Returns the folder of a run by its path, that of its record, or the name that printed commands give. */
export function folderNamed(wanted: string, out = DEFAULT_OUT): string {
  const isPath = /[\\/]/.test(wanted) || statOf(wanted) !== undefined
  const path = isPath ? resolve(wanted) : resolve(out, wanted)
  return basename(path) === RUN_FILES.record ? dirname(path) : path
}

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
function notWritten(file: string, cause: NodeJS.ErrnoException): Failure {
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
