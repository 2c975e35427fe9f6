import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listening } from '../../fixtures/client/testing/until.ts'
import { ENDPOINTS } from '../../fixtures/ground/endpoints.ts'
import { METRIC } from '../scenarios/lib/output.ts'
import { type K6Stages, openStages, sum } from '../testing/k6-stages.ts'

let stages: K6Stages

beforeAll(async () => {
  stages = await openStages()
}, 600_000)

afterAll(() => stages.close())

/** Opens a booking gate that always gives the same answer and records what it receives. */
async function openBookingGate(answer: { status: number; body: unknown }) {
  const heard: { path: string; message: Record<string, unknown> }[] = []
  const { origin } = await listening(async (request, response) => {
    const path = request.url ?? ''
    heard.push({ path, message: (await json(request)) as Record<string, unknown> })
    const { status, body } = path.endsWith('/intend') ? answer : { status: 204, body: undefined }
    response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body))
  })
  return { url: `${origin}/secret`, heard }
}

/** The endpoints that book. */
const BOOKS: readonly string[] = ENDPOINTS.flatMap(({ id, does }) => (does === 'books' ? [id] : []))

const CONTENTION = { keys: 6, copies: 3, rate: 12 }
const MIX = { rate: 10, duration: 1, pollEvery: 100 }

test('a booking is reported to the gate before it is sent, and its result afterwards', async () => {
  const gate = await openBookingGate({ status: 200, body: { id: 'intent' } })
  const senders = await stages.companies(3)
  const { answers, samples, counted } = await stages.run('journey-mix', MIX, senders, { gate: gate.url })
  const intents = gate.heard.filter(({ path }) => path === '/secret/intend')
  const settled = gate.heard.filter(({ path }) => path === '/secret/settle')
  const booked = answers.filter(({ op }) => BOOKS.includes(op))
  expect(counted.bookings).toBeGreaterThan(3)
  expect(new Set(booked.map(({ op }) => op)).size).toBeGreaterThan(1)
  expect(intents).toHaveLength(counted.bookings)
  expect(intents.map(({ message }) => message.body).sort()).toEqual(
    booked.map(({ request }) => Buffer.from(request.body!).toString()).sort(),
  )
  for (const { message } of intents) {
    expect(Object.keys(senders)).toContain(message.who)
    expect(booked.map(({ request }) => request.path)).toContain(message.path)
    const key = message.path === '/api/v2/bookings' ? message.headers : JSON.parse(String(message.body))
    expect(key).toHaveProperty(message.path === '/api/v2/bookings' ? 'idempotency-key' : 'external_reference')
    expect(JSON.stringify(message)).not.toContain('Bearer')
  }
  expect(settled).toHaveLength(intents.length)
  for (const { message } of settled) {
    expect(message).toMatchObject({ id: 'intent', body: expect.stringMatching(/booking_id|id_orde[rn]/) })
    expect([200, 201]).toContain(message.status)
  }
  expect(samples.requests).toBe(counted.requests)
})

test('where the gate is asked, what was booked under contention is journalled once and cancelled', async () => {
  const gate = await openBookingGate({ status: 200, body: { id: 'intent' } })
  const senders = await stages.companies(2)
  const { answers, counted } = await stages.run('booking-contention', CONTENTION, senders, {
    gate: gate.url,
    products: ['v2-transfers', 'v1-park-a', 'v1-park-b'],
  })
  expect(counted.bookings).toBe(6)
  expect(gate.heard).toHaveLength(12)
  const cancelled = answers.filter(({ op, response }) => op.endsWith('cancel') && response.status === 200)
  expect(cancelled).toHaveLength(6)
  expect(new Set(cancelled.map(({ op }) => op)).size).toBe(3)
})

test('nothing is booked once the gate refuses, and its sentence is what k6 ends with', async () => {
  const stop = 'Nothing more is booked: the journal is full.'
  const gate = await openBookingGate({ status: 409, body: { stop } })
  const senders = await stages.companies(1)
  for (const [scenario, settings] of [
    ['booking-contention', CONTENTION],
    ['journey-mix', MIX],
  ] as const) {
    await expect(stages.run(scenario, settings, senders, { gate: gate.url })).rejects.toThrow(stop)
  }
  const { bookings } = await stages.control.counters(senders['company 1']!.tenant)
  expect(bookings).toEqual({ transfers: 0, parkA: 0, parkB: 0, hotels: 0 })
  expect(gate.heard.every(({ path }) => path === '/secret/intend')).toBe(true)
})

test('a booking that is pending is left alone', async () => {
  const senders = await stages.companies(1)
  const { tenant } = senders['company 1']!
  for (let times = 0; times < 10; times++) {
    await stages.control.setOutcome(tenant, 'transfers', 'book', {
      kind: 'unknown',
      settles: 'confirmed',
      afterSeconds: 600,
    })
  }
  const { answers } = await stages.run('journey-mix', MIX, senders, { products: ['v2-transfers'] })
  const books = answers.filter(({ op }) => op === 'v2 book')
  expect(books.length).toBeGreaterThan(2)
  expect(books.every(({ response }) => response.status === 202)).toBe(true)
  expect(answers.filter(({ op }) => op === 'v2 cancel')).toEqual([])
})

test('an unreachable deployment is reported as failures, and nothing is thrown', async () => {
  const senders = await stages.companies(1)
  const { failures, samples, log } = await stages.run('journey-mix', MIX, senders, {
    baseUrl: 'http://127.0.0.1:9',
  })
  expect(failures.length).toBe(samples.requests)
  expect(failures.every(({ error }) => error.code === 1212)).toBe(true)
  expect(log).not.toMatch(/TypeError|ReferenceError/)
  expect(samples.measures.get(METRIC.fromSchedule)!.length).toBeGreaterThan(0)
})

test('an overrun goes on past the limit at its pace', async () => {
  const { 'company 1': burst } = await stages.companies(1)
  const settings = { vus: 1, burst: 1, overrunPerMinute: 540, overrunMinutes: 1, speed: 10 }
  const overrun = await stages.run('rate-limit-burst', settings, { burst: burst! }, { stage: 'overrun' })
  const answered = Map.groupBy(overrun.answers, ({ part, response }) => `${part} ${response.status}`)
  const counts = [...answered].map(([name, rows]) => [name, rows.length])
  expect(Object.fromEntries(counts)).toEqual({ 'v1 200': 500, 'v1 429': 40, 'v2 200': 500, 'v2 429': 40 })
  expect(overrun.leaks).toEqual([])
})

test('a search that does not end in time is given up', async () => {
  const settings = { rate: 2, duration: 1, pollEvery: 20, timeout: 0.1 }
  const { samples } = await stages.run('search-polling', settings, await stages.companies(1), {
    products: ['v2-hotels'],
  })
  expect(sum(samples.measures.get(METRIC.searchUnfinished)!.map(({ value }) => value))).toBe(2)
})
