import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A CPU profile as V8 writes it, as far as it is read here. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  samples: number[]
  /** Microseconds. */
  timeDeltas: number[]
}

/** Where the time of one thread went. */
export interface ThreadTime {
  thread: string
  /** Milliseconds by phase, the most first; without those in which it waited. */
  phases: [phase: string, milliseconds: number][]
  /** Milliseconds in which it did something. */
  busy: number
}

/** Phases by the sources that belong to them: the innermost frame that belongs to any decides. */
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

/** Threads of a run by what only they load. */
const THREADS: readonly [thread: string, source: RegExp][] = [
  ['command', /\/suites\/cli\/main\.ts/],
  ['worker', /\/fixtures\/check\/worker\.ts/],
  ['embedded deployment', /\/fixtures\/reference\/server\.ts/],
]

/** Reads the CPU profiles of a run, one a thread. */
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

/** The phase of each node: its own, else that of whoever called it. */
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
