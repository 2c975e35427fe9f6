import { closedBookings } from '../../fixtures/client/guard.ts'
import type { Shared } from '../../fixtures/client/shared.ts'
import type { Deployment } from '../../fixtures/deployments/definition.ts'

const LOOK_EVERY = 250

/**
 * Says once, and as soon as it happens, which bookings a run has ended because one of them may have been real. The
 * function returned says what is left to say, and ends it.
 */
export function tellClosedBookings(
  shared: Shared,
  deployment: Deployment,
  onNotice: (sentence: string) => void,
): () => void {
  const said = new Set<string>()
  const tell = () => {
    for (const sentence of closedBookings(shared, deployment)) {
      if (said.has(sentence)) continue
      said.add(sentence)
      onNotice(sentence)
    }
  }
  const timer = setInterval(tell, LOOK_EVERY).unref()
  return () => {
    clearInterval(timer)
    tell()
  }
}
