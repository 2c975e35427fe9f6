import type { Plot } from '../../../fixtures/ground/record-load.ts'
import { upTo } from '../../../fixtures/model/limits/minutes.ts'
import type { RequestRow, StageEvidence } from '../../read/evidence.ts'
import { isAnswered, isLimited, spanOf, wholeSpan } from '../timeouts.ts'
import { latenciesOf, nearestRank } from './quantile.ts'
import { middleOf, type Slices, sliceAt, sliced, slicesOf } from './slices.ts'

type Point = [number, number | null]
type Lines = Extract<Plot, { kind: 'lines' }>

/** The maximum number of points of a series, about the width of a picture. */
export const MOST_POINTS = 300
/** The slices of plots over time. They must be wide enough to contain requests. */
const SLICES = { rate: { most: 150, narrowest: 100 }, latency: { most: 60, narrowest: 500 } }

const SECONDS = 'seconds since the start'

/** The groups of answers in the plot of rates. */
const CLASSES: readonly [name: string, is: (row: RequestRow) => boolean][] = [
  ['sent', () => true],
  ['429', isLimited],
  ['other 4xx', row => row.status >= 400 && row.status < 500 && !isLimited(row)],
  ['5xx', row => row.status >= 500],
  ['no answer', row => !isAnswered(row)],
]

/** Returns a plot of requests per second, with those that failed. */
export function ratePlot(stages: readonly StageEvidence[]): Plot {
  const slices = slicesOf(wholeSpan(stages), SLICES.rate)
  const rows = stages.flatMap(({ requests }) => requests)
  const series = CLASSES.filter(([, is], index) => index === 0 || rows.some(is)).map(([name, is]) => {
    const parts = sliced(slices, rows.filter(is))
    return { name, points: pointsOf(stages, slices, slice => (parts[slice]!.length * 1000) / slices.width) }
  })
  return lines('Requests and refusals', 'requests a second', series, stages)
}

/** The percentiles in the plot of latency, each with the number of answers in a slice that it takes. */
const PERCENTILES = [
  [50, 1],
  [95, 20],
  [99, 100],
] as const

/** Returns a plot of latency by the time of sending: percentiles where there are enough answers, else the slowest. */
export function latencyPlot(stages: readonly StageEvidence[]): Plot {
  const slices = slicesOf(wholeSpan(stages), SLICES.latency)
  const answered = stages.flatMap(({ requests }) => requests.filter(isAnswered))
  const latencies = sliced(slices, answered).map(latenciesOf)
  const percentiles = PERCENTILES.map(([percent, least]) => ({
    name: `p${percent}`,
    points: pointsOf(stages, slices, slice =>
      latencies[slice]!.length < least ? null : nearestRank(latencies[slice]!, percent / 100),
    ),
  }))
  const shown = percentiles.filter(({ points }, at) => at === 0 || points.some(([, y]) => y !== null))
  const slowest = {
    name: 'slowest',
    points: pointsOf(stages, slices, slice =>
      latencies[slice]!.length === 0 ? null : nearestRank(latencies[slice]!, 1),
    ),
  }
  const series = shown.length === percentiles.length ? shown : [...shown, slowest]
  return lines('Latency', 'milliseconds', series, stages)
}

/** Returns a plot of the deployment's heap; `null` if it does not report it. */
export function heapPlot(stages: readonly StageEvidence[]): Plot | null {
  const vitals = stages.flatMap(stage => stage.vitals)
  const [first, last] = [vitals[0], vitals.at(-1)]
  if (first === undefined || last === undefined) return null
  const zero = wholeSpan(stages).from
  const slices = slicesOf({ from: first.at, to: last.at }, { most: MOST_POINTS })
  const points = sliced(slices, vitals).flatMap((seen, slice): Point[] => {
    const most = Math.max(...seen.map(({ heapBytes }) => heapBytes))
    return seen.length === 0 ? [] : [[middleOf(slices, slice, zero), most / 1e6]]
  })
  return lines('Heap of the deployment', 'megabytes', [{ name: 'heap', points }], stages)
}

/** The bounds of a histogram's bars within a power of ten. */
const STEPS = [1, 1.5, 2, 3, 5, 7]
const BOUNDS = [0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap(power =>
  STEPS.map(step => Number((step * power).toPrecision(2))),
)

/** Returns a histogram with logarithmic bars; `null` without values. */
export function distributionPlot(title: string, y: string, milliseconds: readonly number[]): Plot | null {
  if (milliseconds.length === 0) return null
  const counts = new Array<number>(BOUNDS.length + 1).fill(0)
  // A bar includes its lower bound and excludes its upper bound.
  for (const value of milliseconds) counts[upTo(BOUNDS, value)]!++
  const used = (count: number) => count > 0
  const [first, last] = [counts.findIndex(used), counts.findLastIndex(used)]
  const bars = counts.slice(first, last + 1).map((count, index) => ({
    from: first + index === 0 ? 0 : BOUNDS[first + index - 1]!,
    to: BOUNDS[first + index] ?? Number.MAX_SAFE_INTEGER,
    count,
  }))
  return { kind: 'bars', title, x: 'milliseconds', y, bars }
}

/** Returns one point per slice, with a gap between stages. */
function pointsOf(
  stages: readonly StageEvidence[],
  slices: Slices,
  value: (slice: number) => number | null,
): Point[] {
  const ran = new Array<boolean>(slices.count).fill(false)
  for (const { from, to } of stages.map(spanOf))
    ran.fill(true, sliceAt(slices, from), sliceAt(slices, to) + 1)
  const points: Point[] = []
  for (const [slice, did] of ran.entries()) {
    const y = did ? value(slice) : null
    if (y !== null || points.at(-1)?.[1] !== null) points.push([middleOf(slices, slice, slices.from), y])
  }
  return points
}

/** Returns lines over time. With several stages, each beginning is marked. */
function lines(title: string, y: string, series: Lines['series'], stages: readonly StageEvidence[]): Lines {
  const zero = wholeSpan(stages).from
  const marks = stages.map(stage => ({ x: (spanOf(stage).from - zero) / 1000, label: stage.plan.stage }))
  return { kind: 'lines', title, x: SECONDS, y, series, ...(stages.length > 1 && { marks }) }
}
