import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import type {
  CallFigures,
  LoadRecord,
  Plot,
  Quantiles,
  ScenarioFigures,
} from '../../fixtures/ground/record-load.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { assemble } from '../judge/assemble.ts'
import type { RunInput } from '../judge/run-input.ts'
import { checkOf } from './checks.ts'
import { exampleInput, HOSTILE } from './example.ts'

const limits = { part: '8', area: 'http', level: 'must', side: 'server' } as const

const catalogue: RunInput['catalogue'] = {
  ...exampleInput.catalogue,
  'RATE-LIMIT-ALLOWED': { ...limits, says: 'A credential MUST get 500 requests a minute on each version.' },
  'RATE-LIMIT-RETRY-AFTER': { ...limits, says: 'An answer 429 MUST say Retry-After: 60.' },
}

const check = (
  scenario: string,
  title: string,
  clauses: string[],
  report: Partial<CheckReport> = {},
): CollectedCheck =>
  checkOf(
    `load/scenarios/${scenario}.ts > ${scenario} > ${title}`,
    clauses,
    { requests: { v1: 0, v2: 40 }, ...report },
    { milliseconds: 1_240 },
  )

const allowed = check('rate-limit-burst', 'exactly the documented number passes in a window', [
  'RATE-LIMIT-ALLOWED',
])
const retry = check('rate-limit-burst', 'every 429 says when to come back', ['RATE-LIMIT-RETRY-AFTER'], {
  findings: [
    {
      clause: 'RATE-LIMIT-RETRY-AFTER',
      message: '520 requests at once: expected Retry-After: 60 on each of 20 answers 429, 3 had none',
      expected: 'Retry-After: 60',
      observed: 'no Retry-After',
      source: 'check',
      check: 'load/scenarios/rate-limit-burst.ts > rate-limit-burst > every 429 says when to come back',
      exchanges: ['a4'],
    },
  ],
})
const once = check('booking-contention', 'one key makes one booking', ['V2-IDEM-REPLAY'])
const waiting = check('search-polling', 'a search only grows', ['V1-HOTEL-SEARCH-FINISH'], {
  exercised: [],
  stopped: { verdict: 'not exercised', reason: 'the definition does not offer v1-hotels' },
})

/** Quantiles as the latencies of an answer tend to lie around its median. */
const around = (median: number): Quantiles => ({
  min: median * 0.61,
  mean: median * 1.12,
  p50: median,
  p90: median * 1.9,
  p95: median * 2.42,
  p99: median * 4.07,
  max: median * 7.3,
})

const call = (op: string, sent: number, median: number, more: Partial<CallFigures> = {}): CallFigures => ({
  op,
  sent,
  outcomes: { 200: sent },
  latency: around(median),
  fromSchedule: around(median * 1.04),
  ...more,
})

const lines = (
  title: string,
  y: string,
  series: Record<string, (at: number) => number | null>,
  marks: { x: number; label: string }[],
): Plot => ({
  kind: 'lines',
  title,
  x: 'seconds since the start',
  y,
  series: Object.entries(series).map(([name, value]) => ({
    name,
    points: Array.from({ length: 120 }, (_, at): [number, number | null] => [at, value(at)]),
  })),
  marks,
})

const distribution: Plot = {
  kind: 'bars',
  title: 'How long answers took',
  x: 'milliseconds',
  y: 'requests',
  bars: [3, 41, 390, 1_204, 2_733, 1_871, 804, 233, 61, 12, 0, 2].map((count, at) => ({
    from: Number((1.5 ** at).toPrecision(3)),
    to: Number((1.5 ** (at + 1)).toPrecision(3)),
    count,
  })),
}

const common = {
  profile: 'ci',
  startedAt: '2026-10-01T09:30:00.000Z',
  checks: [] as string[],
  facts: [],
  plots: [],
  iterations: { completed: 750, dropped: 0 },
}

const scenarios: ScenarioFigures[] = [
  {
    ...common,
    name: 'rate-limit-burst',
    seconds: 14.2,
    checks: [allowed.id, retry.id],
    question: 'Does exactly the documented number pass in a window?',
    settings: { burst: 520 },
    requests: { sent: 5_710, counted: 5_710, judged: 5_710 },
    facts: [{ name: 'passed on v2, of 520', value: 500 }],
    calls: [call('v2 probe', 2_855, 2.4, { outcomes: { 200: 2_405, 429: 450 }, fromSchedule: null })],
    plots: [distribution],
  },
  {
    ...common,
    name: 'booking-contention',
    seconds: 25.9,
    checks: [once.id],
    question: 'Does one key ever make two bookings under load?',
    settings: { keys: 2_000 },
    requests: { sent: 8_412, counted: 8_415, judged: 8_412 },
    rate: { intended: 80, achieved: 79.94 },
    calls: [
      call('v2 book', 8_000, 16.2, { outcomes: { 200: 3_480, 201: 2_000, 409: 2_519, 'timeout (1050)': 1 } }),
      call('v2 read booking', 412, 0.74),
    ],
    plots: [
      lines(
        'Latency of v2 book over time',
        'milliseconds',
        { p50: at => 15 + (at % 4), p95: at => (at > 70 && at < 84 ? null : 36 + (at % 14)) },
        [
          { x: 71, label: 'the clock was moved' },
          { x: 84, label: 'it went on' },
        ],
      ),
    ],
  },
  {
    ...common,
    name: 'search-polling',
    seconds: 19.6,
    checks: [waiting.id],
    question: 'How long do searches take, how many polls, do results only grow?',
    settings: { rate: 4 },
    requests: { sent: 0, judged: 0 },
    iterations: { completed: 0, dropped: 0 },
    calls: [],
    plots: [{ kind: 'lines', title: 'Hotels found so far', x: 'seconds', y: 'hotels', series: [] }],
  },
  {
    ...common,
    name: 'breakpoint',
    seconds: 3_725,
    question: 'At which rate do the objectives fail?',
    settings: { from: 5 },
    requests: { sent: 1_204_318, counted: 1_204_318, judged: 12_043 },
    rate: { achieved: 118.4 },
    iterations: { completed: 172_045, dropped: 311 },
    refused:
      '311 iterations were dropped, so latencies would flatter and are not reported: lower --set to=… .',
    facts: [
      { name: 'memory at the end', value: 1_312.4, unit: 'MB' },
      { name: HOSTILE[0], value: HOSTILE[1] },
    ],
    calls: [
      call('v2 search hotels', 172_045, 8.1, { outcomes: { 200: 171_990, 503: 55 } }),
      call('journey', 172_045, 1_834, { outcomes: {}, latency: null, fromSchedule: around(1_834) }),
    ],
    plots: [
      lines(`Memory ${HOSTILE[1]}`, 'bytes', { bytes: at => 480_000_000 + at * 2_800_000 }, [
        { x: 71, label: HOSTILE[0] },
      ]),
    ],
  },
]

/** The figures of a load run: with gaps, marks, hostile texts, and a figure that is refused. */
export const exampleLoad: LoadRecord = { k6: { version: '2.3.0', source: 'go' }, scenarios }

/** The input of the example record of a load run. */
const input: RunInput = {
  ...exampleInput,
  catalogue,
  collected: { ...exampleInput.collected, checks: [allowed, retry, once, waiting] },
  requests: { v1: 2_855, v2: 1_215_585 },
  leftovers: [],
  finishedAt: '2026-10-01T10:33:15.412Z',
  load: exampleLoad,
}

/** The record of a load run with everything in it that reports have to show. */
export const exampleLoadRecord: RunRecord = assemble(input)
