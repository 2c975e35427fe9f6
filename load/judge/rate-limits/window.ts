import type { RequestRow } from '../../read/evidence.ts'
import { isServed } from '../outcomes.ts'
import { type Instants, instantsOf, mostWithin, surely } from './instants.ts'
import { MINUTE } from './limits.ts'

/** A request, of which it is known when it was sent and answered, and with which status. */
export type Seen = Pick<RequestRow, 'at' | 'took' | 'status'>

/** Returns when the served ones were decided on, in seconds of the deployment's clock. */
const admittedOf = (rows: readonly Seen[], timeScale: number): Instants =>
  instantsOf(
    rows
      .filter(isServed)
      .map(({ at, took }) => ({ from: (at / 1000) * timeScale, by: ((at + took) / 1000) * timeScale })),
  )

/** Returns the most requests that were served in any 60 seconds of the deployment's clock. */
export const mostServed = (rows: readonly Seen[], timeScale: number): number =>
  mostWithin(admittedOf(rows, timeScale).from, MINUTE)

/** A clock that runs faster is moved on in steps, and is up to 0.15 seconds of ours behind or ahead. */
export const slackAt = (timeScale: number): number => 1 + 0.15 * (timeScale - 1)

/**
 * Returns the most requests of which it is certain that one minute admitted them, in whatever windows a limiter counts:
 * for every way to cut time into minutes, the fullest of them, and of those the least.
 */
export function certainlyWithinAMinute(rows: readonly Seen[], timeScale: number): number {
  const admitted = admittedOf(rows, timeScale)
  const [first, last] = [admitted.from[0], admitted.from.at(-1)]
  if (first === undefined || last === undefined) return 0
  const slack = slackAt(timeScale)
  let least = Number.POSITIVE_INFINITY
  for (let phase = 0; phase < MINUTE; phase += 0.25) {
    let fullest = 0
    for (let from = first - phase; from < last; from += MINUTE)
      fullest = Math.max(fullest, surely(admitted, from + slack, from + MINUTE - slack))
    least = Math.min(least, fullest)
  }
  return least
}
