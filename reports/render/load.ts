import { type CheckRecord, type RunRecord, type Verdict, worst } from '../../fixtures/record.ts'
import type { CallFigures, ScenarioFigures } from '../../fixtures/record-load.ts'
import { count, number, seconds } from './plain.ts'

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

/** Returns the title of a check, which is the last part of its id. */
export const titleOf = ({ id }: CheckRecord): string => id.split(' > ').at(-1)!

/** Returns the count of each outcome: statuses first, in order, then errors. */
export function outcomesOf({ outcomes }: Pick<CallFigures, 'outcomes'>): [outcome: string, times: number][] {
  const isStatus = (outcome: string): boolean => /^\d{3}$/.test(outcome)
  return Object.entries(outcomes).sort(
    ([a], [b]) => Number(isStatus(b)) - Number(isStatus(a)) || (a < b ? -1 : a > b ? 1 : 0),
  )
}

/** Returns the outcomes as text: `all 200`, or `200: 1,500; 429: 20`. */
export function outcomesText(call: CallFigures): string {
  const found = outcomesOf(call)
  const [only] = found
  if (found.length === 1 && only![1] === call.sent) return `all ${only![0]}`
  return found.map(([outcome, times]) => `${outcome}: ${number(times)}`).join('; ')
}

/** Returns the call with the highest 95th percentile; `undefined` if latencies are not reported. */
export function slowestCall({ calls, refused }: ScenarioFigures): CallFigures | undefined {
  if (refused !== undefined) return undefined
  const timed = calls.filter(({ op, latency }) => latency !== null && op !== 'journey')
  return timed.sort((a, b) => b.latency!.p95 - a.latency!.p95)[0]
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
export function countedText({ requests: { sent, counted } }: ScenarioFigures): string | undefined {
  if (counted === undefined || counted === sent) return undefined
  const apart = Math.abs(counted - sent)
  return `The deployment counted ${count(counted, 'request')}, ${number(apart)} ${counted > sent ? 'more' : 'fewer'} than the ${number(sent)} that were sent.`
}

/** Returns how many iterations the load generator dropped, if any. */
export function droppedText({ iterations: { completed, dropped } }: ScenarioFigures): string | undefined {
  if (dropped === 0) return undefined
  return `${count(dropped, 'iteration was', 'iterations were')} dropped, ${number(completed)} completed.`
}
