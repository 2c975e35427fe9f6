import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Control } from '../../fixtures/control.ts'
import { launch } from '../../fixtures/deployments/embedded.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import { aboveZero, script } from '../../fixtures/output/script.ts'
import { findK6 } from '../k6/index.ts'
import { type Figures, ourMix, type Pace, plainK6, type Task } from './tools.ts'

const options = script(
  'bench:load',
  'Measures what judging every answer costs: alternates the journey mix and a plain k6 script with the same journeys on the embedded deployment. Asserts nothing.',
)
  .option('--runs <n>', 'rounds', aboveZero, 5)
  .option('--rate <n>', 'journeys a second', aboveZero, 25)
  .option('--seconds <n>', 'how long journeys are made at that rate', aboveZero, 6)
  .option('--ceiling <n>', 'seconds of load without a rate', aboveZero, 4)
  .parse()
  .opts<{ runs: number; rate: number; seconds: number; ceiling: number }>()
/** The number of clients without a rate; there are at least as many credentials. */
const CLIENTS = 96
/** The requests per credential and run. The limit is 500 a minute in each version. */
const EACH = 400
/** A rate per second that no tool reaches. */
const MOST = 8000

const TOOLS: Record<string, (task: Task) => Promise<Figures>> = {
  'our mix': ourMix,
  'a tenth judged': task => ourMix(task, 0.1),
  'plain k6': plainK6,
}
const PACES: Record<string, Pace> = {
  [`${options.rate} journeys/s for ${options.seconds} s`]: {
    clients: CLIENTS,
    rate: options.rate,
    seconds: options.seconds,
  },
  [`${CLIENTS} clients without a rate for ${options.ceiling} s`]: {
    clients: CLIENTS,
    seconds: options.ceiling,
  },
}

/** The figures of a run, and the difference between the requests sent and those that the deployment counted. */
interface Run extends Figures {
  difference: number
}

const ROWS: Record<string, (run: Run) => number> = {
  'sent, less those that the deployment counted': ({ difference }) => difference,
  'requests/s': ({ sent, seconds }) => sent / seconds,
  'journeys/s': ({ journeys, seconds }) => journeys / seconds,
  'latency, p50 ms': ({ p50 }) => p50,
  'latency, p99 ms': ({ p99 }) => p99,
  'processor s for 10,000 requests': ({ cost, sent }) => (cost / sent) * 10_000,
}

const folder = mkdtempSync(join(tmpdir(), 'tss-bench-load-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const { path: k6, version } = await findK6({ onProgress: text => console.error(text) })
const { values, stop } = await launch()
const control = httpControl(values.controlUrl) as Required<Control>

async function run(tool: (typeof TOOLS)[string], pace: Pace): Promise<Run> {
  const companies = Math.ceil((MOST * pace.seconds) / EACH / CLIENTS) * CLIENTS
  const tenants = await Promise.all(Array.from({ length: companies }, () => control.mint({})))
  const nonce = randomBytes(6).toString('hex')
  const dir = join(folder, nonce)
  mkdirSync(dir)
  const figures = await tool({ k6, baseUrl: values.baseUrl, tenants, nonce, dir, pace })
  const counters = await Promise.all(tenants.map(({ tenant }) => control.counters(tenant)))
  const counted = counters.reduce((sum, { requests }) => sum + requests.v1 + requests.v2, 0)
  return { ...figures, difference: figures.sent - counted }
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

console.log(
  `k6 ${version}, Node ${process.version}, ${cpus().length} cores; medians of ${options.runs} rounds`,
)
try {
  for (const [title, pace] of Object.entries(PACES)) {
    const runs = new Map(Object.keys(TOOLS).map(name => [name, [] as Run[]]))
    for (let round = 0; round < options.runs; round++)
      for (const [name, tool] of Object.entries(TOOLS)) runs.get(name)!.push(await run(tool, pace))
    console.log(`\n${title.padEnd(48)}${[...runs.keys()].map(name => name.padEnd(16)).join('')}`)
    for (const [label, of] of Object.entries(ROWS)) {
      const cells = [...runs.values()].map(all => median(all.map(of)).toFixed(1).padEnd(16))
      console.log(`${label.padEnd(48)}${cells.join('')}`)
    }
    // Per round, since other load on the machine affects all runs of it.
    const rates = (name: string) => runs.get(name)!.map(({ sent, seconds }) => sent / seconds)
    const plain = rates('plain k6')
    const ratio = (name: string) => median(rates(name).map((rate, round) => rate / plain[round]!))
    const ratios = [...runs.keys()].map(name => ratio(name).toFixed(2).padEnd(16))
    console.log(`${'requests/s, of those of plain k6'.padEnd(48)}${ratios.join('')}`)
  }
} finally {
  await stop()
}
