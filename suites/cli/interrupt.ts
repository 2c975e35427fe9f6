import { halt, type Shared } from '../../fixtures/client/shared.ts'
import { EXIT } from './failure.ts'

/** A terminal and npm may both pass on one Ctrl-C; a person needs longer for a second one, in milliseconds. */
const SAME_INTERRUPT = 500

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Until the function returned is called: an interrupt calls `first`; another one calls `second` and ends the process
 * at once.
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
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

/**
 * Until it is released: an interrupt halts a run, so that what was booked is cancelled and what was found is written;
 * another one ends the process at once.
 *
 * @param out folder of the run
 */
export function haltOnInterrupt(
  shared: Shared,
  out: string,
  onNotice: (sentence: string) => void,
): { stopping: AbortController; release: () => void } {
  const stopping = new AbortController()
  const release = onInterrupt(
    () => {
      onNotice('Interrupted: cancelling what was booked. Once more to stop at once.')
      halt(shared, 'interrupted')
      stopping.abort()
    },
    () => onNotice(`Stopped at once. What may still be booked: tss cleanup ${out}`),
  )
  return { stopping, release }
}
