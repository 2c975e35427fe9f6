import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, realpathSync, renameSync, rmSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { writeTextNow } from '../../fixtures/output/files.ts'
import { LARGEST, readBytesOf } from '../../fixtures/read-file.ts'
import { jsonIn, UNMEASURED } from '../../fixtures/read-json.ts'
import { RUN_FILES, RunNotReadable, readPartOf, readRun, type StoredRun } from '../folder/read.ts'
import { arrange, type History, type Unreadable } from './history.ts'
import { type ClauseTable, keep, keptSchema, summarizedSchema, summaryOf } from './summary.ts'

/** Name of the index, in the folder of the runs. */
export const INDEX = '.history.json'
/** Name of an attestation, in the folder of a run. */
export const ATTESTATION = 'attestation.json'

/** Folders that are looked at; those whose names come last, which begin with the time of the run. */
const MOST_RUNS = 5_000

/** Names of runs: they stand in addresses, and lead nowhere else. */
const RUN_NAME = /^[A-Za-z0-9][\w.-]{0,199}$/

/** Of what a record was when it was read: its size, and when it was written. */
const entrySchema = z.object({ state: z.string(), kept: keptSchema.optional(), why: z.string().optional() })
type Entry = z.infer<typeof entrySchema>

/** Another number: what is kept means something else, and every record is read again. */
const FORMAT = 2
const indexSchema = z.object({
  format: z.literal(FORMAT),
  clauses: z.array(
    z.object({
      ...{ id: z.string(), level: z.enum(['must', 'should']), side: z.enum(['server', 'client']) },
      ...{ part: z.string(), area: z.string(), says: z.string() },
    }),
  ),
  entries: z.record(z.string(), entrySchema),
})

/**
 * Reads a folder of runs, the newest first. What was read before stands in an index beside the runs, and is read again
 * where a record has changed; a record that cannot be read is listed, and stops nothing. A folder that is not there holds
 * no runs.
 *
 * @param within milliseconds after which no further record is read: what is left is counted, and is for the next time
 */
export function readHistory(given: string, within = Number.POSITIVE_INFINITY): History {
  const until = performance.now() + within
  const folder = realFolder(given)
  const names = runNames(folder)
  const index = indexIn(folder)
  const table: ClauseTable = new Map(index.clauses.map(clause => [clause.id, clause]))
  const entries: Record<string, Entry> = {}
  const unreadable: Unreadable[] = []
  let isStale = Object.keys(index.entries).some(name => !names.has(name))
  let unread = 0
  // The newest run says what clauses are about.
  let isNewest = true
  for (const id of names) {
    const file = statOf(join(folder, id, RUN_FILES.record))
    if (file === undefined) {
      const why = whyNoRecord(join(folder, id))
      if (why !== undefined) unreadable.push({ id, why })
      continue
    }
    const state = `${file.size} ${file.mtimeMs}`
    let entry = index.entries[id]
    if (entry?.state !== state) {
      if (performance.now() > until) {
        unread++
        continue
      }
      isStale = true
      entry = { state, ...read(folder, id, table, isNewest) }
    }
    isNewest &&= entry.kept === undefined
    entries[id] = entry
    if (entry.why !== undefined) unreadable.push({ id, why: entry.why })
  }
  if (isStale) writeIndex(folder, { format: FORMAT, clauses: [...table.values()], entries })
  const clauses = [...table.keys()]
  const places = new Map(clauses.map((id, place) => [id, place]))
  const runs = Object.entries(entries).flatMap(([id, { kept }]) => {
    const attested = hasFile(join(folder, id), ATTESTATION)
    return kept === undefined ? [] : [summaryOf(kept, { id, attested }, places)]
  })
  return { folder, judged: arrange(runs, clauses), unreadable, unread, clauses: table }
}

/**
 * Opens one run of a folder of runs by its name.
 *
 * @throws {RunNotReadable} when the name is none of a run, when something of it is a link, or when it cannot be read
 */
export const openRunOf = async (given: string, id: string): Promise<StoredRun> =>
  readRun(runFolder(realFolder(given), id))

/** Returns the folder of a run. @throws {RunNotReadable} as `openRunOf` does, but for what its record holds */
function runFolder(folder: string, id: string): string {
  const dir = join(folder, id)
  if (!RUN_NAME.test(id) || statOf(dir)?.isDirectory() !== true)
    throw new RunNotReadable(`There is no run ${JSON.stringify(id)} in ${folder}: name the folder of one.`)
  for (const name of [RUN_FILES.record, RUN_FILES.exchanges, ATTESTATION]) {
    if (statOf(join(dir, name))?.isFile() === false)
      throw new RunNotReadable(`${join(dir, name)} is a link or no file, and is not followed: remove it.`)
  }
  return dir
}

function read(folder: string, id: string, table: ClauseTable, isNewest: boolean): Omit<Entry, 'state'> {
  try {
    return { kept: keep(readPartOf(runFolder(folder, id), summarizedSchema, UNMEASURED), table, isNewest) }
  } catch (error) {
    // A site may be shown to others, whom the folders of this machine do not concern.
    const why = error instanceof RunNotReadable ? error.message : 'it could not be read'
    return { why: why.replaceAll(join(folder, '/'), '') }
  }
}

function realFolder(given: string): string {
  try {
    return realpathSync(given)
  } catch {
    return resolve(given)
  }
}

/** Returns the names of folders that may be runs, those first that come last by name; links are none. */
function runNames(folder: string): Set<string> {
  try {
    const folders = readdirSync(folder, { withFileTypes: true }).filter(
      entry => entry.isDirectory() && RUN_NAME.test(entry.name),
    )
    const names = folders.map(({ name }) => name).sort()
    return new Set(names.reverse().slice(0, MOST_RUNS))
  } catch {
    return new Set()
  }
}

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

const hasFile = (dir: string, name: string): boolean => statOf(join(dir, name))?.isFile() === true

/** Returns why a folder holds no record; `undefined` where it is no folder of a run at all. */
function whyNoRecord(dir: string): string | undefined {
  const isRun = hasFile(dir, 'run.json') && !hasFile(dir, 'prove.json')
  return isRun ? 'it has no record: it still goes on, or was killed before its end' : undefined
}

type Index = z.infer<typeof indexSchema>

/** Returns the index, or an empty one where there is none that is understood. */
function indexIn(folder: string): Index {
  const empty: Index = { format: FORMAT, clauses: [], entries: {} }
  if (!hasFile(folder, INDEX)) return empty
  try {
    const bytes = readBytesOf(join(folder, INDEX), LARGEST.record, code => new Error(code))
    return indexSchema.safeParse(jsonIn(bytes, UNMEASURED)).data ?? empty
  } catch {
    return empty
  }
}

/** Writes the index whole or not at all; a folder that cannot be written to goes without. */
function writeIndex(folder: string, index: Index): void {
  const unfinished = join(folder, `${INDEX}.${randomUUID()}`)
  try {
    writeTextNow(unfinished, JSON.stringify(index))
    renameSync(unfinished, join(folder, INDEX))
  } catch {
    rmSync(unfinished, { force: true })
  }
}
