import type { Settings } from '../plan/plan.ts'
import type { Measure, RequestRow, StageEvidence } from '../read/evidence.ts'
import { DROPPED } from '../scenarios/lib/output.ts'

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

/** k6's error code for a timeout. */
export const TIMED_OUT = 1050

export const isAnswered = ({ status }: RequestRow): boolean => status > 0

/** Returns whether a request succeeded: not an error, a redirect or unanswered. */
export const isServed = ({ status }: Pick<RequestRow, 'status'>): boolean => status >= 200 && status < 300

export const isLimited = ({ status }: Pick<RequestRow, 'status'>): boolean => status === 429

/** Returns whether the deployment failed: no answer, a redirect, or a server error. Refusals are regular answers. */
export const isFailure = (row: RequestRow): boolean =>
  row.status >= 500 || (row.status < 400 && !isServed(row))

/** Returns the status of a request, or why it has none. */
export const outcomeOf = ({ status, errorCode }: RequestRow): string =>
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
