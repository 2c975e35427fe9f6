import { join } from 'node:path'
import { RAW } from '../run/k6-process.ts'
import type { RawStage } from '../run/run-stages.ts'
import { DROPPED } from '../scenarios/lib/output.ts'
import type { AnswerCollector } from './answer-collector.ts'
import { type Iterations, type Measure, readLines, type StageEvidence } from './evidence.ts'

/** The samples of one k6 process. */
export interface Samples {
  /** The number of requests, without those to gates. */
  requests: number
  /** The metrics of the scenarios (`tss_…`) by name, and `DROPPED`, in order of time, with their tags and k6's. */
  measures: Map<string, Measure[]>
  iterations: Iterations
}

/** The number of columns before the tags, and a line as these and the tags. */
const POINTS = 3
const POINT = /^\w+,([^,]*),([^,]*),(.*)$/s
const COMMA = 44
/** The column of tags that are not k6's own, of which there is one. */
const OTHER_TAGS = 'extra_tags'
const TAG = /^op=/

type Tags = Readonly<Record<string, string>>

/**
 * Reads the output of `k6 run --out csv` (see `samplesTo`). The first columns are always the metric, the time and the value;
 * then come k6's own tags, and the other tags in one column.
 *
 * @throws Error if the file cannot be read, or contains a line that k6 does not write
 */
export async function readSamples(path: string): Promise<Samples> {
  let requests = 0
  const measures = new Map<string, Measure[]>()
  const iterations = { completed: 0, dropped: 0 }
  const known = new Map<string, Tags>()
  let columns: readonly string[] = []

  /** Millions of samples share a few tags. */
  function tagsFor(text: string): Tags {
    const tags = known.get(text) ?? tagsIn(text, columns)
    known.set(text, tags)
    return tags
  }

  await readLines(path, (bytes, number) => {
    if (number === 1) {
      columns = bytes.toString().replace(OTHER_TAGS, 'op').split(',').slice(POINTS)
      return
    }
    // The rest of a line is read only if its metric is used.
    const metric = bytes.toString('latin1', 0, Math.max(0, bytes.indexOf(COMMA)))
    if (!counts(metric)) return
    const [, timestamp, measured, rest] = POINT.exec(bytes.toString('utf8')) ?? []
    const [at, value] = [Number(timestamp) / 1000, Number(measured)]
    if (rest === undefined || !Number.isFinite(at) || !Number.isFinite(value))
      throw new Error(`Line ${number} of ${path} is not what k6 writes with --out csv.`)
    const tags = tagsFor(rest)
    if (metric === 'http_req_duration') {
      if (tags.op !== 'gate') requests++
    } else if (metric === 'iterations') iterations.completed += value
    else {
      if (metric === DROPPED) iterations.dropped += value
      const measure = { at, value, tags }
      const others = measures.get(metric)
      if (others === undefined) measures.set(metric, [measure])
      else others.push(measure)
    }
  })
  for (const values of measures.values()) values.sort(byTime)
  return { requests, measures, iterations }
}

const counts = (metric: string): boolean =>
  metric === 'http_req_duration' || metric === 'iterations' || metric === DROPPED || metric.startsWith('tss_')

/** Returns k6's own tags and the kit's, without empty ones. None has a comma. */
function tagsIn(text: string, columns: readonly string[]): Tags {
  const fields = text.split(',')
  return Object.fromEntries(
    columns.flatMap((column, at) => (fields[at] ? [[column, fields[at].replace(TAG, '')]] : [])),
  )
}

const byTime = (a: { at: number }, b: { at: number }): number => a.at - b.at

/**
 * Reads k6's output of a stage. Of a stage that was cut off, only the answers are read, as far as possible.
 * @throws Error if the output of a completed stage is invalid
 */
export async function readStage(raw: RawStage, collector: AnswerCollector): Promise<StageEvidence> {
  const { plan, dir, ended, startedAt, finishedAt, counted, vitals } = raw
  const { intendedRate } = plan
  const stage = {
    plan,
    startedAt,
    finishedAt,
    ...(intendedRate !== undefined && { intendedRate }),
    ...(counted !== undefined && { counted }),
    vitals,
  }
  const log = join(dir, RAW.answers)
  if (!ended) {
    await collector.collect(raw, log).catch(() => {})
    return { ...stage, requests: [], measures: new Map(), iterations: { completed: 0, dropped: 0 } }
  }
  const { requests: sent, measures, iterations } = await readSamples(join(dir, RAW.samples))
  const requests = (await collector.collect(raw, log)).sort(byTime)
  const count = requests.length
  // k6 continues when it cannot write, without a reliable message.
  if (count !== sent) {
    throw new Error(
      `k6 left ${sent} samples and ${count} answers of ${plan.stage} in ${dir}, and should have left as many of each: see whether the disk is full, or give another folder with --out.`,
    )
  }
  return { ...stage, requests, measures, iterations }
}
