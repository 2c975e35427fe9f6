import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../plan/plan.ts'
import { RAW } from '../run/k6-process.ts'
import { TSS } from './arena.ts'
import { clocked, printedBy } from './clocked.ts'

/** What came of one whole `tss load`. */
export interface Whole {
  /** Seconds from when k6 had ended to the end of the command: everything read, judged and reported. */
  judging: number
  requests: { sent: number; counted: number; judged: number }
  journeys: number
  /** What k6 was told. */
  plan: Plan
}

/**
 * Runs `tss load` with the journey mix as anybody would, on an embedded deployment of its own.
 *
 * @param folder for what it leaves
 * @throws Error with its last words, when it did not come to a verdict
 */
export async function wholeLoad(
  k6: string,
  { rate, seconds }: { rate: number; seconds: number },
  folder: string,
): Promise<Whole> {
  mkdirSync(folder)
  const program = clocked([k6], folder)
  const out = join(folder, 'out')
  const setting = ['--profile', 'ci', '--set', `rate=${rate},duration=${seconds}`]
  const words = await printedBy(
    process.execPath,
    [
      TSS,
      'load',
      '--deployment',
      'embedded',
      '--scenario',
      'journey-mix',
      ...setting,
      '--keep-raw',
      '--out',
      out,
    ],
    { cwd: folder, env: { ...process.env, K6_BIN: program.path } },
    // What it found is judged elsewhere.
    [0, 1],
  )
  const judging = (Date.now() - program.endedAt()) / 1000
  const run = join(out, readdirSync(out)[0]!)
  const { load } = JSON.parse(readFileSync(join(run, 'record.json'), 'utf8'))
  const scenario = load?.scenarios[0]
  if (scenario === undefined) throw new Error(`tss load put nothing on: ${words}`)
  return {
    judging,
    requests: scenario.requests,
    journeys: scenario.iterations.completed,
    plan: JSON.parse(readFileSync(join(run, 'raw/journey-mix/journey-mix', RAW.plan), 'utf8')),
  }
}
