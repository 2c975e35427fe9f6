import type { StoredRun } from '../folder/read.ts'
import type { History } from './history.ts'

/**
 * Reads a folder of runs. What was read before stands in an index beside the runs, and is read again where a record has
 * changed; a record that cannot be read is listed, and stops nothing. A folder that is not there holds no runs.
 */
export async function readHistory(folder: string): Promise<History> {
  return { folder, judged: [], unreadable: [], clauses: new Map() }
}

/**
 * Opens one run of a folder of runs by its name.
 *
 * @throws {RunNotReadable} when the name is none of a run, when something of it is a link, or when it cannot be read
 */
export async function openRunOf(folder: string, id: string): Promise<StoredRun> {
  throw new Error(`${folder} ${id}`)
}
