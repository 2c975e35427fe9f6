import type { Heat } from './heat.ts'

/** Heats of all rounds by the name of the contestant, in the order of the rounds. */
export type Heats = ReadonlyMap<string, readonly Heat[]>

const LABEL = 42
const COLUMN = 27

/** A figure of every contestant: the median of the rounds, and from where to where they went. */
export interface Row {
  label: string
  /** `undefined` where a heat has none. */
  of(heat: Heat): number | undefined
  digits?: number
}

export const median = (values: readonly number[]): number => {
  const ascending = [...values].sort((a, b) => a - b)
  const middle = ascending.length >> 1
  return ascending.length % 2 === 1 ? ascending[middle]! : (ascending[middle - 1]! + ascending[middle]!) / 2
}

/** The median, and the smallest and largest where there are several; a dash for none. */
export function spread(values: readonly number[], digits = 0): string {
  const shown = (value: number) => value.toFixed(digits)
  if (values.length === 0) return '–'
  const all = `${shown(Math.min(...values))}–${shown(Math.max(...values))}`
  return values.length === 1 ? shown(values[0]!) : `${shown(median(values))} (${all})`
}

/** Prints a table with a column for each contestant. */
export function printTable(title: string, heats: Heats, rows: readonly Row[]): void {
  const line = (label: string, cells: Iterable<string>) =>
    console.log([label.padEnd(LABEL), ...[...cells].map(cell => cell.padEnd(COLUMN))].join('').trimEnd())
  console.log()
  line(title, heats.keys())
  for (const { label, of, digits } of rows) {
    const cells = [...heats.values()].map(all => {
      const values = all.map(of).filter(value => value !== undefined)
      return spread(values, digits)
    })
    line(label, cells)
  }
}

/** More of a core than this, and what a deployment answers tells more of itself than of who asks. */
const BUSY = 0.9

export const isSaturated = ({ share }: Heat): boolean => share > BUSY

/** Figures of heats at a rate. */
export const atRate = (due: number): Row[] => [
  ...COUNTS,
  {
    label: 'journeys ended, of those that were due',
    of: ({ journeys }) => journeys && journeys.ended / due,
    digits: 3,
  },
  { label: 'journeys dropped', of: ({ journeys }) => journeys?.dropped },
  { label: 'requests/s', of: requestsPerSecond, digits: 1 },
  ...latencies('latency', told => told.latency),
  ...latencies('  of calls that all of them make', told => told.looking),
  ...latencies('  from when a journey was due', told => told.due),
  ...COSTS,
]

/** Figures of heats without a rate. */
export const atMost = (): Row[] => [
  ...COUNTS,
  { label: 'requests/s', of: requestsPerSecond, digits: 1 },
  { label: 'journeys/s', of: journeysPerSecond, digits: 1 },
  ...COSTS,
]

export const requestsPerSecond = ({ counted, seconds }: Heat): number => counted.requests / seconds

export const journeysPerSecond = ({ journeys, seconds }: Heat): number | undefined =>
  journeys && journeys.ended / seconds

/** Processor seconds of the tool for 10,000 requests. */
export const costOf = ({ cost, counted }: Heat): number =>
  ((cost.user + cost.system) / counted.requests) * 10_000

const COUNTS: readonly Row[] = [
  { label: 'requests sent, as the tool says', of: ({ sent }) => sent },
  { label: 'requests that the deployment counted', of: ({ counted }) => counted.requests },
  { label: 'difference', of: ({ sent, counted }) => sent - counted.requests },
  { label: 'answers that were not expected', of: ({ failed }) => failed },
  {
    label: 'requests in a journey',
    of: ({ journeys, counted }) => journeys && counted.requests / journeys.ended,
    digits: 2,
  },
]

const COSTS: readonly Row[] = [
  { label: 'processor s of the tool, 10,000 requests', of: costOf, digits: 2 },
  { label: 'most memory of the tool, MB', of: ({ memory }) => memory && memory / 1e6 },
  { label: "deployment's share of a core", of: ({ share }) => share, digits: 2 },
]

function latencies(label: string, of: (heat: Heat) => Heat['due']): Row[] {
  const quantile = (name: 'p50' | 'p99') => (heat: Heat) => (isSaturated(heat) ? undefined : of(heat)?.[name])
  return [
    { label: `${label}, p50 ms`, of: quantile('p50'), digits: 1 },
    { label: `${label}, p99 ms`, of: quantile('p99'), digits: 1 },
  ]
}
