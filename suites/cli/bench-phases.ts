import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of a V8 CPU profile that are read here. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  samples: number[]
  /** In microseconds. */
  timeDeltas: number[]
}

/** How one thread spent its time. */
export interface ThreadTime {
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
export function timeByPhase(folder: string): ThreadTime[] {
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
