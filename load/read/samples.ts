import { DROPPED, type RequestTags } from '../scenarios/lib/output.ts'
import type { Iterations, Measure, RequestRow } from './evidence.ts'
import { Allowance, MOST_KEPT, readLines, UnreadableOutput } from './lines.ts'

/** The samples of one k6 process, or of several that were merged. */
export interface Samples {
  /**
   * In the order of sending, without those to the booking gate. k6 stamps a request when it ends, and its duration
   * covers sending, waiting and receiving. So `at` is when its connection was ready, and `took` excludes
   * connecting. A request without a connection has 0.
   */
  requests: RequestRow[]
  /** The metrics of the scenarios (`tss_…`) by name, and `DROPPED`, in order of time, with their tags and k6's. */
  measures: Map<string, Measure[]>
  iterations: Iterations
  /** The earliest and latest time in epoch milliseconds; `null` without samples. */
  span: { from: number; to: number } | null
  /**
   * Files whose last line was cut off, for instance because k6 was killed. Other files may be incomplete too: k6
   * writes once a second, usually whole lines.
   */
  torn: string[]
}

/** The first columns of every output. Then come k6's own tags, and the other tags in one column. */
const BEGINNING = 'metric_name,timestamp,metric_value,'
const COMMA = 44
/** The number of columns before the tags, and a line as these and the tags. */
const POINTS = 3
const POINT = /^\w+,([^,]*),([^,]*),(.*)$/s
/** About the memory that a sample or a tag takes. */
const BYTES_OF_SAMPLE = 100
/** A sample usually has some hundred bytes. */
const LONGEST_LINE = 2 * 2 ** 20
/** The separator of the kit's tags, which share one column. */
const NEXT_TAG = /&(?=(?:op|who|light)=)/

/**
 * Reads the output of `k6 run --out csv` (see `samplesTo`), possibly packed (`.gz`). Requests of the same moment
 * have a fixed order, so the result does not depend on how the output was split.
 *
 * @param allowance limits what is kept, together with other files that are read with it
 * @throws UnreadableOutput if the file cannot be read, contains a line that k6 does not write, or a request without
 * the kit's tags
 */
export async function readSamples(
  path: string,
  allowance = new Allowance(MOST_KEPT.samples),
): Promise<Samples> {
  const gathered = new Gathering(path, allowance)
  const { rest } = await readLines(path, (line, number) => gathered.line(line, number), LONGEST_LINE)
  return inOrder({ ...gathered.samples, torn: rest.length > 0 ? [path] : [] })
}

/** Collects samples line by line. */
class Gathering {
  readonly samples: Omit<Samples, 'torn'> = {
    requests: [],
    measures: new Map(),
    iterations: { completed: 0, dropped: 0 },
    span: null,
  }
  readonly #path: string
  readonly #allowance: Allowance
  readonly #kept = createStringKeeper()
  readonly #tags = new Map<string, Record<string, string>>()
  #columns: readonly string[] = []

  constructor(path: string, allowance: Allowance) {
    this.#path = path
    this.#allowance = allowance
  }

  line(bytes: Buffer, number: number): void {
    if (number === 1) {
      this.#columns = bytes.toString('utf8').split(',')
      if (!bytes.toString('utf8').startsWith(BEGINNING)) throw malformed(this.#path, number)
      return
    }
    // The rest of a line is read only if its metric is used.
    const metric = bytes.toString('latin1', 0, Math.max(0, bytes.indexOf(COMMA)))
    if (!/^\w+$/.test(metric)) throw malformed(this.#path, number)
    if (!counts(metric)) return
    this.#allowance.keep(BYTES_OF_SAMPLE, this.#path)
    this.#point(metric, bytes.toString('utf8'), number)
  }

  #point(metric: string, text: string, number: number): void {
    const { measures, requests, iterations } = this.samples
    const [, timestamp = '', measured = '', rest] = POINT.exec(text) ?? []
    const [at, value] = [Number(timestamp) / 1000, Number(measured)]
    const tags = rest === undefined ? undefined : (this.#tags.get(rest) ?? this.#tagsIn(rest))
    if (tags === undefined || !/^\d{16}$/.test(timestamp) || !Number.isFinite(value))
      throw malformed(this.#path, number)
    if (metric === 'http_req_duration') {
      if (tags.op === 'gate') return
      requests.push(this.#requestOf(at, value, tags, number))
      this.#within(at - value, at)
      return
    }
    this.#within(at, at)
    if (metric === 'iterations') iterations.completed += value
    else {
      if (metric === DROPPED) iterations.dropped += value
      const measure = { at, value, tags }
      const known = measures.get(metric)
      if (known === undefined) measures.set(metric, [measure])
      else known.push(measure)
    }
  }

  /**
   * Returns k6's own tags and those of the shared column, without empty ones; `undefined` if a field is missing. Millions of
   * samples share a few tags.
   */
  #tagsIn(text: string): Record<string, string> | undefined {
    const fields = fieldsOf(text)
    const columns = this.#columns.slice(POINTS)
    if (fields.length !== columns.length) return undefined
    this.#allowance.keep(text.length * 2 + fields.length * BYTES_OF_SAMPLE, this.#path)
    const tags: Record<string, string> = {}
    for (const [index, column] of columns.entries()) {
      const field = fields[index]!
      if (field === '') continue
      if (column !== 'extra_tags') tags[column] = field
      else
        for (const tag of field.split(NEXT_TAG)) {
          const end = tag.indexOf('=')
          tags[tag.slice(0, end)] = tag.slice(end + 1)
        }
    }
    this.#tags.set(text, tags)
    return tags
  }

  #requestOf(at: number, took: number, tags: Record<string, string>, number: number): RequestRow {
    const { op, who, scenario, status, error_code: errorCode } = tags
    if (op === undefined || who === undefined || status === undefined) {
      throw new UnreadableOutput(
        `Line ${number} of ${this.#path} is of a request without the tags op, who and status: only output of the kit's own scenarios can be read.`,
      )
    }
    return {
      op: this.#kept(op) as RequestTags['op'],
      api: op.startsWith('v1') ? 'v1' : 'v2',
      who: this.#kept(who),
      part: this.#kept(scenario ?? ''),
      at: at - took,
      took,
      status: Number(status),
      // k6 also has a code for each status of 400 or more, which says nothing new.
      errorCode: status === '0' ? Number(errorCode ?? 0) : 0,
      ...(tags.light === undefined ? {} : { light: true as const }),
    }
  }

  #within(from: number, to: number): void {
    this.samples.span ??= { from, to }
    const { span } = this.samples
    if (from < span.from) span.from = from
    if (to > span.to) span.to = to
  }
}

function counts(metric: string): boolean {
  return (
    metric === 'http_req_duration' ||
    metric === 'iterations' ||
    metric === DROPPED ||
    metric.startsWith('tss_')
  )
}

/** Splits a line into fields. Fields with a comma are quoted. */
const fieldsOf = (line: string): string[] =>
  line.includes('"')
    ? [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
      )
    : line.split(',')

const malformed = (path: string, number: number): UnreadableOutput =>
  new UnreadableOutput(
    `Line ${number} of ${path} is not what k6 writes with --out csv and times in unix_micro: name a file that k6 wrote, or leave this one out.`,
  )

/** Returns one shared string for equal ones, to save memory for millions of rows. */
function createStringKeeper(): (text: string) => string {
  const known = new Map<string, string>()
  return text => {
    const first = known.get(text)
    if (first !== undefined) return first
    known.set(text, text)
    return text
  }
}

/** Sorts samples by time, in place. Equal times have a fixed order, so the result does not depend on the files. */
export function inOrder(samples: Samples): Samples {
  samples.requests.sort(bySending)
  for (const values of samples.measures.values()) values.sort(byTime)
  samples.torn.sort()
  return samples
}

function bySending(a: RequestRow, b: RequestRow): number {
  return (
    a.at - b.at ||
    a.took - b.took ||
    a.status - b.status ||
    a.errorCode - b.errorCode ||
    compare(a.op, b.op) ||
    compare(a.who, b.who) ||
    compare(a.part, b.part)
  )
}

function byTime(a: Measure, b: Measure): number {
  return a.at - b.at || a.value - b.value || compare(JSON.stringify(a.tags), JSON.stringify(b.tags))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
