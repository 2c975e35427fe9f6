import type { RequestRow } from '../../read/evidence.ts'
import { isServed } from '../outcomes.ts'
import { type Instants, instantsOf, mostWithin, surely } from './instants.ts'
import { MINUTE } from './limits.ts'

/** The time, duration and status of a request. */
export type Seen = Pick<RequestRow, 'at' | 'took' | 'status'>

/** Returns when served requests were admitted, in seconds of the deployment's clock. */
const admittedOf = (rows: readonly Seen[], timeScale: number): Instants =>
  instantsOf(
    rows
      .filter(isServed)
      .map(({ at, took }) => ({ from: (at / 1000) * timeScale, by: ((at + took) / 1000) * timeScale })),
  )

/** Returns the most requests served in any 60 seconds of the deployment's clock. */
export const mostServed = (rows: readonly Seen[], timeScale: number): number =>
  mostWithin(admittedOf(rows, timeScale).from, MINUTE)

/** Returns the error of a clock that is moved in steps: up to 0.15 seconds of real time. */
export const slackAt = (timeScale: number): number => 1 + 0.15 * (timeScale - 1)

/**
 * Returns how many requests one minute certainly admitted, for any kind of window: the minimum over all positions
 * of the windows of their fullest window.
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
