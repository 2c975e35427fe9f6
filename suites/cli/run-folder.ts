import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeJsonNow } from '../../fixtures/output/files.ts'
import { incomplete, wrongCall } from './failure.ts'

/** Folder in which a command makes the folder of its run, unless told otherwise. */
export const DEFAULT_OUT = 'reports/out'

/** Says whose run a folder holds, and whether it goes on. */
const NOTE = 'run.json'

interface RunNote {
  pid: number
  /** Address of the definition. */
  definition: string
  over: boolean
}

/** The folder of one run. Each run has its own, so that runs at the same time never meet. */
export interface RunFolder {
  /** Name of the run. */
  run: string
  path: string
  /** Marks the run as over. */
  release(): void
}

/**
 * Makes a folder for a run: `<out>/<time>-<seed>`. Making it is what claims it, so two runs that start in the same
 * second with the same seed still get one each.
 *
 * @param definition its address, for whoever has to clean up behind the run
 * @throws {Failure} when it cannot be made or written to
 */
export function makeRunFolder(out: string, seed: number, definition: string, now: Date): RunFolder {
  const parent = resolve(out)
  const name = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}-${seed}`
  try {
    mkdirSync(parent, { recursive: true })
    const run = claim(parent, name)
    const path = join(parent, run)
    const note: RunNote = { pid: process.pid, definition, over: false }
    const write = () => writeJsonNow(join(path, NOTE), note)
    write()
    return {
      run,
      path,
      release() {
        note.over = true
        write()
      },
    }
  } catch (error) {
    throw wrongCall(
      `The folder of the run could not be made in ${parent} (${codeOf(error)}): give a folder that can be written to with --out.`,
      { cause: error },
    )
  }
}

function claim(parent: string, name: string): string {
  for (let copy = 1; ; copy++) {
    const run = copy === 1 ? name : `${name}-${copy}`
    try {
      mkdirSync(join(parent, run))
      return run
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * The address of the definition that a run used; `undefined` in a folder that does not say.
 *
 * @throws {Failure} when the run still goes on
 */
export function definitionOfRun(path: string): string | undefined {
  let note: Partial<RunNote>
  try {
    note = JSON.parse(readFileSync(join(path, NOTE), 'utf8'))
  } catch {
    return undefined
  }
  const { pid, over, definition } = note
  if (over === false && pid !== undefined && pid !== process.pid && alive(pid)) {
    throw wrongCall(
      `The run in ${path} is still going on (process ${pid}): wait for its end, or interrupt it first.`,
    )
  }
  return definition
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Says what a failed write means for the reader. */
export function notWritten(path: string, error: unknown): Error {
  return incomplete(
    `The results could not be written to ${path} (${codeOf(error)}): free some space or give another folder with --out.`,
    {
      cause: error,
    },
  )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error))
}
