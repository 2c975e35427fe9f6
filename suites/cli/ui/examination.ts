import { judgeSession } from '../../../fixtures/examine/judge.ts'
import { ordinarySituations } from '../../../fixtures/examine/profile.ts'
import type { ProductId } from '../../../fixtures/ground/products.ts'
import type { ClientExchange, JudgedSituation } from '../../../fixtures/recording/traffic.ts'
import { type Attended, conductExamination } from '../clients/conduct-examination.ts'
import { CLIENT } from '../clients/examination-record.ts'

/** The most requests that are shown. */
const MOST_REQUESTS = 60

/** The examination of a client that a page leads. */
export interface LedExamination extends Attended {
  products: readonly ProductId[]
  over: boolean
  /** Why it could not be judged. */
  failed?: string
  /** Returns the situations that have ended, as they are judged. */
  judged(): readonly JudgedSituation[]
  /** Returns the newest requests, newest first. */
  requests(): ClientExchange[]
  /** Judges the whole examination, and writes the run. */
  conclude(): Promise<void>
}

/** Starts an examination that pages lead. It uses a deployment in this process, so nothing is really booked. */
export function startExamination(products: readonly ProductId[], out: string): Promise<LedExamination> {
  return new Promise((resolve, reject) => {
    let led: LedExamination | undefined
    const over = conductExamination({
      out,
      products,
      chosen: ordinarySituations(products),
      whole: true,
      attend(attended) {
        const { session } = attended
        led = {
          ...attended,
          products,
          over: false,
          judged: () => judgeSession(CLIENT, session),
          requests: () => session.traffic().exchanges.slice(-MOST_REQUESTS).reverse(),
          async conclude() {
            attended.end()
            await over.catch(() => {})
          },
        }
        resolve(led)
      },
    })
    over.then(
      () => led !== undefined && Object.assign(led, { over: true }),
      (error: Error) => {
        if (led === undefined) reject(error)
        else Object.assign(led, { over: true, failed: error.message })
      },
    )
  })
}
