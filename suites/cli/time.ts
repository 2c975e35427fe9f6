import type { HaltReason } from '../../fixtures/client/shared.ts'
import type { Traffic } from '../../fixtures/deployments/definition.ts'

/** In milliseconds. */
const MINUTE = 60_000

/** What a run may send before it is taken for one that does not end: several times what a run of every check sends. */
const REQUESTS = 10_000

/** The longest that a run takes unless told otherwise: a day. */
const LONGEST = 24 * 60 * MINUTE

/**
 * Returns how long a run may take unless told otherwise, in milliseconds: twenty minutes for what is waited for, and
 * the time that the rate limit needs to let 10,000 requests through.
 */
export function defaultDuration({ perMinute }: Pick<Traffic, 'perMinute'>): number {
  return Math.min(LONGEST, (20 + Math.ceil(REQUESTS / perMinute)) * MINUTE)
}

/** Says a time in words: `20 s`, `41 min`, `2 h`. */
export function timeInWords(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 120) return `${Number(seconds.toFixed(2))} s`
  const minutes = seconds / 60
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Number((minutes / 60).toFixed(1))} h`
}

/** A phase of a run was not waited for any longer, because the run is to end early. */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly'
  readonly reason: HaltReason

  constructor(reason: HaltReason) {
    super(`The run ended early: ${reason}.`)
    this.reason = reason
  }
}

/**
 * Waits for a phase of a run no longer than until its signal, whose reason is a `HaltReason`.
 *
 * @throws EndedEarly when the signal came first
 */
export function until<T>(phase: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new EndedEarly(signal.reason))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    phase.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Waits for something that is not worth more than so many milliseconds. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
