import { ANSWER_TIMES } from '../../fixtures/checkers/http/timing.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Fact } from '../../fixtures/ground/record-load.ts'
import type { RequestRow, StageEvidence } from '../read/evidence.ts'
import type { Operation } from '../scenarios/lib/output.ts'
import { answered, blocked, broken, type Decision, kept, notExercised, showing } from './decision.ts'
import type { Judge } from './judge.ts'
import { isLimited, isServed, TIMED_OUT, tallied } from './outcomes.ts'

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

/** Judges whether every call is answered within the documented client timeout. */
export const judgeTimeouts: Judge = (stages, { settings }) => {
  const stage = stages.get('timeouts')
  const { scale = 1 } = settings
  return {
    answers: WAITS.map(wait =>
      answered(`${wait.ops.join(', ')}: answered within ${inSeconds(wait.seconds)}`, [
        decide(stage, wait, scale),
      ]),
    ),
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

function decide(stage: StageEvidence | undefined, { clause, seconds, ops }: Wait, scale: number): Decision {
  const rows = rowsOf(stage, ops)
  if (stage === undefined || rows.length === 0)
    return notExercised(clause, `nothing was sent to ${ops.join(', ')}`)
  const limit = seconds * 1000 * scale
  const late = rows.filter(row => isTooLate(row, limit))
  if (late.length > 0) {
    return broken(clause, {
      tried: `Sending ${rows.length} requests to ${[...new Set(rows.map(({ op }) => op))].join(', ')}`,
      expected: `an answer to each within ${inSeconds(seconds * scale)}`,
      observed: `${late.length} too late (${[...lateness(late)].join('; ')})`,
      exchanges: showing(
        stage,
        ({ op, response, milliseconds }) =>
          ops.includes(op) && response.status < 500 && response.status !== 429 && milliseconds > limit,
      ),
    })
  }
  if (rows.some(isServed)) return kept(clause)
  const why = `no request to ${ops.join(', ')} succeeded (${tallied(rows)})`
  // A refusal may be correct, for instance of a voucher that is not published yet.
  return rows.every(isRefused) ? notExercised(clause, why) : blocked(clause, why)
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
