import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LARGEST, readFileOf } from '../../fixtures/read-file.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/read-json.ts'
import { type Plan, SCENARIOS } from '../plan/plan.ts'
import { UnreadableOutput } from './lines.ts'

/** The output of one k6 process. */
export interface ProcessOutput {
  samples: string
  /** Absent if none was kept. */
  log?: string
  plan: Plan
}

const SAMPLES = /^(|.*[.-])samples\.csv(?:\.gz)?$/

/**
 * Finds the output of k6 processes in named files and, at any depth, in named folders. The samples of a process are
 * in `samples.csv` or a name that ends so (`pod-1.samples.csv`), possibly packed (`.gz`). Its answer log has the
 * same name with `answers` for `samples`. Its plan is `plan.json` in that folder or its parent.
 * @throws UnreadableOutput if there is nothing, something is named twice, or a plan is missing
 */
export function findOutputs(inputs: readonly string[]): ProcessOutput[] {
  const files = inputs.flatMap(samplesIn)
  const seen = new Set<string>()
  for (const file of files) {
    const real = realpathSync(file)
    if (seen.has(real))
      throw new UnreadableOutput(`${file} is named more than once: its requests would count twice.`)
    seen.add(real)
  }
  return files.map(samples => {
    const log = logOf(samples)
    return { samples, ...(log === undefined ? {} : { log }), plan: planOf(samples) }
  })
}

function samplesIn(input: string): string[] {
  if (!existsSync(input))
    throw new UnreadableOutput(`${input} is not there: name samples.csv of a k6 process, or a folder.`)
  if (!statSync(input).isDirectory()) return [input]
  const files = (readdirSync(input, { recursive: true, encoding: 'utf8' }) as string[])
    .filter(name => SAMPLES.test(basename(name)))
    .map(name => join(input, name))
    .sort()
  if (files.length > 0) return files
  throw new UnreadableOutput(
    `There is no samples.csv in ${input}: name a folder that k6 wrote to with --out csv.`,
  )
}

function logOf(samples: string): string | undefined {
  const prefix = SAMPLES.exec(basename(samples))?.[1]
  if (prefix === undefined) return undefined
  const log = join(dirname(samples), `${prefix}answers.ndjson`)
  return [log, `${log}.gz`].find(path => existsSync(path))
}

function planOf(samples: string): Plan {
  const folder = dirname(samples)
  const path = [join(folder, 'plan.json'), join(folder, '..', 'plan.json')].find(path => existsSync(path))
  if (path === undefined) {
    throw new UnreadableOutput(
      `There is no plan.json beside ${samples} or in the folder above: put the plan that its k6 was given there.`,
    )
  }
  const refusal = new UnreadableOutput(
    `${path} is not the plan of a load run: put the one there that k6 was given.`,
  )
  const plan = jsonIn(
    readFileOf(path, LARGEST.record, () => refusal),
    OF_ANY_LENGTH,
  )
  if (isPlan(plan)) return plan
  throw refusal
}

function isPlan(json: unknown): json is Plan {
  if (typeof json !== 'object' || json === null) return false
  const plan: Partial<Plan> = json
  return (
    SCENARIOS.some(scenario => scenario === plan.scenario) &&
    [plan.stage, plan.baseUrl, plan.nonce].every(text => typeof text === 'string') &&
    Array.isArray(plan.senders) &&
    typeof plan.settings === 'object'
  )
}
