import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { settlementOf } from '../../fixtures/client/confirmations.ts'
import { NotAllowed, RunStopped } from '../../fixtures/client/errors.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { type BookingRules, createGuard, stopIfHalted } from '../../fixtures/client/guard.ts'
import { type Ledger, LedgerError } from '../../fixtures/client/ledger.ts'
import type { Shared } from '../../fixtures/client/shared.ts'
import type { Product } from '../../fixtures/deployments/control.ts'
import type { StageGate } from './run-stages.ts'
import type { ReadySender } from './senders.ts'

/** A booking that a scenario is about to make. */
interface IntentOfScenario {
  /** Alias of the sender. */
  who: string
  product: Product
  path: string
  /** Without the credential. */
  headers: Record<string, string>
  body: string
}

/** What came of it: an answer, or the reason for none. */
type OutcomeOfScenario = { id: string } & ({ status: number; body: string } | { error: string })

/** Where k6 asks before it books: nothing leaves that is not journalled, and nothing that may be real. */
export interface BookingGate extends StageGate {
  close(): Promise<void>
}

interface GateOptions {
  shared: Shared
  rules: BookingRules
  ledger: Ledger
}

/**
 * Opens the booking gate on loopback, under a path that nobody can guess. `POST /intend` answers 200 with an `id` once the
 * confirmation is safely on disk, or 409 with `stop`, a sentence that says why nothing more may be booked;
 * `POST /settle` takes what became of it.
 */
export async function openBookingGate({ shared, rules, ledger }: GateOptions): Promise<BookingGate> {
  const guard = createGuard(shared, rules)
  const known = new Map<string, ReadySender>()
  const open = new Map<string, Awaited<ReturnType<typeof guard.admit>>>()
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 4 * 1024 * 1024 })
  const secret = randomUUID()
  let refusal: string | undefined

  app.post<{ Body: IntentOfScenario }>(`/${secret}/intend`, async ({ body: intent }, reply) => {
    const by = known.get(intent.who)
    if (by === undefined) return reply.code(400).send({ stop: `Nobody is known as ${intent.who}.` })
    const { role, tenant } = by
    const sender = { role, ...(tenant === undefined ? {} : { tenant }) }
    try {
      const decided = await guard.admit({ product: intent.product, token: by.token, sender }, () =>
        stopIfHalted(shared),
      )
      try {
        const id = await ledger.intend({
          product: intent.product,
          ...sender,
          path: intent.path,
          headers: Object.entries(intent.headers),
          body: intent.body,
        })
        open.set(id, decided)
        return { id }
      } catch (error) {
        decided({ nothingBooked: true })
        throw error
      }
    } catch (error) {
      const expected =
        error instanceof NotAllowed || error instanceof RunStopped || error instanceof LedgerError
      if (!expected) throw error
      refusal ??= error.message
      return reply.code(409).send({ stop: error.message })
    }
  })

  app.post<{ Body: OutcomeOfScenario }>(`/${secret}/settle`, async ({ body: outcome }, reply) => {
    const settlement =
      'error' in outcome ? { unknown: outcome.error } : settlementOf(answerOf(outcome.status, outcome.body))
    ledger.settle(outcome.id, settlement)
    open.get(outcome.id)?.(settlement)
    open.delete(outcome.id)
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
      for (const [id, decided] of open) {
        const settlement = { unknown: 'k6 ended before its answer came' }
        ledger.settle(id, settlement)
        decided(settlement)
      }
      await app.close()
    },
  }
}

/** As much of an exchange as tells what was booked. */
function answerOf(status: number, body: string): Exchange {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    json = undefined
  }
  return { response: { status, json } } as Exchange
}
