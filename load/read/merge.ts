import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { productIds } from '../../fixtures/ground/products.ts'
import { LARGEST, namesIn, readFileOf } from '../../fixtures/ground/read-file.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/ground/read-json.ts'
import { k6VersionIn } from '../k6/inspect.ts'
import { type Circumstances, type Plan, SCENARIOS, type ScenarioName } from '../plan/plan.ts'
import { type StageEvidence, sumOf } from './evidence.ts'
import { Allowance, MOST_KEPT, UnreadableOutput } from './lines.ts'
import { inOrder, readSamples, type Samples } from './samples.ts'

/** The output of one k6 process. */
interface ProcessOutput {
  samples: string
  /** Absent if none was kept. */
  log?: string
  plan: Plan
  /** The version of its k6; `unknown` if nothing says it. */
  k6: string
}

/** The name of the file with what `k6 version` says. */
export const VERSION_FILE = 'k6.txt'

const SAMPLES = /^(|.*[.-])samples\.csv(?:\.gz)?$/

/**
 * Finds the output of k6 processes in named files and, at any depth, in named folders. The samples of a process are
 * in `samples.csv` or a name that ends so (`pod-1.samples.csv`), possibly packed (`.gz`). Its answer log has the
 * same name with `answers` for `samples`. Its plan is `plan.json` in that folder or its parent, and what `k6 version` says is in
 * `k6.txt` there.
 * @throws UnreadableOutput if there is nothing, something is named twice, or a plan is missing
 */
function findOutputs(inputs: readonly string[]): ProcessOutput[] {
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
    return { samples, ...(log === undefined ? {} : { log }), plan: planOf(samples), k6: k6Of(samples) }
  })
}

function samplesIn(input: string): string[] {
  if (!existsSync(input))
    throw new UnreadableOutput(`${input} is not there: name samples.csv of a k6 process, or a folder.`)
  if (!statSync(input).isDirectory()) return [input]
  const names = namesIn(input, true)
  if (names === undefined)
    throw new UnreadableOutput(`${input}, or a folder in it, cannot be read: look at who may.`)
  const files = names
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

/** Returns the path of a file in the folder of samples, or in the folder above. */
function besideOrAbove(samples: string, name: string): string | undefined {
  const folder = dirname(samples)
  return [join(folder, name), join(folder, '..', name)].find(path => existsSync(path))
}

function k6Of(samples: string): string {
  const path = besideOrAbove(samples, VERSION_FILE)
  if (path === undefined) return 'unknown'
  const refuse = () => new UnreadableOutput(`${path} cannot be read: write into it what k6 version says.`)
  return k6VersionIn(readFileOf(path, LARGEST.small, refuse)) ?? 'unknown'
}

function planOf(samples: string): Plan {
  const path = besideOrAbove(samples, 'plan.json')
  if (path === undefined) {
    throw new UnreadableOutput(
      `There is no plan.json beside ${samples} or in the folder above: put the plan that its k6 was given there.`,
    )
  }
  const refusal = new UnreadableOutput(
    `${path} is not the plan of a load run: put the one there that k6 was given.`,
  )
  const json = jsonIn(
    readFileOf(path, LARGEST.small, () => refusal),
    OF_ANY_LENGTH,
  )
  if (planSchema.safeParse(json).success) return json as Plan
  throw refusal
}

/** The parts of a plan that judges and reports use. */
const planSchema = z.object({
  scenario: z.enum(SCENARIOS),
  stage: z.string(),
  baseUrl: z.url({ protocol: /^https?$/ }),
  nonce: z.string(),
  settings: z.record(z.string(), z.number()),
  senders: z.array(
    z.object({
      alias: z.string(),
      role: z.string(),
      tenant: z.string().optional(),
      colleagueOf: z.string().optional(),
      product: z.enum(productIds).optional(),
    }),
  ),
  products: z.array(z.enum(productIds)),
  shapes: z.object({ probes: z.object({}), asks: z.object({}) }),
  intendedRate: z.number().optional(),
})

/** Merges samples: sorts them by time and adds their counts. */
function mergeSamples(list: readonly Samples[]): Samples {
  const named = Map.groupBy(
    list.flatMap(({ measures }) => [...measures]),
    ([name]) => name,
  )
  const spans = list.map(({ span }) => span).filter(span => span !== null)
  const merged = {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  }
  return inOrder({
    requests: list.flatMap(({ requests }) => requests),
    measures: new Map([...named].map(([name, parts]) => [name, parts.flatMap(([, values]) => values)])),
    iterations: sumOf(list),
    span: spans.length === 0 ? null : merged,
    torn: list.flatMap(({ torn }) => torn),
  })
}

/** A scenario that was merged from raw outputs, for its judge. */
export interface MergedScenario extends Circumstances {
  scenario: ScenarioName
  /** In order of their start; without exchanges and failures, which are in the logs. */
  stages: Map<string, StageEvidence>
  /** The answer logs of each stage (see `readAnswerLog`), if any were kept. */
  logs: Map<string, string[]>
  /** The versions of k6 that sent it. */
  k6: string[]
  /** Notices for readers of the figures: processes that started far apart, truncated output. */
  notices: string[]
}

/**
 * Merges the measurements of several k6 processes of one run by scenario and stage. Times are those of each
 * machine, without correction.
 *
 * @param inputs raw outputs, or folders of them at any depth (see `findOutputs`), such as the folder of a load run
 * @throws UnreadableOutput if something cannot be read, has no request, or the plans differ
 */
export async function mergeRuns(inputs: readonly string[]): Promise<MergedScenario[]> {
  const byStage = Map.groupBy(findOutputs(inputs), ({ plan }) => JSON.stringify([plan.scenario, plan.stage]))
  const stages: MergedStage[] = []
  const allowance = new Allowance(MOST_KEPT.samples)
  for (const outputs of byStage.values()) stages.push(await mergeStage(outputs, allowance))
  stages.sort((a, b) => a.evidence.startedAt - b.evidence.startedAt)
  return [...Map.groupBy(stages, ({ evidence }) => evidence.plan.scenario)].map(scenarioOf)
}

interface MergedStage {
  evidence: StageEvidence
  logs: string[]
  k6: string[]
  notices: string[]
}

function scenarioOf([scenario, stages]: [ScenarioName, MergedStage[]]): MergedScenario {
  // Only the last stages of a scenario depend on the speed of the clock, and only their plans contain it.
  const { settings } = stages.at(-1)!.evidence.plan
  const named = <Of>(pick: (stage: MergedStage) => Of): Map<string, Of> =>
    new Map(stages.map(stage => [stage.evidence.plan.stage, pick(stage)]))
  return {
    scenario,
    stages: named(({ evidence }) => evidence),
    logs: named(({ logs }) => logs),
    k6: stages.flatMap(({ k6 }) => k6),
    notices: stages.flatMap(({ notices }) => notices),
    settings,
    minted: stages.every(({ evidence }) => evidence.plan.senders.every(({ tenant }) => tenant !== undefined)),
    timeScale: settings.speed ?? 1,
  }
}

async function mergeStage(outputs: readonly ProcessOutput[], allowance: Allowance): Promise<MergedStage> {
  const plan = commonPlan(outputs)
  const read: Samples[] = []
  for (const { samples } of outputs) read.push(await readSamples(samples, allowance))
  const { requests, measures, iterations, span } = mergeSamples(read)
  if (span === null) {
    throw new UnreadableOutput(
      `${outputs[0]!.samples} holds no request, and neither does any other output of ${plan.scenario}, ${plan.stage}: there is nothing to judge.`,
    )
  }
  return {
    evidence: {
      plan,
      startedAt: span.from,
      finishedAt: span.to,
      requests,
      measures,
      iterations,
      exchanges: [],
      failures: [],
      vitals: [],
    },
    logs: outputs.flatMap(({ log }) => (log === undefined ? [] : [log])),
    k6: outputs.map(({ k6 }) => k6),
    notices: noticesOf(plan, outputs, read),
  }
}

/** Returns the common plan. The booking gate differs by machine. */
function commonPlan(outputs: readonly ProcessOutput[]): Plan {
  const [first, ...others] = outputs as [ProcessOutput, ...ProcessOutput[]]
  const told = (plan: Plan) => JSON.stringify({ ...plan, gate: undefined })
  const other = others.find(({ plan }) => told(plan) !== told(first.plan))
  if (other === undefined) return first.plan
  throw new UnreadableOutput(
    `${other.samples} and ${first.samples} are of the same stage (${first.plan.scenario}, ${first.plan.stage}) with different plans: merge what the processes of one run left.`,
  )
}

/** The maximum time between the starts of processes that are started together, in milliseconds. */
const TOGETHER = 10_000

function noticesOf(
  { scenario, stage }: Plan,
  outputs: readonly ProcessOutput[],
  read: readonly Samples[],
): string[] {
  const torn = read
    .flatMap(({ torn }) => torn)
    .map(path => `${path} was cut off: its k6 was killed, so that requests may be missing.`)
  const silent = outputs
    .filter((_, index) => read[index]!.span === null)
    .map(({ samples }) => `${samples} holds no request.`)
  const apart = beganApart(read)
  return [
    ...torn,
    ...silent,
    ...(apart !== undefined
      ? [
          `The processes of ${scenario}, ${stage}, began ${Math.round(apart / 1000)} seconds apart: their clocks differ, or they did not run together, so figures over time are misleading.`,
        ]
      : []),
  ]
}

/**
 * Returns the milliseconds between the first and the last start, if that is more than a slow process takes for its
 * first iteration.
 */
function beganApart(read: readonly Samples[]): number | undefined {
  const begun = read.flatMap(({ span, iterations }) =>
    span === null ? [] : [{ ...span, turn: (span.to - span.from) / Math.max(1, iterations.completed) }],
  )
  const times = begun.map(({ from }) => from)
  const apart = Math.max(...times) - Math.min(...times)
  return apart - Math.max(...begun.map(({ turn }) => turn)) > TOGETHER ? apart : undefined
}
