import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { listening, temporaryFolder, untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { header } from '../../fixtures/ground/exchange.ts'
import { findK6 } from '../k6/index.ts'
import { bundleScenario } from '../plan/bundle.ts'
import type { Plan } from '../plan/plan.ts'
import { runK6 } from '../run/k6-process.ts'
import { type LoadExchange, type LoadFailure, readAnswerLog, type StageEvidence } from './evidence.ts'
import { type MergedScenario, mergeRuns } from './merge.ts'

// A scenario of the kit, run by k6 as one process and as two, against a server with fixed answers.

/** Longer than common log limits, and with all kinds of line separators. */
const LONG = JSON.stringify({ note: `é\u2028\n\r\u0000${'x'.repeat(5 * 1024 * 1024)}` })

/** Invalid in every text encoding. */
const PDF = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0x00, 0xff, 0x0a, 0x80])

const until = untilFileEnds()
const dir = temporaryFolder(until)
let plan: Plan
let whole: MergedScenario
let halves: MergedScenario
/** The first read gets the long answer. */
let reads = 0

const of = (merged: MergedScenario): StageEvidence => merged.stages.get('journey-mix')!

beforeAll(async () => {
  plan = {
    scenario: 'journey-mix',
    stage: 'journey-mix',
    baseUrl: (await listening(answer, until)).origin,
    settings: { rate: 20, duration: 2 },
    senders: ['first', 'second', 'third'].map(alias => ({ alias, role: 'standard' })),
    products: ['v2-transfers'],
    shapes: {
      probes: {
        v1: { method: 'GET', path: '/api/v1/probe' },
        v2: { method: 'GET', path: '/api/v2/probe' },
      },
      asks: {
        'v2-transfers': ['2027-01-01', '2027-01-02', '2027-01-03'].map(day => ({
          kind: 'transfers' as const,
          request: { product_ids: [1, 2], from: day, to: day },
          item: {},
        })),
      },
    },
    nonce: 'n0nce',
  }
  const { path: k6 } = await findK6()
  const script = await bundleScenario('journey-mix')
  const run = (name: string, ...args: string[]) =>
    runK6({ k6, script, plan, tokens: ['token-1', 'token-2', 'token-3'], dir: join(dir, name), args })
  const half = (segment: string) => [`--execution-segment=${segment}`, '--execution-segment-sequence=0,1/2,1']
  await run('whole')
  await Promise.all([run('halves/first', ...half('0:1/2')), run('halves/second', ...half('1/2:1'))])
  whole = (await mergeRuns([join(dir, 'whole')]))[0]!
  halves = (await mergeRuns([join(dir, 'halves')]))[0]!
}, 600_000)

/** Returns the count of each value. */
function counted(values: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of [...values].sort()) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const calls = ({ requests }: StageEvidence) =>
  counted(
    requests.map(({ op, api, who, part, status, errorCode }) =>
      [op, api, who, part, status, errorCode].join(' | '),
    ),
  )

async function answersOf(merged: MergedScenario): Promise<(LoadExchange | LoadFailure)[]> {
  const answers: (LoadExchange | LoadFailure)[] = []
  for (const log of merged.logs.get('journey-mix')!) {
    const { baseUrl, senders } = plan
    const nextId = () => `${answers.length + 1}`
    await readAnswerLog(log, { baseUrl, senders, check: 'check', nextId }, answer => answers.push(answer))
  }
  return answers
}

test('two processes with execution segments send the same as one', () => {
  expect(of(halves).iterations).toEqual(of(whole).iterations)
  expect(calls(of(halves))).toEqual(calls(of(whole)))
  const measured = ({ measures }: StageEvidence) =>
    counted([...measures].flatMap(([name, values]) => values.map(({ tags }) => `${name} ${tags.op}`)))
  expect(measured(of(halves))).toEqual(measured(of(whole)))
  expect(measured(of(halves))['tss_from_schedule journey']).toBe(40)
})

test('they book under the same keys, none of them twice', async () => {
  const keys = (answers: (LoadExchange | LoadFailure)[]) =>
    answers
      .filter(({ op }) => op === 'v2 book')
      .map(({ request }) => header(request.headers as LoadExchange['request']['headers'], 'Idempotency-Key'))
      .sort()
  const [one, two] = [keys(await answersOf(whole)), keys(await answersOf(halves))]
  expect(two).toEqual(one)
  expect(new Set(two).size).toBe(two.length)
  expect(two.length).toBeGreaterThan(10)
})

test('every answer was written down whole, however long, and whatever is in it', async () => {
  const answers = await answersOf(whole)
  expect(answers).toHaveLength(of(whole).requests.length)
  const exchanges = answers.filter(answer => 'response' in answer)
  expect(exchanges).toHaveLength(answers.length)
  const long = exchanges.filter(({ response }) => response.text.length > 1000)
  expect(long.map(({ op }) => op)).toEqual(['v2 booking'])
  expect(long[0]!.response.text === LONG).toBe(true)
  expect(long[0]!.response.validUtf8).toBe(true)
  const voucher = exchanges.find(({ op }) => op === 'v2 voucher')!
  expect(Buffer.from(voucher.response.body)).toEqual(PDF)
})

/** Answers as documented, as far as a journey reads it. */
function answer({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const json = (status: number, body: unknown) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  if (url === '/api/v2/transfers/availability') {
    json(200, { results: [{ product_id: 1, days: [{ availability: 'available', offer_id: 'offer-1' }] }] })
  } else if (url === '/api/v2/offers/check') json(200, { offer: { offer_id: 'offer-2' } })
  else if (url === '/api/v2/bookings') json(201, { booking: { booking_id: 7, status: 'confirmed' } })
  else if (url.endsWith('/voucher')) {
    response.writeHead(200, { 'Content-Type': 'application/pdf' })
    response.end(PDF)
  } else if (method === 'GET' && url.startsWith('/api/v2/bookings/') && reads++ === 0) json(200, LONG)
  else json(200, {})
}
