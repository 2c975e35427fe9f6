import { EXIT } from './failure.ts'

/** A terminal and npm may both pass on one Ctrl-C; a person needs longer for a second one, in milliseconds. */
const SAME_INTERRUPT = 500

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Until the function returned is called: an interrupt calls `first`; another one calls `second` and ends the process
 * at once.
 */
export function onInterrupt(first: () => void, second: () => void): () => void {
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
