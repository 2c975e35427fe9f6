import { ANSWER_TIMES } from '../../fixtures/checkers/http/timing.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Operation } from '../../fixtures/ground/logged.ts'
import type { Fact } from '../../fixtures/ground/record-load.ts'
import type { Settings } from '../plan/plan.ts'
import { type Measure, type RequestRow, type StageEvidence, TIMED_OUT } from '../read/evidence.ts'
import { DROPPED } from '../scenarios/lib/output.ts'
import { blocked, broken, type Claim, type Judge, notExercised, type Open } from './judge.ts'

/** The number of exchanges cited for what occurs many times. */
const A_FEW = 3

/** k6's error codes for requests without an answer. Other codes are shown as numbers. */
const ERRORS: Readonly<Record<number, string>> = {
  1050: 'timeout',
  1101: 'host not found',
  1201: 'broken pipe',
  1211: 'connection timeout',
  1212: 'connection refused',
  1220: 'connection reset',
  1310: 'certificate of an unknown authority',
  1311: 'certificate of another host',
}

export const isAnswered = ({ status }: RequestRow): boolean => status > 0

/** Returns whether a request succeeded: not an error, a redirect or unanswered. */
export const isServed = ({ status }: Pick<RequestRow, 'status'>): boolean => status >= 200 && status < 300

export const isLimited = ({ status }: Pick<RequestRow, 'status'>): boolean => status === 429

/** Returns whether the deployment failed: no answer, a redirect, or a server error. Refusals are regular answers. */
export const isFailure = (row: RequestRow): boolean =>
  row.status >= 500 || (row.status < 400 && !isServed(row))

/** Returns the status of a request, or why it has none. */
const outcomeOf = ({ status, errorCode }: RequestRow): string =>
  status > 0 ? String(status) : (ERRORS[errorCode] ?? `error ${errorCode}`)

/** Returns the count of each outcome, in alphabetical order. */
export const tally = (rows: Iterable<RequestRow>): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(rows, outcomeOf)]
      .map(([outcome, { length }]) => [outcome, length] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Returns the counts as text: `500 × 200, 20 × 429`. */
export const tallied = (rows: Iterable<RequestRow>): string =>
  Object.entries(tally(rows))
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ')

/** A period in epoch milliseconds. */
export interface Span {
  from: number
  to: number
}

/** Returns the period from the first request to the last answer, or of k6's run if nothing was sent. */
export function spanOf({ requests, startedAt, finishedAt }: StageEvidence): Span {
  const [first] = requests
  if (first === undefined) return { from: startedAt, to: finishedAt }
  let to = first.at
  for (const { at, took } of requests) if (at + took > to) to = at + took
  return { from: first.at, to }
}

/** Returns the period of several stages. */
export function wholeSpan(stages: readonly StageEvidence[]): Span {
  const spans = stages.map(spanOf)
  return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) }
}

/** Returns a setting of a scenario. @throws Error if it is missing, which is the kit's own fault */
export function settingOf(settings: Settings, name: string): number {
  const value = settings[name]
  if (value === undefined) throw new Error(`there is no setting ${name}`)
  return value
}

/** Returns when iterations of an open model were dropped; `null` if unknown. */
export function drops({ iterations, measures }: StageEvidence): readonly Measure[] | null {
  const known = measures.get(DROPPED) ?? []
  const counted = known.reduce((sum, { value }) => sum + value, 0)
  return counted < iterations.dropped ? null : known
}

/** The calls of a clause, and the documented client timeout. */
interface Wait {
  clause: ClauseId
  seconds: number
  ops: readonly Operation[]
}

const WAITS: readonly Wait[] = [...Map.groupBy(ANSWER_TIMES, ([, { clause }]) => clause)].map(
  ([clause, times]) => ({ clause, seconds: times[0]![1].seconds, ops: times.map(([op]) => op) }),
)

/** The clauses of the scenario. */
export const TIMEOUT_CLAUSES: readonly ClauseId[] = WAITS.map(({ clause }) => clause)

/** Asks whether every call is answered within the documented client timeout. */
export const judgeTimeouts: Judge = (stages, { settings }) => {
  const stage = stages.get('timeouts')
  const { scale = 1 } = settings
  return {
    questions: WAITS.map(({ clause, seconds, ops }) => ({
      title: `${ops.join(', ')}: answered within ${inSeconds(seconds)}`,
      clauses: [clause],
      whyOpen: () => whyOpen(rowsOf(stage, ops), ops),
    })),
    claims: WAITS.flatMap(wait => lateFor(rowsOf(stage, wait.ops), wait, scale)),
    facts: WAITS.flatMap(wait => wait.ops.flatMap(op => [...factsOf(rowsOf(stage, [op]), op, wait, scale)])),
    plots: [],
  }
}

const rowsOf = (stage: StageEvidence | undefined, ops: readonly Operation[]): RequestRow[] =>
  stage?.requests.filter(({ op }) => ops.includes(op)) ?? []

/** Returns whether k6 gave up. It waits longer than the documented timeout. */
const gaveUp = ({ status, errorCode }: RequestRow): boolean => status === 0 && errorCode === TIMED_OUT

const isRefused = ({ status }: RequestRow): boolean => status >= 400 && status < 500

const isTooLate = (row: RequestRow, milliseconds: number): boolean =>
  gaveUp(row) || (row.status > 0 && row.status < 500 && !isLimited(row) && row.took > milliseconds)

/** Claims what its answers do not show: requests without any, and times on a clock that ran faster. */
function lateFor(rows: readonly RequestRow[], { clause, seconds, ops }: Wait, scale: number): Claim[] {
  const late = rows.filter(row => isTooLate(row, seconds * 1000 * scale))
  if (late.length === 0 || (scale === 1 && !late.some(gaveUp))) return []
  const tried = `Sending ${rows.length} requests to ${[...new Set(ops)].join(', ')}`
  const expected = `an answer to each within ${inSeconds(seconds * scale)}`
  const observed = `${late.length} too late (${[...lateness(late)].join('; ')})`
  return [broken(clause, { tried, expected, observed }, late.slice(0, A_FEW))]
}

function whyOpen(rows: readonly RequestRow[], ops: readonly Operation[]): Open {
  if (rows.length === 0) return notExercised(`nothing was sent to ${ops.join(', ')}`)
  const why = `no request to ${ops.join(', ')} succeeded (${tallied(rows)})`
  // A refusal may be correct, for instance of a voucher that is not published yet.
  return rows.every(isRefused) ? notExercised(why) : blocked(why)
}

function* lateness(late: readonly RequestRow[]): Generator<string> {
  const slow = late.filter(row => !gaveUp(row)).map(({ took }) => took)
  if (slow.length > 0) yield `the slowest after ${inSeconds(Math.max(...slow) / 1000)}`
  const none = late.filter(gaveUp).length
  if (none > 0) yield `${none} without any answer`
}

function* factsOf(
  rows: readonly RequestRow[],
  op: Operation,
  { seconds }: Wait,
  scale: number,
): Generator<Fact> {
  // Quick refusals and failures say nothing about the duration of the work.
  const timed = rows.filter(row => isServed(row) || isTooLate(row, seconds * 1000 * scale))
  if (timed.length === 0) return
  const late = timed.filter(row => isTooLate(row, seconds * 1000 * scale))
  yield {
    name: `${op}: within ${inSeconds(seconds * scale)}`,
    value: Math.round((1000 * (timed.length - late.length)) / timed.length) / 10,
    unit: '%',
  }
  const answers = timed.filter(row => !gaveUp(row)).map(({ took }) => took)
  if (answers.length > 0)
    yield { name: `${op}: slowest`, value: Math.round(Math.max(...answers)), unit: 'ms' }
  const none = timed.filter(gaveUp).length
  if (none > 0) yield { name: `${op}: no answer`, value: none, unit: 'requests' }
}

/** Formats seconds to the millisecond without trailing zeros. */
const inSeconds = (seconds: number): string => `${Number(seconds.toFixed(3))} seconds`
