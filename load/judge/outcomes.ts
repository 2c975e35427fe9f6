import type { RequestRow } from '../read/evidence.ts'

/** The meanings of k6's codes for requests without an answer; others are shown by their number. */
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

/** k6's code for a request that had no answer in the time that it was given. */
export const TIMED_OUT = 1050

export const isAnswered = ({ status }: RequestRow): boolean => status > 0

/** Served: neither an error nor a redirect, nor without an answer. */
export const isServed = ({ status }: Pick<RequestRow, 'status'>): boolean => status >= 200 && status < 300

/** Let through by the limit, and failed at a source (502 and 503 of part 7.1): no limit answers so where it answers 429. */
export const isSourceFailure = ({ status }: Pick<RequestRow, 'status'>): boolean =>
  status === 502 || status === 503

/** Returns whether a limit that was not used up stood in nobody's way: all let through, and one of them served. */
export const areLetThrough = (rows: readonly RequestRow[]): boolean =>
  rows.some(isServed) && rows.every(row => isServed(row) || isSourceFailure(row))

export const isLimited = ({ status }: Pick<RequestRow, 'status'>): boolean => status === 429

/**
 * Returns whether a deployment failed at a request: no answer, a redirect, or one that says that it could not. What it
 * refuses for a reason is an answer like any other.
 */
export const isFailure = (row: RequestRow): boolean =>
  row.status >= 500 || (row.status < 400 && !isServed(row))

/** Its status, or why it had none, in a word. */
export const outcomeOf = ({ status, errorCode }: RequestRow): string =>
  status > 0 ? String(status) : (ERRORS[errorCode] ?? `error ${errorCode}`)

/** Returns how often each outcome came, in the order of their names. */
export function tally(rows: Iterable<RequestRow>): Record<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const outcome = outcomeOf(row)
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns the same as words: `500 × 200, 20 × 429`. */
export const tallied = (rows: Iterable<RequestRow>): string =>
  Object.entries(tally(rows))
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ')
