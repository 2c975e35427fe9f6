import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLedger } from '../../fixtures/client/money/ledger.ts'
import { EXCHANGES_FILE } from '../../fixtures/client/recording/index.ts'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { ANSWER_MARK } from '../../fixtures/ground/logged.ts'
import type { RawStage } from '../run/run-stages.ts'
import { judging } from '../testing/evidence.ts'
import { AnswerCollector } from './answer-collector.ts'

const SENDER = { role: 'standard', tenant: 'load-1' }
const PATHS = { 'v2-tickets': '/api/v2/bookings', 'v1-park-b': '/api/v1/another-word/ticketConfirm' } as const

const SENDERS = [{ alias: 'first', ...SENDER }]
const RAW = {
  plan: { baseUrl: 'http://127.0.0.1:9', senders: SENDERS },
  senders: SENDERS,
  speed: 1,
  tokens: ['a-credential-of-load'],
  headers: {},
} as unknown as RawStage

/** Returns a log line for an answer to a confirmation or cancellation. */
const lineOf = (path: string, status: number, json: object, at = 1, coding = 'identity') =>
  `${ANSWER_MARK}${JSON.stringify({
    op: path.endsWith('/cancel')
      ? 'v2 cancel'
      : path === PATHS['v2-tickets']
        ? 'v2 book'
        : 'v1 park B confirm',
    who: 'first',
    at,
    took: 1,
    request: {
      method: 'POST',
      url: `http://127.0.0.1:9${path}`,
      headers: { 'Idempotency-Key': 'k1' },
      body: '{"external_reference":"k1"}',
    },
    response: {
      status,
      headers: { 'content-type': 'application/json', 'content-encoding': coding },
      body: JSON.stringify(json),
    },
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
    const { evidence, recorder } = judging('booking-contention')
    await new AnswerCollector({ recorder, ledger, evidence }).collect(RAW, join(dir, 'answers'))
    const standing = ledger.standing()
    expect(standing).toHaveLength(product === 'v2-tickets' ? 2 : 3)
    expect(standing[0]).toMatchObject({ product, bookingId: '7' })
    expect(standing.slice(1).every(({ proven }) => !proven)).toBe(true)
  },
)

test('what is too much, or packed so that nobody can read it, is told as requests whose answers are not known', async () => {
  const dir = temporaryFolder()
  const made = (at: number, coding?: string) =>
    lineOf(PATHS['v2-tickets'], 201, { booking_id: at }, at, coding)
  writeFileSync(join(dir, 'answers'), [made(1, 'x-gzip'), made(10), made(11), made(12)].join(''))
  const { evidence, recorder } = judging('booking-contention', dir)
  const rows = await new AnswerCollector({ recorder, evidence }, 1).collect(RAW, join(dir, 'answers'))
  expect(rows.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(evidence.judged).toBe(1)
  expect(evidence.close().facts).toEqual([
    expect.stringMatching(/^3 answers were neither recorded nor judged/),
  ])
  await recorder.close()
  const lines = readFileSync(join(dir, EXCHANGES_FILE), 'utf8').trim().split('\n')
  const exchanges = lines.map(line => JSON.parse(line)).filter(({ fact }) => fact === undefined)
  // The last one was sent after all that is recorded was answered.
  expect(exchanges.map(({ startedAt, response }) => [Date.parse(startedAt), response?.status])).toEqual([
    [1, undefined],
    [10, 201],
    [11, undefined],
  ])
})
