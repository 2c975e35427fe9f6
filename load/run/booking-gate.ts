import { setTimeout as wait } from 'node:timers/promises'
import {
  type BookingRules,
  Bookkeeping,
  Guard,
  type Ledger,
  LedgerError,
  stopIfHalted,
} from '../../fixtures/client/money/index.ts'
import type { Shared } from '../../fixtures/client/pace/index.ts'
import {
  BookingsClosed,
  NotAllowed,
  RunStopped,
  TransportError,
} from '../../fixtures/client/transport/index.ts'
import type { Product, ProductKind } from '../../fixtures/ground/control.ts'
import { confirmationOf } from '../../fixtures/ground/endpoints.ts'
import type { Exchange, HeaderList } from '../../fixtures/ground/exchange.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import { gateFor, type ReadySender, type StageGate } from './run-stages.ts'

/** A booking that a scenario is about to send. */
interface IntentOfScenario {
  /** The alias of the sender. */
  who: string
  product: Product
  kind: ProductKind
  path: string
  /** Without the credential. */
  headers: Record<string, string>
  body: string
}

/** The result of a booking: an answer, or an error. */
type OutcomeOfScenario = { id: string } & ({ status: number; body: string } | { error: string })

interface GateOptions {
  shared: Shared
  rules: BookingRules
  ledger: Ledger
  /** How long a booking that must prove test mode may be repeated, in milliseconds. */
  patience: number
}

/** The gate that k6 asks before it books. It refuses bookings that are not journalled or that may be real. */
interface BookingGate extends StageGate {
  close(): Promise<void>
}

/**
 * Opens the booking gate on loopback, under an unguessable path. `POST /intend` answers 200 with an `id` once the
 * confirmation is on disk, with `alone` if it may be sent only once because test mode is not proven yet; or 409
 * with `stop`, a sentence that says why nothing more may be booked. `POST /settle` takes the result of a booking,
 * and answers 200 with an `id` and `after` milliseconds if it must be sent again.
 */
export async function openBookingGate(options: GateOptions): Promise<BookingGate> {
  const bookings = scenarioBookings(options)
  const known = new Map<string, ReadySender>()
  const { app, path, open } = gateFor()
  let refusal: string | undefined

  app.post<{ Body: IntentOfScenario }>(`${path}/intend`, async ({ body: intent }, reply) => {
    const by = known.get(intent.who)
    if (by === undefined) return reply.code(400).send({ stop: `There is no sender ${intent.who}.` })
    try {
      return await bookings.intend(intent, by)
    } catch (error) {
      if (!EXPECTED.some(kind => error instanceof kind)) throw error
      const { message } = error as Error
      refusal ??= message
      // A refusal ends k6 at once.
      await bookings.settled()
      return reply.code(409).send({ stop: message })
    }
  })

  app.post<{ Body: OutcomeOfScenario }>(`${path}/settle`, async ({ body: outcome }, reply) => {
    const told = await bookings.settle(outcome)
    return told ?? reply.code(told === null ? 404 : 204).send()
  })

  return {
    url: await open(),
    refusal: () => refusal,
    settled: bookings.settled,
    knows(senders) {
      for (const sender of senders) known.set(sender.alias, sender)
    },
    async close() {
      await bookings.cutOff()
      await app.close()
    },
  }
}

/** How long the end of k6 waits for the results of bookings that are under way, in milliseconds. */
const LONGEST_ANSWER = 5_000

/** Why a booking may not be made. Other errors are faults of the kit. */
const EXPECTED = [NotAllowed, BookingsClosed, RunStopped, LedgerError]

/** A booking that may be sent: for the first time, or once more after some milliseconds. */
interface Sendable {
  /** Its entry in the journal. */
  id: string
  alone?: true
  after?: number
}

/** Tracks the bookings that scenarios announce, and their results. */
function scenarioBookings({ shared, rules, ledger, patience }: GateOptions) {
  const guard = new Guard(shared, rules)
  /** By entry of the journal: takes the result of what was sent. */
  const open = new Map<string, (outcome: OutcomeOfScenario) => Promise<Sendable | undefined>>()
  const underWay = new Set<Promise<void>>()

  /** Resolves when the booking may be sent. @throws why it may not */
  async function intend(
    { product, kind, path, headers, body }: IntentOfScenario,
    { token, role, tenant }: ReadySender,
  ): Promise<Sendable | undefined> {
    let told = Promise.withResolvers<Sendable | undefined>()
    let answered = Promise.withResolvers<Exchange>()
    let after: number | undefined
    const endpoint = confirmationOf(product)
    const bookkeeping = new Bookkeeping({
      guard,
      patience,
      stopIfOver: () => stopIfHalted(shared),
      send: () => answered.promise,
      // What the answer does not prove stays unproven.
      read: () => Promise.reject(new Error('the gate cannot read')),
      async wait(milliseconds) {
        after = milliseconds
      },
      ledger: {
        ...ledger,
        async intend(intent) {
          const id = await ledger.intend(intent)
          answered = Promise.withResolvers()
          open.set(id, outcome => {
            told = Promise.withResolvers()
            if ('error' in outcome) answered.reject(unanswered(outcome.error))
            else answered.resolve(answerOf(outcome))
            return told.promise
          })
          const how = after === undefined ? ({ alone: true } as const) : { after }
          told.resolve({ id, ...(intent.proven ? {} : how) })
          return id
        },
      },
    })
    const sender = { role, ...(tenant !== undefined && { tenant }) }
    const sending = bookkeeping
      .send({
        method: 'POST',
        path,
        headers,
        body,
        kind,
        endpoint,
        token,
        sender,
        minted: tenant === undefined ? undefined : 'test',
        check: 'load',
        timeoutMs: 0,
      })
      .then(
        () => told.resolve(undefined),
        error => (error instanceof TransportError ? told.resolve(undefined) : told.reject(error)),
      )
      .finally(() => underWay.delete(sending))
    underWay.add(sending)
    return told.promise
  }

  /** Returns what is to be sent again, if anything; `null` for a booking that was not announced. */
  async function settle(outcome: OutcomeOfScenario): Promise<Sendable | null | undefined> {
    const take = open.get(outcome.id)
    open.delete(outcome.id)
    return take === undefined ? null : take(outcome)
  }

  async function settled(): Promise<void> {
    await Promise.race([Promise.allSettled(underWay), wait(LONGEST_ANSWER, undefined, { ref: false })])
  }

  /** Settles bookings that k6 did not finish as unknown. */
  async function cutOff(): Promise<void> {
    for (const id of open.keys()) void settle({ id, error: 'k6 ended before its answer came' })
    await settled()
  }

  return { intend, settle, cutOff, settled }
}

/** Returns the error for a booking without an answer. */
const unanswered = (message: string) =>
  new TransportError(message, { kind: 'reset', exchange: '', sent: true })

/** Returns the part of an exchange that tells what was booked. */
const answerOf = ({ status, body }: { status: number; body: string }): Exchange =>
  ({ response: { status, json: jsonIn(body), text: body, headers: [] as HeaderList } }) as Exchange
