import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { namesIn } from '../../fixtures/ground/read-file.ts'
import { UNMEASURED } from '../../fixtures/ground/read-json.ts'
import { RUN_FILES, RunNotReadable, readPartOf, readRun, type StoredRun } from '../folder/write.ts'
import {
  arrange,
  type ClauseTable,
  type History,
  type Kept,
  keep,
  summarizedSchema,
  type Unreadable,
} from './history.ts'

/** The name of an attestation in the folder of a run. */
const ATTESTATION = 'attestation.json'

/** The maximum number of folders that are read: those with the last names, which begin with the time of the run. */
const MOST_RUNS = 1_000

/** Valid names of runs. They are part of URLs and must not lead elsewhere. */
const RUN_NAME = /^[A-Za-z0-9][\w.-]{0,199}$/

/** The size and time of a record when it was read, and what was kept of it, or why it cannot be read. */
interface Entry {
  state: string
  kept?: Kept
  why?: string
}

/** What was read of a folder, which holds until a record changes. */
interface AlreadyRead {
  clauses: ClauseTable
  entries: Map<string, Entry>
}

export const nothingRead = (): AlreadyRead => ({ clauses: new Map(), entries: new Map() })

/**
 * Reads a folder of runs, newest first. Unreadable records are listed. A missing folder has no runs.
 *
 * @param within milliseconds after which no further record is read: the rest is counted and left for the next time
 * @param already what was read of the folder before; it takes in what is read now
 */
export function readHistory(
  given: string,
  within = Number.POSITIVE_INFINITY,
  already: AlreadyRead = nothingRead(),
): History {
  const until = performance.now() + within
  const folder = realFolder(given)
  const { clauses } = already
  const entries = new Map<string, Entry>()
  const unreadable: Unreadable[] = []
  let unread = 0
  // The newest run provides the facts about clauses.
  let isNewest = true
  for (const id of runNames(folder)) {
    const file = linkOf(join(folder, id, RUN_FILES.record))
    if (file === undefined) {
      const why = whyNoRecord(join(folder, id))
      if (why !== undefined) unreadable.push({ id, why })
      continue
    }
    const state = `${file.size} ${file.mtimeMs}`
    let entry = already.entries.get(id)
    if (entry?.state !== state) {
      if (performance.now() > until) {
        unread++
        continue
      }
      entry = { state, ...read(folder, id, clauses, isNewest) }
    }
    isNewest &&= entry.kept === undefined
    entries.set(id, entry)
    if (entry.why !== undefined) unreadable.push({ id, why: entry.why })
  }
  already.entries = entries
  const runs = [...entries].flatMap(([id, { kept }]) =>
    kept === undefined ? [] : [{ ...kept, id, attested: hasFile(join(folder, id), ATTESTATION) }],
  )
  return { folder, judged: arrange(runs), unreadable, unread, clauses }
}

/**
 * Opens one run of a folder by its name.
 * @throws {RunNotReadable} if the name is invalid, a link is involved, or the run cannot be read
 */
export const openRunOf = async (given: string, id: string): Promise<StoredRun> =>
  readRun(runFolder(realFolder(given), id))

/** Returns the folder of a run. @throws {RunNotReadable} as `openRunOf` does, except for its record */
function runFolder(folder: string, id: string): string {
  const dir = join(folder, id)
  if (!RUN_NAME.test(id) || linkOf(dir)?.isDirectory() !== true)
    throw new RunNotReadable(`There is no run ${JSON.stringify(id)} in ${folder}: name the folder of one.`)
  for (const name of [RUN_FILES.record, RUN_FILES.exchanges, ATTESTATION]) {
    if (linkOf(join(dir, name))?.isFile() === false)
      throw new RunNotReadable(`${join(dir, name)} is a link or not a file, and is not read: remove it.`)
  }
  return dir
}

function read(folder: string, id: string, table: ClauseTable, isNewest: boolean): Omit<Entry, 'state'> {
  try {
    return { kept: keep(readPartOf(runFolder(folder, id), summarizedSchema, UNMEASURED), table, isNewest) }
  } catch (error) {
    // A site may be shown to others, who should not see the paths of this machine.
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

/** Returns the names of folders that may be runs, the last names first, without links. */
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

/** Returns what is at a path, and of a link the link; `undefined` if nothing is, or it may not be looked at. */
function linkOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

const hasFile = (dir: string, name: string): boolean => linkOf(join(dir, name))?.isFile() === true

/** Returns why a folder has no record; `undefined` if it is not the folder of a run. */
function whyNoRecord(dir: string): string | undefined {
  if (namesIn(dir) === undefined) return 'it could not be read'
  const isRun = hasFile(dir, 'run.json') && !hasFile(dir, 'prove.json')
  return isRun ? 'it has no record: it is still running, or was killed before its end' : undefined
}
