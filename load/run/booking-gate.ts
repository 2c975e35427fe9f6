import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { settlementFor } from '../../fixtures/client/bookkeeping.ts'
import { BookingsClosed, NotAllowed, RunStopped } from '../../fixtures/client/errors.ts'
import { CAUSE, evidenceOf } from '../../fixtures/client/evidence.ts'
import { type Admission, type BookingRules, Guard, stopIfHalted } from '../../fixtures/client/guard.ts'
import { type Ledger, LedgerError } from '../../fixtures/client/ledger.ts'
import type { Shared } from '../../fixtures/client/shared.ts'
import type { Product, ProductKind } from '../../fixtures/control.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import { jsonIn } from '../../fixtures/read-json.ts'
import type { StageGate } from './run-stages.ts'
import type { ReadySender } from './senders.ts'

/** A booking that a scenario is about to make. */
interface IntentOfScenario {
  /** Alias of the sender. */
  who: string
  product: Product
  kind: ProductKind
  path: string
  /** Without the credential. */
  headers: Record<string, string>
  body: string
}

/** The result: an answer, or the reason for none. */
type OutcomeOfScenario = { id: string } & ({ status: number; body: string } | { error: string })

/** The gate that k6 asks before it books: nothing leaves that is not journalled, and nothing that may be real. */
export interface BookingGate extends StageGate {
  close(): Promise<void>
}

interface GateOptions {
  shared: Shared
  rules: BookingRules
  ledger: Ledger
}

/**
 * Opens the booking gate on loopback, under a path that nobody can guess. `POST /intend` answers 200 with an `id` once
 * the confirmation is safely on disk, and `alone` where it may be sent only once and test mode is still to be proven;
 * or 409 with `stop`, a sentence that says why nothing more may be booked. `POST /settle` takes what became of it.
 */
export async function openBookingGate({ shared, rules, ledger }: GateOptions): Promise<BookingGate> {
  const guard = new Guard(shared, rules)
  const known = new Map<string, ReadySender>()
  const open = new Map<string, { admission: Admission; product: Product }>()
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 4 * 1024 * 1024 })
  const secret = randomUUID()
  let refusal: string | undefined

  app.post<{ Body: IntentOfScenario }>(`/${secret}/intend`, async ({ body: intent }, reply) => {
    const by = known.get(intent.who)
    if (by === undefined) return reply.code(400).send({ stop: `Nobody is known as ${intent.who}.` })
    const { role, tenant } = by
    const sender = { role, ...(tenant === undefined ? {} : { tenant }) }
    try {
      const { product, kind } = intent
      const admission = await guard.admit(
        { product, kind, token: by.token, sender, minted: tenant === undefined ? undefined : 'test' },
        () => stopIfHalted(shared),
      )
      try {
        const id = await ledger.intend({
          product,
          kind,
          ...sender,
          proven: admission.proven,
          path: intent.path,
          headers: Object.entries(intent.headers),
          body: intent.body,
        })
        open.set(id, { admission, product })
        return { id, ...(admission.proven ? {} : { alone: true }) }
      } catch (error) {
        admission.decided({ of: 'nothing' })
        throw error
      }
    } catch (error) {
      const expected =
        error instanceof NotAllowed ||
        error instanceof BookingsClosed ||
        error instanceof RunStopped ||
        error instanceof LedgerError
      if (!expected) throw error
      refusal ??= error.message
      return reply.code(409).send({ stop: error.message })
    }
  })

  app.post<{ Body: OutcomeOfScenario }>(`/${secret}/settle`, async ({ body: outcome }, reply) => {
    const intent = open.get(outcome.id)
    open.delete(outcome.id)
    if (intent === undefined) return reply.code(404).send()
    const { admission, product } = intent
    if ('error' in outcome) {
      ledger.settle(outcome.id, { unknown: outcome.error })
      admission.decided({ of: 'unknown', cause: CAUSE.noAnswer })
      return reply.code(204).send()
    }
    const answer = answerOf(outcome.status, outcome.body)
    const evidence = evidenceOf(answer, product)
    ledger.settle(outcome.id, settlementFor(answer, evidence, admission.proven))
    // Nobody reads bookings here: what its answer does not prove stays unproven.
    const isUnproven =
      evidence.of === 'booked' && (!admission.proven || !(evidence.saysTest || evidence.pending))
    admission.decided(isUnproven ? { of: 'unknown', cause: CAUSE.noMode } : evidence)
    return reply.code(204).send()
  })

  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `${address}/${secret}`,
    refusal: () => refusal,
    knows(senders) {
      for (const sender of senders) known.set(sender.alias, sender)
    },
    async close() {
      // k6 was cut off in the middle of these: a repeat will tell.
      for (const [id, { admission }] of open) {
        ledger.settle(id, { unknown: 'k6 ended before its answer came' })
        admission.decided({ of: 'unknown', cause: CAUSE.senderLost })
      }
      await app.close()
    },
  }
}

/** As much of an exchange as tells what was booked. */
function answerOf(status: number, body: string): Exchange {
  return { response: { status, json: jsonIn(body) } } as Exchange
}
