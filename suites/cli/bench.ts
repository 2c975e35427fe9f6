import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { httpControl } from '../../fixtures/deployments/control/index.ts'
import { recordSchema } from '../../fixtures/ground/record.ts'
import { launchReference } from '../../fixtures/reference/thread.ts'
import { root } from '../../fixtures/run/kit.ts'
import { wholeNumber } from './arguments.ts'

/** The parts of a V8 CPU profile that are read here. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  samples: number[]
  /** In microseconds. */
  timeDeltas: number[]
}

/** How one thread spent its time. */
interface ThreadTime {
  thread: string
  /** Milliseconds by phase, the longest first, without waiting. */
  phases: [phase: string, milliseconds: number][]
  /** Milliseconds in which the thread was not idle. */
  busy: number
}

/** The source files of each phase. The innermost frame that belongs to a phase decides. */
const PHASES: readonly [phase: string, sources: RegExp][] = [
  ['loading modules', /^node:internal\/(modules|deps\/amaro)|^wasm:.*00ad0bc6/],
  ['passive rules', /\/fixtures\/(checkers|contracts|service\/contracts)\//],
  ['redaction, writing exchanges', /\/fixtures\/(secrets|output)\/|\/fixtures\/client\/(recorder|redact)/],
  ['sending and receiving', /\/node_modules\/undici\/|\/fixtures\/(client|service)\//],
  [
    'embedded deployment',
    /\/fixtures\/(reference|deviants)\/|\/node_modules\/(fastify|find-my-way|pdfkit)\//,
  ],
  ['engine and command line', /\/fixtures\/(run|deployments)\/|\/suites\/cli\//],
  ['checks', /\/suites\/|\/fixtures\//],
  ['test runner', /\/node_modules\/(vitest|@vitest|vite|chai|tinyrainbow)\//],
  ['reports', /\/reports\//],
]

/** Threads, identified by a module that only they load. */
const THREADS: readonly [thread: string, source: RegExp][] = [
  ['command', /\/suites\/cli\/main\.ts/],
  ['worker', /\/fixtures\/check\/worker\.ts/],
  ['embedded deployment', /\/fixtures\/reference\/server\.ts/],
]

/** Reads the CPU profiles of a run, one for each thread. */
function timeByPhase(folder: string): ThreadTime[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.cpuprofile'))
    .map(name => timeOf(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile))
}

function timeOf({ nodes, samples, timeDeltas }: Profile): ThreadTime {
  const urls = nodes.map(({ callFrame }) => callFrame.url)
  const thread = THREADS.find(([, source]) => urls.some(url => source.test(url)))?.[0] ?? 'other thread'
  const phases = phasesOf(nodes)
  const times = new Map<string, number>()
  for (const [at, sample] of samples.entries()) {
    const phase = phases.get(sample) ?? 'rest'
    times.set(phase, (times.get(phase) ?? 0) + timeDeltas[at]! / 1000)
  }
  times.delete('waiting')
  const sorted = [...times].sort(([, one], [, other]) => other - one)
  return { thread, phases: sorted, busy: sorted.reduce((sum, [, time]) => sum + time, 0) }
}

/** Returns the phase of each node: its own, or else that of its caller. */
function phasesOf(nodes: Profile['nodes']): Map<number, string> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const phases = new Map<number, string>()
  const waiting: [id: number, outer: string][] = [[nodes[0]!.id, 'rest']]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [id, outer] = next
    const { callFrame, children = [] } = byId.get(id)!
    const phase = ownPhase(callFrame) ?? outer
    phases.set(id, phase)
    for (const child of children) waiting.push([child, phase])
  }
  return phases
}

function ownPhase({ functionName, url }: Profile['nodes'][number]['callFrame']): string | undefined {
  if (functionName === '(idle)') return 'waiting'
  if (functionName === '(garbage collector)') return 'garbage collection'
  return PHASES.find(([, sources]) => sources.test(url))?.[0]
}

const options = new Command('npm run bench --')
  .description('Prints what a certification costs, by phase and by thread. Asserts nothing.')
  .option('--runs <n>', 'how often it is run', wholeNumber(1), 5)
  .option('--paced', 'also the run at the documented pace, which takes a minute or two of real time')
  .option('--profiles <folder>', 'keep the CPU profiles of one more run, for an editor or a browser to open')
  .parse()
  .opts<{ runs: number; paced?: true; profiles?: string }>()

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
const line = (what: string, figure: string) => console.log(`${what.padEnd(58)} ${figure}`)

const folder = mkdtempSync(join(tmpdir(), 'tss-bench-'))

/** Runs `travel-sales certify` in its own process; returns its wall time and its record. */
function certify(environment: NodeJS.ProcessEnv, ...flags: string[]) {
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'suites/cli/tss.js'), 'certify', '--json', '--out', folder, ...flags],
    { env: { ...process.env, ...environment }, encoding: 'utf8', cwd: folder, maxBuffer: 2 ** 28 },
  )
  const wall = Date.now() - started
  if (status !== 0) throw new Error(`certify ended with ${status}: ${stderr.slice(-2000)}`)
  const { run } = JSON.parse(stdout) as { run: string }
  const record = recordSchema.parse(JSON.parse(readFileSync(join(folder, run, 'record.json'), 'utf8')))
  return { started, wall, record, run }
}

/** Returns when the first request was sent and the last answer arrived, in epoch milliseconds. */
function wireOf(run: string) {
  const spans = readFileSync(join(folder, run, 'exchanges.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(text => JSON.parse(text) as { startedAt: string; milliseconds: number })
  const starts = spans.map(({ startedAt }) => Date.parse(startedAt))
  const first = Math.min(...starts)
  const last = Math.max(...spans.map(({ milliseconds }, at) => starts[at]! + milliseconds))
  return { first, last }
}

/** Prints how a run spends its time: by the clock, and on the processor by thread, from the profiles of one more run. */
function tellPhases(full: readonly ReturnType<typeof certify>[]): void {
  const spans = full.map(({ run, started, wall }) => ({ ...wireOf(run), started, ended: started + wall }))
  console.log('\nby the clock, medians')
  line('  start to first request', seconds(median(spans.map(({ started, first }) => first - started))))
  line('  first request to last answer', seconds(median(spans.map(({ first, last }) => last - first))))
  line('  last answer to end', seconds(median(spans.map(({ last, ended }) => ended - last))))
  const profiles = resolve(options.profiles ?? join(folder, 'profiles'))
  certify(
    { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${profiles}` },
    '--deployment',
    'embedded',
  )
  const threads = timeByPhase(profiles)
  line('  processor, all threads, profiled', seconds(threads.reduce((sum, { busy }) => sum + busy, 0)))
  for (const { thread, phases, busy } of threads) {
    console.log(`\nbusy: ${thread}, ${seconds(busy)} (profiled)`)
    for (const [phase, time] of phases) if (time >= 20) line(`  ${phase}`, seconds(time))
  }
}

/** Runs at the documented pace on one credential without control, as a partner would. */
async function runPaced(): Promise<void> {
  const reference = await launchReference()
  const control = httpControl(reference.controlUrl)
  const { token } = await control.mint!({})
  const perMinute = 480
  const { wall, record } = certify(
    {
      TSS_BASE_URL: reference.baseUrl,
      TSS_TOKEN: token,
      TSS_PER_MINUTE: String(perMinute),
      TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
    },
    '--deployment',
    'env',
  )
  await reference.stop()
  // Each version has its own limit.
  const { v1, v2 } = record.requests
  const bound = (Math.max(v1, v2) / perMinute) * 60_000
  line('paced, one credential, no control: requests on v1 and v2', `${v1} and ${v2}`)
  line('paced: requests ÷ limit', seconds(bound))
  line('paced: start to verdict', seconds(wall))
  line('paced: time ÷ bound (aim: 1.1 or less)', (wall / bound).toFixed(2))
}

try {
  const full = Array.from({ length: options.runs }, () => certify({}, '--deployment', 'embedded'))
  const requests = full.map(({ record }) => record.requests.v1 + record.requests.v2)
  line('full certification of the embedded deployment: requests', `${median(requests)}`)
  line('start to verdict, median', seconds(median(full.map(({ wall }) => wall))))
  tellPhases(full)
  if (options.paced) await runPaced()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
