import { expect, onTestFinished, test } from 'vitest'
import { createLedger } from '../../fixtures/client/ledger.ts'
import { createShared, openShared } from '../../fixtures/client/shared.ts'
import type { Product, ProductKind } from '../../fixtures/control.ts'
import { openBookingGate } from './booking-gate.ts'
import type { ReadySender } from './senders.ts'

const SENDER: ReadySender = { alias: 'a', role: 'standard', token: 'token-0123456789' }

async function open() {
  const ledger = createLedger({ dir: null, worker: 0 })
  const gate = await openBookingGate({
    shared: openShared(createShared({ credentials: 1, perMinute: 10 })),
    ledger,
    rules: {
      disposable: false,
      allowLiveBookings: false,
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
    const said = (await answer.json().catch(() => ({}))) as { id?: string; alone?: boolean; stop?: string }
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

test('the first booking goes alone, and those after it as they like once it was a test', async () => {
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

test('a booking that does not say it any more ends them, too, and a pending one may be silent', async () => {
  const { intend, settle } = await open()
  await settle((await intend()).id, { status: 201, body: booking({ test_mode: true }) })
  await settle((await intend()).id, { status: 202, body: booking({ status: 'pending' }) })
  const [next, beside] = await Promise.all([intend(), intend()])
  await settle(next.id, { status: 201, body: booking() })
  expect(beside.status).toBe(200)
  expect(await intend()).toMatchObject({ status: 409, stop: expect.stringContaining('says so any more') })
})

test('nothing is booked that is not claimed', async () => {
  const { intend, ledger } = await open()
  expect(await intend('v2-hotels', 'hotels')).toEqual({
    status: 409,
    stop: expect.stringContaining('does not say that it is sold'),
  })
  expect(ledger.standing()).toEqual([])
})
