import { afterAll, beforeAll, expect, test } from 'vitest'
import { flagged } from '../../fixtures/contracts/reading.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import { ENDPOINTS } from '../../fixtures/ground/endpoints.ts'
import { header, type SentRequest } from '../../fixtures/ground/exchange.ts'
import { referenceIn } from '../../fixtures/ground/ids.ts'
import { productsOf } from '../../fixtures/ground/products.ts'
import type { Plan, ScenarioName } from '../plan/plan.ts'
import { METRIC, type Operation } from '../scenarios/lib/output.ts'
import { type K6Stages, openStages, type StageResult, sum } from '../testing/k6-stages.ts'

let stages: K6Stages

beforeAll(async () => {
  stages = await openStages()
}, 600_000)

afterAll(() => stages.close())

/** Runs a stage, and asserts what is true of every successful stage. */
async function run(...stage: Parameters<K6Stages['run']>): Promise<StageResult> {
  const result = await stages.run(...stage)
  const { samples, answers, failures, counted, log, asides, leaks } = result
  expect(leaks).toEqual([])
  expect(log).not.toMatch(/level=error|Error:/)
  expect(asides).toEqual([])
  expect(samples.iterations.dropped).toBe(0)
  expect(samples.requests.length).toBeGreaterThan(0)
  for (const { op, api, part } of samples.requests) {
    expect(op.startsWith(`${api} `)).toBe(true)
    expect(part).not.toBe('')
  }
  expect(counted.requests).toBe(samples.requests.length)
  expect(answers.length + failures.length).toBe(samples.requests.length)
  return result
}

/** Returns the count of each kind of answer. */
function tally({ samples }: StageResult, by: 'op' | 'part'): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of samples.requests) {
    const name = `${row[by]} ${row.status}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const does =
  (what: 'books' | 'cancels') =>
  ({ op }: { op: Operation }) =>
    ENDPOINTS.some(({ id, does }) => id === op && does === what)
const isBooking = does('books')
const isCancellation = does('cancels')

/** Returns the key or reference of a confirmation. */
const keysOf = ({ headers, body }: SentRequest): string | undefined =>
  header(headers, 'Idempotency-Key') ?? referenceIn(Buffer.from(body ?? []).toString())

const JOURNEYS: readonly [ScenarioName, Plan['settings']][] = [
  ['journey-mix', { rate: 20, duration: 1, pollEvery: 100 }],
  ['soak', { rate: 20, duration: 1, pollEvery: 100 }],
  ['spike', { rate: 5, spike: 3, before: 0.6, during: 1, after: 0.6, pollEvery: 100 }],
  ['breakpoint', { from: 5, to: 25, duration: 1, p95: 5000, errorShare: 0.01, pollEvery: 100 }],
]

test('a pace has exactly as many requests as planned, also where k6 works in two segments', async () => {
  const { 'company 1': partner, 'company 2': another } = await stages.companies(2)
  const settings = { perMinute: 120, minutes: 1, speed: 120 }
  const whole = await run('rate-limit-sustained', settings, { partner: partner! }, { stage: 'sustained' })
  expect(tally(whole, 'part')).toEqual({ 'v1 200': 120, 'v2 200': 120 })
  const halves = []
  for (const segment of ['0:1/2', '1/2:1']) {
    const args = [`--execution-segment=${segment}`, '--execution-segment-sequence=0,1/2,1']
    halves.push(await run('rate-limit-sustained', settings, { another: another! }, {}, args))
  }
  expect(halves.map(half => half.samples.requests.length)).toEqual([120, 120])
})

test('an overrun goes on past the limit at its pace', async () => {
  const { 'company 1': burst } = await stages.companies(1)
  const settings = { vus: 1, burst: 1, overrunPerMinute: 540, overrunMinutes: 1, speed: 10 }
  const overrun = await run('rate-limit-burst', settings, { burst: burst! }, { stage: 'overrun' })
  expect(tally(overrun, 'part')).toEqual({ 'v1 200': 500, 'v1 429': 40, 'v2 200': 500, 'v2 429': 40 })
})

test('a search that does not end in time is given up', async () => {
  const settings = { rate: 2, duration: 1, pollEvery: 20, timeout: 0.1 }
  const { samples } = await run('search-polling', settings, await stages.companies(1), {
    products: ['v2-hotels'],
  })
  expect(sum(samples.measures.get(METRIC.searchUnfinished)!.map(({ value }) => value))).toBe(2)
})

const V2: readonly Product[] = productsOf('v2')
const V1: readonly Product[] = productsOf('v1')
/** Live credentials. v1 hotels and transfers promise a replay only to them. */
const LIVE = { modes: { transfers: 'live', parkA: 'live', parkB: 'live', hotels: 'live' } } as const

test.each([...V2.map(product => [product, [product]] as const), ['v1, by reference', V1] as const])(
  'every key is sent many times over and makes one booking of %s',
  async (_, products) => {
    const settings = { keys: 20, copies: 4, rate: 20, pollEvery: 100 }
    const senders = await stages.companies(8, products === V1 ? LIVE : {})
    const contention = await run('booking-contention', settings, senders, { products })
    expect(contention.counted.bookings).toBe(20)
    const booked = contention.answers.filter(isBooking)
    const keys = Map.groupBy(booked, ({ op, request }) => `${op} ${keysOf(request)}`)
    expect(keys.size).toBe(20)
    expect(new Set(booked.map(({ op }) => op)).size).toBe(products.length)
    for (const answers of keys.values()) {
      const made = answers.filter(
        answer => answer.response.status < 300 && !flagged(answer, 'idempotent_replay'),
      )
      expect(answers.length).toBeGreaterThanOrEqual(5)
      expect(made).toHaveLength(1)
      expect(answers.at(-1)!.response.status).toBe(200)
    }
    expect(contention.answers.filter(isCancellation)).toEqual([])
  },
)

test('copies of a booking leave at the same time', async () => {
  const settings = { keys: 3, copies: 12, rate: 3 }
  const senders = await stages.companies(1)
  await stages.control.delay(senders['company 1']!.tenant, 'v2 book', 300)
  const { samples } = await run('booking-contention', settings, senders, { products: ['v2-transfers'] })
  const books = samples.requests.filter(({ op }) => op === 'v2 book')
  const [first, last] = [books[0]!, books[11]!]
  expect(last.at).toBeLessThan(first.at + first.took)
})

test.each(JOURNEYS)(
  'journeys of %s browse, buy what they find of every product and cancel what they bought',
  async (scenario, settings) => {
    const { samples, answers, failures, counted } = await run(scenario, settings, await stages.companies(7))
    const cancelled = answers.filter(answer => isCancellation(answer) && answer.response.status === 200)
    expect(counted.bookings).toBeGreaterThan(5)
    expect(cancelled).toHaveLength(counted.bookings)
    expect(failures).toEqual([])
    const isVoucher = ({ op }: { op: string }) => op.endsWith('voucher')
    expect(answers.filter(answer => answer.response.status >= 400 && !isVoucher(answer))).toEqual([])
    const journeys = samples.measures.get(METRIC.fromSchedule)!.filter(({ tags }) => tags.op === 'journey')
    expect(journeys).toHaveLength(samples.iterations.completed)
    expect(Math.min(...journeys.map(({ value }) => value))).toBeGreaterThan(0)
  },
)

test('of journeys that are not drawn, statuses are counted; what failed is written down all the same', async () => {
  const senders = await stages.companies(7)
  for (const { tenant } of Object.values(senders))
    await stages.control.setOutcome(tenant, 'transfers', 'book', { kind: 'providerError' })
  const settings = { rate: 20, duration: 2, pollEvery: 100, judge: 0.3 }
  const { samples, answers, failures, counted } = await stages.run('journey-mix', settings, senders)
  const [light, judged] = [true, undefined].map(wanted =>
    samples.requests.filter(row => row.light === wanted),
  )
  expect(counted.requests).toBe(light!.length + judged!.length)
  expect(light!.length).toBeGreaterThan(judged!.length)
  expect([...answers, ...failures].filter(answer => !answer.light)).toHaveLength(judged!.length)
  expect(judged!.length).toBeGreaterThan(10)
  const failed = light!.filter(({ status }) => status >= 500)
  expect(failed.length).toBeGreaterThan(0)
  expect(answers.filter(answer => answer.light)).toHaveLength(failed.length)
})
