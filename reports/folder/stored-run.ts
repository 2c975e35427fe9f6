import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { DEFAULT_OUT } from '../../fixtures/run/run-folder.ts'
import { RunNotReadable, readRun, type StoredRun } from './read.ts'

/**
 * Reads the wanted run, or else the newest finished one under `reports/out`; `undefined` if there is none.
 * @throws {RunNotReadable} if the folder has no run
 */
export async function openRun(wanted: string | undefined): Promise<StoredRun | undefined> {
  if (wanted !== undefined) return readRun(resolve(wanted))
  for (const name of runsNewestFirst()) {
    try {
      return await readRun(resolve(DEFAULT_OUT, name))
    } catch (error) {
      // A proof or a killed run has no record.
      if (!(error instanceof RunNotReadable)) throw error
    }
  }
  return undefined
}

function runsNewestFirst(): string[] {
  try {
    return readdirSync(DEFAULT_OUT).sort().reverse()
  } catch {
    return []
  }
}
