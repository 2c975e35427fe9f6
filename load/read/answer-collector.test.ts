import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLedger } from '../../fixtures/client/money/ledger.ts'
import { Recorder } from '../../fixtures/client/recording/recorder.ts'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { ANSWER_MARK } from '../../fixtures/ground/logged.ts'
import type { Plan } from '../plan/plan.ts'
import { AnswerCollector } from './answer-collector.ts'

const SENDER = { role: 'standard', tenant: 'load-1' }
const PATHS = { 'v2-tickets': '/api/v2/bookings', 'v1-park-b': '/api/v1/another-word/ticketConfirm' } as const

/** Returns a log line for an answer to a confirmation or cancellation. */
const lineOf = (path: string, status: number, json: object) =>
  `${ANSWER_MARK}${JSON.stringify({
    op: path.endsWith('/cancel')
      ? 'v2 cancel'
      : path === PATHS['v2-tickets']
        ? 'v2 book'
        : 'v1 park B confirm',
    who: 'first',
    at: 1,
    took: 1,
    request: {
      method: 'POST',
      url: `http://127.0.0.1:9${path}`,
      headers: { 'Idempotency-Key': 'k1' },
      body: '{"external_reference":"k1"}',
    },
    response: { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) },
  })}\n`

test.each(['v2-tickets', 'v1-park-b'] as const)(
  'of copies of a confirmation of %s that made several bookings, each that was not cancelled may stand',
  async product => {
    const dir = temporaryFolder()
    const ledger = createLedger({ dir: null, worker: 0 })
    const path = PATHS[product]
    const told = { product, ...SENDER, path, headers: [], body: '{"external_reference":"k1"}', proven: true }
    ledger.settle(await ledger.intend(told), { bookingId: '7' })
    const made = [7, 8, 8, 9].map(id => lineOf(path, 200, { id_order: id, booking_id: id }))
    const cancelled = lineOf('/api/v2/bookings/9/cancel', 200, {
      booking: { booking_id: 9, status: 'cancelled' },
    })
    writeFileSync(join(dir, 'answers'), [...made, cancelled, lineOf(path, 409, {})].join(''))
    const collector = new AnswerCollector({
      check: 'load: booking-contention',
      recorder: new Recorder({ dir: null, worker: 0 }),
      ledger,
      observe() {},
    })
    const senders = [{ alias: 'first', ...SENDER }]
    const plan = { baseUrl: 'http://127.0.0.1:9', senders } as unknown as Plan
    await collector.collect(plan, { tokens: [], headers: {} }, join(dir, 'answers'))
    const standing = ledger.standing()
    expect(standing).toHaveLength(product === 'v2-tickets' ? 2 : 3)
    expect(standing[0]).toMatchObject({ product, bookingId: '7' })
    expect(standing.slice(1).every(({ proven }) => !proven)).toBe(true)
  },
)
