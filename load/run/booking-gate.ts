import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import Fastify from 'fastify'
import {
  type Admission,
  type Attempt,
  type BookingRules,
  CAUSE,
  evidenceOf,
  evidenceOfAll,
  Guard,
  type Intent,
  keysOf,
  type Ledger,
  LedgerError,
  repeatAfter,
  settlementFor,
  settleTogether,
  stopIfHalted,
} from '../../fixtures/client/money/index.ts'
import type { Shared } from '../../fixtures/client/pace/index.ts'
import { BookingsClosed, NotAllowed, RunStopped } from '../../fixtures/client/transport/index.ts'
import type { Product, ProductKind } from '../../fixtures/ground/control.ts'
import type { Exchange } from '../../fixtures/ground/exchange.ts'
import { refusalOf } from '../../fixtures/ground/own-port.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import { steadyNow } from '../../fixtures/ground/steady-time.ts'
import type { StageGate } from './run-stages.ts'
import type { ReadySender } from './senders.ts'

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
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 4 * 1024 * 1024 })
  const secret = randomUUID()
  let refusal: string | undefined

  app.addHook('onRequest', async ({ headers }, reply) => {
    const stop = refusalOf(headers)
    return stop === undefined ? undefined : reply.code(403).send({ stop })
  })
  app.post<{ Body: IntentOfScenario }>(`/${secret}/intend`, async ({ body: intent }, reply) => {
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

  app.post<{ Body: OutcomeOfScenario }>(`/${secret}/settle`, async ({ body: outcome }, reply) => {
    const told = await bookings.settle(outcome)
    return typeof told === 'object' ? told : reply.code(told ? 204 : 404).send()
  })

  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `${address}/${secret}`,
    refusal: () => refusal,
    settled: bookings.settled,
    knows(senders) {
      for (const sender of senders) known.set(sender.alias, sender)
    },
    async close() {
      bookings.cutOff()
      await app.close()
    },
  }
}

/** How long the end of k6 waits for the results of bookings that are under way, in milliseconds. */
const LONGEST_ANSWER = 5_000

/** Why a booking may not be made. Other errors are faults of the kit. */
const EXPECTED = [NotAllowed, BookingsClosed, RunStopped, LedgerError]

/** A booking that a scenario has announced, with all attempts if it must be repeated. */
interface Announced {
  admission: Admission
  intent: Intent & { product: Product }
  /** The attempts that were answered. */
  attempts: readonly Attempt[]
  until: number
}

/** Tracks the bookings that scenarios announce, and their results. */
function scenarioBookings({ shared, rules, ledger, patience }: GateOptions) {
  const guard = new Guard(shared, rules)
  const open = new Map<string, Announced>()
  const results = new EventEmitter().setMaxListeners(0)

  async function intend(
    { product, kind, path, headers, body }: IntentOfScenario,
    { token, role, tenant }: ReadySender,
  ): Promise<{ id: string; alone?: true }> {
    const sender = { role, ...(tenant === undefined ? {} : { tenant }) }
    const admission = await guard.admit(
      { product, kind, token, sender, minted: tenant === undefined ? undefined : 'test' },
      () => stopIfHalted(shared),
    )
    const { proven } = admission
    const intent = { product, kind, ...sender, proven, path, headers: Object.entries(headers), body }
    try {
      const id = await ledger.intend(intent)
      open.set(id, { admission, intent, attempts: [], until: steadyNow() + patience })
      return { id, ...(proven ? {} : { alone: true }) }
    } catch (error) {
      admission.decided({ of: 'nothing' })
      throw error
    }
  }

  /**
   * Records the result of a booking. Returns false if it was not announced, or, if it must be sent again, the id
   * and the delay in milliseconds.
   */
  async function settle(outcome: OutcomeOfScenario): Promise<boolean | { id: string; after: number }> {
    const announced = open.get(outcome.id)
    open.delete(outcome.id)
    if (announced === undefined) return false
    const { admission, intent, until } = announced
    const attempts = [...announced.attempts, attemptOf(outcome, announced)]
    ledger.settle(outcome.id, attempts.at(-1)!.settlement)
    const terms = { product: intent.product, again: admission.again, keys: keysOf(intent), until }
    const after = repeatAfter(attempts, terms)
    if (after !== undefined) {
      const id = await ledger.intend(intent).catch(() => undefined)
      if (id !== undefined) {
        open.set(id, { ...announced, attempts })
        return { id, after }
      }
    }
    decide(announced, attempts)
    return true
  }

  /** Settles bookings that k6 did not finish as unknown; a repeat will tell. */
  function cutOff(): void {
    for (const [id, announced] of open) {
      const settlement = { unknown: 'k6 ended before its answer came' }
      ledger.settle(id, settlement)
      decide(announced, [{ entry: id, settlement, evidence: { of: 'unknown', cause: CAUSE.senderLost } }])
    }
  }

  function decide({ admission }: Announced, attempts: readonly Attempt[]): void {
    settleTogether(ledger, attempts)
    admission.decided(evidenceOfAll(attempts))
    results.emit('one')
  }

  async function settled(): Promise<void> {
    const signal = AbortSignal.timeout(LONGEST_ANSWER)
    while (open.size > 0 && !signal.aborted) await once(results, 'one', { signal }).catch(() => {})
  }

  return { intend, settle, cutOff, settled }
}

function attemptOf(outcome: OutcomeOfScenario, { admission, intent, attempts }: Announced): Attempt {
  const entry = outcome.id
  if ('error' in outcome) {
    return {
      entry,
      settlement: { unknown: outcome.error },
      evidence: { of: 'unknown', cause: CAUSE.noAnswer },
    }
  }
  const exchange = answerOf(outcome.status, outcome.body)
  const evidence = evidenceOf(exchange, intent.product, attempts.length > 0)
  const settlement = settlementFor(exchange, evidence, { ...intent, ...admission })
  // The gate cannot read bookings, so what the answer does not prove stays unproven.
  const isUnproven =
    evidence.of === 'booked' && (!admission.proven || !(evidence.saysTest || evidence.pending))
  return {
    entry,
    exchange,
    settlement,
    evidence: isUnproven ? { of: 'unknown', cause: CAUSE.noMode } : evidence,
  }
}

/** Returns the part of an exchange that tells what was booked. */
function answerOf(status: number, body: string): Exchange {
  return { response: { status, json: jsonIn(body), text: body } } as Exchange
}
