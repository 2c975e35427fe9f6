import type { JudgedSituation } from '../../../fixtures/examine/judge.ts'
import { judgeSession } from '../../../fixtures/examine/judge.ts'
import { situationsFor } from '../../../fixtures/examine/profile.ts'
import type { ClientExchange } from '../../../fixtures/examine/traffic.ts'
import type { ProductId } from '../../../fixtures/ground/products.ts'
import { wrongCall } from '../../../fixtures/run/failure.ts'
import { type Attended, conductExamination } from '../conduct-examination.ts'

/** The most requests that are shown. */
const MOST_REQUESTS = 60

/** The examination of a client that a page leads. */
export interface LedExamination extends Attended {
  products: readonly ProductId[]
  /** The judged situations that have ended. */
  judged: readonly JudgedSituation[]
  over: boolean
  /** Why it could not be judged. */
  failed?: string
  /** Returns the newest requests, newest first. */
  requests(): ClientExchange[]
  begin(situation: string): Promise<void>
  /** Ends the current situation; if the client did not finish (`cut`), it is judged as far as it went. */
  finish(end: 'done' | 'cut'): Promise<void>
  /** Judges the whole examination, and writes the run. */
  end(): Promise<void>
}

interface ExaminationWish {
  client: string
  products: readonly ProductId[]
  /** The most minutes that a situation may take. */
  patience: number
  /** The port for the client; 0 for a free one. */
  port: number
}

/**
 * Starts an examination that pages lead. It uses a deployment in this process, so nothing is really booked.
 *
 * @throws {Failure} if its port is taken
 */
export function startExamination(
  { client: name, products, patience, port }: ExaminationWish,
  out: string,
): Promise<LedExamination> {
  const chosen = situationsFor(products, patience)
  if (chosen.length === 0)
    throw wrongCall(`No situation of ${products.join(', ')} takes ${patience} minutes or less: allow more.`)
  return new Promise((resolve, reject) => {
    let led: LedExamination | undefined
    const over = conductExamination({
      out,
      port,
      products,
      chosen,
      patience,
      client: name,
      whole: true,
      attend(attended) {
        led = lead(attended, products, over)
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

function lead(attended: Attended, products: readonly ProductId[], over: Promise<unknown>): LedExamination {
  const { actions, client } = attended
  const judge = () => {
    led.judged = judgeSession(client.name, client.session)
  }
  const led: LedExamination & { judged: readonly JudgedSituation[] } = {
    ...attended,
    products,
    judged: [],
    over: false,
    requests: () => client.session.traffic().exchanges.slice(-MOST_REQUESTS).reverse(),
    async begin(id) {
      const row = client.situations.find(({ situation }) => situation.id === id)
      if (row === undefined) throw wrongCall(`This examination has no situation ${id}.`)
      await actions.begin(client, row.situation)
      judge()
    },
    async finish(end) {
      await actions.finish(client, end)
      judge()
    },
    async end() {
      actions.end()
      await over.catch(() => {})
    },
  }
  return led
}
