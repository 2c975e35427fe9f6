import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listening, temporaryFolder } from '../../fixtures/client/testing/until.ts'
import { findK6 } from '../k6/index.ts'
import { bundleScenario } from '../plan/bundle.ts'
import { RAW, runK6 } from '../run/k6-process.ts'
import { planOf } from '../testing/plans.ts'
import { type LoadExchange, type LoadFailure, readAnswerLog } from './evidence.ts'

/** Longer than common log limits, and with all kinds of line separators. */
const LONG = JSON.stringify({ note: `é\u2028\n\r\u0000${'x'.repeat(5 * 1024 * 1024)}` })

/** Invalid in every text encoding. */
const PDF = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0x00, 0xff, 0x0a, 0x80])

/** The first read gets the long answer. */
let reads = 0

/** Answers as documented, as far as a journey reads it. */
function answer({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const json = (status: number, body: unknown) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  if (url === '/api/v2/transfers/availability')
    json(200, { results: [{ product_id: 1, days: [{ availability: 'available', offer_id: 'offer-1' }] }] })
  else if (url === '/api/v2/offers/check') json(200, { offer: { offer_id: 'offer-2' } })
  else if (url === '/api/v2/bookings') json(201, { booking: { booking_id: 7, status: 'confirmed' } })
  else if (url.endsWith('/voucher')) response.writeHead(200, { 'Content-Type': 'application/pdf' }).end(PDF)
  else json(200, method === 'GET' && url.startsWith('/api/v2/bookings/') && reads++ === 0 ? LONG : {})
}

test('every answer is written down whole, however long, and whatever is in it', async () => {
  const dir = temporaryFolder()
  const plan = planOf({
    baseUrl: (await listening(answer)).origin,
    settings: { rate: 10, duration: 1 },
    senders: [{ alias: 'first', role: 'standard' }],
    products: ['v2-transfers'],
    shapes: {
      probes: { v1: { method: 'GET', path: '/api/v1/probe' } },
      asks: { 'v2-transfers': [{ kind: 'transfers', request: { product_ids: [1] }, item: {} }] },
    },
  })
  const { path: k6 } = await findK6()
  await runK6({ k6, script: await bundleScenario('journey-mix'), plan, tokens: ['token-1'], dir })
  const answers: (LoadExchange | LoadFailure)[] = []
  const context = { ...plan, check: 'check', nextId: () => `${answers.length}` }
  await readAnswerLog(join(dir, RAW.answers), context, one => answers.push(one))
  const exchanges = answers.filter(one => 'response' in one)
  expect(exchanges).toHaveLength(answers.length)
  const long = exchanges.filter(({ response }) => response.text.length > 1000)
  expect(long.map(({ op }) => op)).toEqual(['v2 booking'])
  expect(long[0]!.response.text === LONG).toBe(true)
  const voucher = exchanges.find(({ op }) => op === 'v2 voucher')!
  expect(Buffer.from(voucher.response.body)).toEqual(PDF)
})
