import { describe, expect, onTestFinished, test } from 'vitest'
import { createLedger } from '../../fixtures/client/money/ledger.ts'
import { createShared, openShared } from '../../fixtures/client/pace/shared.ts'
import type { Product, ProductKind } from '../../fixtures/ground/control.ts'
import { openBookingGate } from './booking-gate.ts'
import type { ReadySender } from './run-stages.ts'

const SENDER: ReadySender = { alias: 'a', role: 'standard', token: 'token-0123456789' }

async function open() {
  const ledger = createLedger({ dir: null, worker: 0 })
  const gate = await openBookingGate({
    shared: openShared(createShared({ credentials: 1, perMinute: 10 })),
    ledger,
    patience: 60_000,
    rules: {
      disposable: false,
      claims: product => product !== 'v2-hotels',
      credentialOf: () => 0,
      modeOf: () => ({ mode: 'test', stated: false }),
    },
  })
  onTestFinished(() => gate.close())
  gate.knows([SENDER])
  const post = async (path: string, message: object) => {
    const answer = await fetch(gate.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
    const said = (await answer.json().catch(() => ({}))) as { id?: string; [field: string]: unknown }
    return { status: answer.status, ...said }
  }
  return {
    ledger,
    gate,
    intend: (product: Product = 'v2-transfers', kind: ProductKind = 'transfers') =>
      post('/intend', {
        who: 'a',
        product,
        kind,
        path: '/api/v2/bookings',
        headers: { 'Idempotency-Key': 'k' },
        body: '',
      }),
    settle: (id: unknown, outcome: object) => post('/settle', { id, ...outcome }),
  }
}

const booking = (more: object = {}) =>
  JSON.stringify({ booking: { booking_id: 7, status: 'confirmed', ...more } })

test('the first booking goes alone, and others once it proved test mode', async () => {
  const { intend, settle } = await open()
  const first = await intend()
  expect(first).toMatchObject({ status: 200, alone: true })
  await settle(first.id, { status: 201, body: booking({ test_mode: true }) })
  const [second, third] = await Promise.all([intend(), intend()])
  expect(second).toEqual({ status: 200, id: expect.any(String) })
  expect(third).toEqual({ status: 200, id: expect.any(String) })
})

test.each<[string, object]>([
  ['a booking without test_mode', { status: 201, body: booking() }],
  ['a success without an id', { status: 201, body: '{}' }],
  ['a refusal without an envelope', { status: 400, body: 'no' }],
  ['a failure', { status: 502, body: '' }],
  ['no answer', { error: 'request timeout' }],
])('%s ends bookings, and is listed', async (_what, outcome) => {
  const { intend, settle, gate, ledger } = await open()
  const first = await intend()
  await settle(first.id, outcome)
  const stop = expect.stringMatching(/^No more v2-transfers bookings are sent as standard/)
  expect(await intend()).toEqual({ status: 409, stop })
  expect(gate.refusal()).toEqual(stop)
  expect(ledger.standing()).toMatchObject([{ proven: false }])
})

test('a later booking without test mode stops all, but a pending one need not state it', async () => {
  const { intend, settle } = await open()
  await settle((await intend()).id, { status: 201, body: booking({ test_mode: true }) })
  await settle((await intend()).id, { status: 202, body: booking({ status: 'pending' }) })
  const [next, beside] = await Promise.all([intend(), intend()])
  await settle(next.id, { status: 201, body: booking() })
  expect(beside.status).toBe(200)
  const later = intend()
  // k6 ends at the refusal, so it waits for what is under way.
  expect(await Promise.race([later, settle(beside.id, { status: 201, body: booking() })])).toEqual({
    status: 204,
  })
  expect(await later).toMatchObject({ status: 409, stop: expect.stringContaining('says so any more') })
})

describe('a first booking whose answer asks for a repeat', () => {
  const inProgress = { status: 409, body: '{"error":{"code":"BOOKING_IN_PROGRESS"}}' }
  const unwell = { status: 503, body: '{"error":{"code":"RESTING"}}' }

  test('is repeated unchanged after the documented intervals, and proves test mode', async () => {
    const { intend, settle, ledger } = await open()
    const first = await intend()
    const waiting = intend()
    const second = await settle(first.id, inProgress)
    expect(second).toEqual({ status: 200, id: expect.any(String), after: 5000 })
    const third = await settle(second.id, unwell)
    expect(third).toEqual({ status: 200, id: expect.any(String), after: 30_000 })
    const body = booking({ test_mode: true, idempotent_replay: true })
    expect(await settle(third.id, { status: 201, body })).toEqual({ status: 204 })
    expect(await waiting).toEqual({ status: 200, id: expect.any(String) })
    // One reference is one booking.
    expect(ledger.standing().filter(({ bookingId }) => bookingId !== undefined)).toHaveLength(1)
  })

  test('that never succeeds stops bookings after three, and all are listed', async () => {
    const { intend, settle, ledger } = await open()
    let turn = await settle((await intend()).id, inProgress)
    for (const _more of [2, 3]) turn = await settle(turn.id, inProgress)
    expect(turn.status).toBe(204)
    expect(await intend()).toMatchObject({ status: 409 })
    expect(ledger.standing()).toHaveLength(3)
  })

  test('is not repeated once test mode is proven', async () => {
    const { intend, settle } = await open()
    await settle((await intend()).id, { status: 201, body: booking({ test_mode: true }) })
    expect(await settle((await intend()).id, inProgress)).toEqual({ status: 204 })
  })
})

test('a product that is not claimed is not booked', async () => {
  const { intend, ledger } = await open()
  expect(await intend('v2-hotels', 'hotels')).toEqual({
    status: 409,
    stop: expect.stringContaining('does not say that it is sold'),
  })
  expect(ledger.standing()).toEqual([])
})
