import { type HaltReason, halt, type Shared } from '../../fixtures/client/shared.ts'
import { EXIT } from './failure.ts'

/** A terminal and npm may both pass on one Ctrl-C; a person needs longer for a second one, in milliseconds. */
const SAME_INTERRUPT = 500

/** The longest that a timer can wait, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Until the function returned is called: an interrupt calls `first`; another one calls `second` and ends the process
 * at once. That whoever started this process is gone is an interrupt, too.
 */
function onInterrupt(first: () => void, second: () => void): () => void {
  let firstAt: number | undefined
  const onSignal = () => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      first()
    } else if (performance.now() - firstAt > SAME_INTERRUPT) {
      second()
      process.exit(EXIT.interrupted)
    }
  }
  const onOrphaned = () => {
    if (firstAt === undefined) onSignal()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  process.on('disconnect', onOrphaned)
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
    process.off('disconnect', onOrphaned)
  }
}

/** What ends a run early, whichever of its phases it is in. */
export interface EarlyEnd {
  /** Its reason is a `HaltReason`. */
  signal: AbortSignal
  /** From here on workers hear of it, and a second interrupt says how to clean up in the folder of the run. */
  tell(shared: Shared, out: string): void
  /** The run is over by itself after that many milliseconds from now. */
  limit(milliseconds: number): void
  release(): void
}

/**
 * Until it is released: an interrupt ends a run early, so that what was booked is cancelled and what was found is
 * written; another one ends the process at once.
 */
export function endEarly(onNotice: (sentence: string) => void): EarlyEnd {
  const ending = new AbortController()
  let shared: Shared | undefined
  let out: string | undefined
  let timer: NodeJS.Timeout | undefined

  const end = (reason: HaltReason) => {
    if (ending.signal.aborted) return
    if (shared !== undefined) halt(shared, reason)
    ending.abort(reason)
  }
  const release = onInterrupt(
    () => {
      onNotice('Interrupted: cancelling what was booked. Once more to stop at once.')
      end('interrupted')
    },
    () =>
      onNotice(
        out === undefined
          ? 'Stopped at once. Nothing was booked.'
          : `Stopped at once. What may still be booked: tss cleanup ${out}`,
      ),
  )
  return {
    signal: ending.signal,
    tell(memory, folder) {
      shared = memory
      out = folder
      if (ending.signal.aborted) halt(memory, ending.signal.reason)
    },
    limit(milliseconds) {
      clearTimeout(timer)
      timer = setTimeout(() => end('out of time'), Math.max(0, Math.min(milliseconds, LONGEST_TIMER)))
    },
    release() {
      clearTimeout(timer)
      release()
    },
  }
}

/**
 * The same for a run whose folder exists already.
 *
 * @param out folder of the run
 */
export function haltOnInterrupt(
  shared: Shared,
  out: string,
  onNotice: (sentence: string) => void,
): { stopping: { signal: AbortSignal }; release: () => void } {
  const end = endEarly(onNotice)
  end.tell(shared, out)
  return { stopping: end, release: end.release }
}
