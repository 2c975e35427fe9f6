import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type StoredExchange, storedExchangeSchema } from '../../fixtures/client/redaction/index.ts'
import { LARGEST, linesOf, namesIn, readUtf8Of, statOf } from '../../fixtures/ground/read-file.ts'
import { jsonIn, type Limits, OF_ANY_LENGTH } from '../../fixtures/ground/read-json.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { acknowledgedIn, withAcknowledgement } from '../../fixtures/run/acknowledged.ts'
import { WrongCall } from '../../fixtures/run/failure.ts'
import { DEFAULT_OUT } from '../../fixtures/run/run-folder.ts'
import { readableRecordSchema } from '../schema.ts'
import { isChange } from '../scripts/replay-script.ts'

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
export const storedIn = (dir: string): Pick<StoredRun, 'exchanges' | 'traffic'> => ({
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
