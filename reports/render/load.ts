import { type CheckRecord, type RunRecord, type Verdict, worst } from '../../fixtures/ground/record.ts'
import type { CallFigures, Quantiles, ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import { type Tone, toneOf } from '../judge/outcome.ts'
import { count, milliseconds, number, seconds } from './plain.ts'

/** The verdict on a scenario; `measured` if it has no check, so that nothing is judged. */
export type ScenarioVerdict = Verdict | 'measured'

/** Returns the checks that a scenario decided, in order. */
export function checksOf({ checks }: RunRecord, scenario: ScenarioFigures): CheckRecord[] {
  const known = new Map(checks.map(check => [check.id, check]))
  return scenario.checks.map(id => known.get(id)).filter(check => check !== undefined)
}

/**
 * Returns the common verdict of some checks, by the rules for a whole run: findings of passive rules in their
 * traffic count, and broken recommendations make nothing red.
 */
export function verdictOf({ clauses }: RunRecord, checks: readonly CheckRecord[]): ScenarioVerdict {
  if (checks.length === 0) return 'measured'
  const ids = new Set(checks.map(({ id }) => id))
  const has = (wanted: Verdict): boolean => checks.some(({ verdict }) => verdict === wanted)
  if (has('error')) return 'error'
  if (clauses.some(({ level, findings }) => level === 'must' && findings.some(({ check }) => ids.has(check))))
    return 'violates'
  if (has('blocked')) return 'blocked'
  return has('conforms') || has('violates') ? 'conforms' : worst(checks.map(({ verdict }) => verdict))
}

/** The seconds that scenarios about time take at least; in fewer they say nothing about it. A soak compares its quarters. */
const LONG_ENOUGH: Readonly<Record<string, number>> = {
  'journey-mix': 20,
  spike: 20,
  breakpoint: 20,
  soak: 600,
}

/** Returns what a scenario is said to have come to: its verdict, unless it was too short for its question. */
export function conclusionOf(record: RunRecord, scenario: ScenarioFigures): { says: string; tone: Tone } {
  const verdict = verdictOf(record, checksOf(record, scenario))
  const least = LONG_ENOUGH[scenario.name] ?? 0
  const isShort = scenario.seconds < least && (verdict === 'conforms' || verdict === 'measured')
  return isShort
    ? { says: `too short to say, needs ${seconds(least)}`, tone: 'unseen' }
    : { says: verdict, tone: toneOf(verdict) }
}

/** The number of answers that a percentile takes; of fewer, it is another name for the slowest. */
const TELLING: Readonly<Partial<Record<keyof Quantiles, number>>> = { p95: 20, p99: 100 }

/** Returns the number of answers that the latencies of a call are of. */
function answersOf({ outcomes, sent }: CallFigures): number {
  const answered = outcomesOf({ outcomes }).filter(([outcome]) => /^\d{3}$/.test(outcome))
  return answered.length === 0 ? sent : answered.reduce((sum, [, times]) => sum + times, 0)
}

/** Returns whether a percentile of a call says something that its slowest answer does not. */
export const isTelling = (call: CallFigures, name: keyof Quantiles): boolean =>
  answersOf(call) >= (TELLING[name] ?? 1)

/** Returns the latency of a call that most or all answers kept to: `p95 87 ms`, or of few `at most 87 ms, of 4`. */
export function latencyText(call: CallFigures & { latency: Quantiles }): string {
  return isTelling(call, 'p95')
    ? `p95 ${milliseconds(call.latency.p95)}`
    : `at most ${milliseconds(call.latency.max)}, of ${answersOf(call)}`
}

/** Returns the title of a check, which is the last part of its id. */
export const titleOf = ({ id }: CheckRecord): string => id.split(' > ').at(-1)!

/** Returns the count of each outcome: statuses first, in order, then errors. */
export function outcomesOf({ outcomes }: Pick<CallFigures, 'outcomes'>): [outcome: string, times: number][] {
  const isStatus = (outcome: string): boolean => /^\d{3}$/.test(outcome)
  return Object.entries(outcomes).sort(
    ([a], [b]) => Number(isStatus(b)) - Number(isStatus(a)) || (a < b ? -1 : a > b ? 1 : 0),
  )
}

/**
 * Returns the call with the highest 95th percentile of those with enough answers for one, else of all; `undefined` if
 * latencies are not reported.
 */
export function slowestCall({
  calls,
  refused,
}: ScenarioFigures): (CallFigures & { latency: Quantiles }) | undefined {
  if (refused !== undefined) return undefined
  const timed = calls.filter(
    (call): call is CallFigures & { latency: Quantiles } => call.latency !== null && call.op !== 'journey',
  )
  const telling = timed.filter(call => isTelling(call, 'p95'))
  return (telling.length === 0 ? timed : telling).toSorted((a, b) => b.latency.p95 - a.latency.p95)[0]
}

/** Returns how much was sent in which time. */
export const extent = ({ requests, seconds: took }: ScenarioFigures): string =>
  `${count(requests.sent, 'request')} in ${seconds(took)}`

/** Returns the rate of the open model: `25 of 25 intended iterations a second`. */
export function rateText({ rate }: ScenarioFigures): string | undefined {
  if (rate === undefined) return undefined
  const { intended, achieved } = rate
  if (intended === undefined) return `${number(achieved)} iterations a second`
  return `${number(achieved)} of ${number(intended)} intended iterations a second`
}

/** Returns what limits the figures of a scenario, one sentence each. */
export const limitsOf = (scenario: ScenarioFigures): string[] =>
  [scenario.refused ?? droppedText(scenario), countedText(scenario)].filter(text => text !== undefined)

/** Returns the difference between the requests sent and those that the deployment counted, if any. */
function countedText({ requests: { sent, counted } }: ScenarioFigures): string | undefined {
  if (counted === undefined || counted === sent) return undefined
  const apart = Math.abs(counted - sent)
  return `The deployment counted ${count(counted, 'request')}, ${number(apart)} ${counted > sent ? 'more' : 'fewer'} than the ${number(sent)} that were sent.`
}

/** Returns how many iterations the load generator dropped, if any. */
function droppedText({ iterations: { completed, dropped } }: ScenarioFigures): string | undefined {
  if (dropped === 0) return undefined
  return `${count(dropped, 'iteration was', 'iterations were')} dropped, ${number(completed)} completed.`
}
