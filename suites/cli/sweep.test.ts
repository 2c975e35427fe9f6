import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createLedger, type Intent, readLedger } from '../../fixtures/client/ledger.ts'
import type { Control, Outcome, Step } from '../../fixtures/deployments/control.ts'
import { completeDefinition } from '../../fixtures/deployments/define.ts'
import type { Deployment } from '../../fixtures/deployments/definition.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import { startReference } from '../../fixtures/reference/server.ts'
import { freshFolder } from './command.ts'
import { sweep } from './sweep.ts'

let dir: string
let deployment: Deployment
let control: Required<Control>
let tenant: string
let token: string

beforeEach(async () => {
  dir = freshFolder()
  const reference = await startReference()
  onTestFinished(() => reference.stop())
  control = httpControl(reference.controlUrl) as Required<Control>
  ;({ tenant, token } = await control.mint({}))
  deployment = completeDefinition(
    {
      name: 'x',
      baseUrl: reference.baseUrl,
      products: ['v2-transfers'],
      credentials: { standard: { token } },
    },
    'x',
  )
})

/** What these tests read of answers. */
interface Answer {
  booking?: { booking_id: number; status: string }
  results?: { days: { offer_id: string }[] }[]
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(deployment.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return (await response.json()) as Answer
}

/** A confirmation as the journal holds it, for a fresh offer; test mode had been proven when it left. */
async function intent(): Promise<Intent> {
  const catalog = await call('GET', '/api/v2/transfers/products')
  const [productId] = deployment.shapes.transfers.productIds(catalog)
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const pax = { adult: 1, child: 0, infant: 0 }
  const { results } = await call('POST', '/api/v2/transfers/availability', {
    product_ids: [productId],
    from: day,
    to: day,
    pax,
  })
  const person = {
    firstName: 'A',
    lastName: 'B',
    phone: '+34600000001',
    nationality: 'ES',
    birthDate: '1990-01-01',
  }
  const { transfers } = deployment.shapes
  const offer = results?.[0]?.days[0]?.offer_id
  const body = {
    items: [{ offer_id: offer, travelers: [transfers.traveler(person)], logistics: transfers.logistics }],
  }
  return {
    product: 'v2-transfers',
    kind: 'transfers',
    role: 'standard',
    proven: true,
    path: '/api/v2/bookings',
    headers: [
      ['content-type', 'application/json'],
      ['idempotency-key', `key-${Math.random()}`],
    ],
    body: JSON.stringify(body),
  }
}

const send = ({ path, headers, body }: Intent) => call('POST', path, body, Object.fromEntries(headers))

/** Journals a confirmation and leaves its fate open, as a killed run does. */
async function journalled(wanted: Intent): Promise<void> {
  const ledger = createLedger({ dir, worker: 0 })
  await ledger.intend(wanted)
  await ledger.close()
}

const next = (step: Step, outcome: Outcome) => control.setOutcome(tenant, 'transfers', step, outcome)
const swept = () => sweep(deployment, dir, { patience: 2_000, askAgain: 20 })
const stateOf = async (id: number | string) => {
  const { booking } = await call('GET', `/api/v2/bookings/${id}`)
  return booking?.status
}

test('a booking whose answer nobody saw is found out about and cancelled', async () => {
  const wanted = await intent()
  await journalled(wanted)
  const { booking } = await send(wanted)
  const { done, leftovers } = await swept()
  const id = booking?.booking_id ?? 0
  expect(done).toEqual([`Cancelled v2-transfers booking ${id}.`])
  expect(leftovers).toEqual([])
  expect(await stateOf(id)).toBe('cancelled')
  expect((await control.counters(tenant)).bookings.transfers).toBe(1)
  expect(existsSync(join(dir, 'ledger.ndjson'))).toBe(false)
})

test('a confirmation that never left leaves nothing booked', async () => {
  await journalled(await intent())
  const { leftovers } = await swept()
  expect(leftovers).toEqual([])
  expect(readLedger(dir)).toEqual([])
})

test('a confirmation that is refused had booked nothing', async () => {
  await journalled({ ...(await intent()), body: '{"items":[]}' })
  const { done, leftovers } = await swept()
  expect(done).toEqual(['Found that a v2-transfers confirmation had booked nothing.'])
  expect(leftovers).toEqual([])
})

test('a confirmation whose source cannot be reached, then or now, had booked nothing', async () => {
  const wanted = await intent()
  await next('book', { kind: 'providerUnavailable' })
  await next('book', { kind: 'providerUnavailable' })
  await journalled(wanted)
  await send(wanted)
  const { done, leftovers } = await swept()
  expect(done).toEqual(['Found that a v2-transfers confirmation had booked nothing.'])
  expect(leftovers).toEqual([])
})

test.each(['confirmed', 'failed'] as const)(
  'a pending booking is waited for until it is %s',
  async settles => {
    const wanted = await intent()
    await next('book', { kind: 'unknown', settles, afterSeconds: 3600 })
    await journalled(wanted)
    await send(wanted)
    const sweeping = swept()
    setTimeout(() => void control.advanceClock(tenant, 3601), 100)
    const { done, leftovers } = await sweeping
    expect(leftovers).toEqual([])
    expect(done).toEqual([
      expect.stringMatching(settles === 'failed' ? /^Found .* failed\.$/ : /^Cancelled /),
    ])
  },
)

test('a booking that stays pending is listed, and can be swept again', async () => {
  const wanted = await intent()
  await next('book', { kind: 'unknown', settles: 'confirmed', afterSeconds: 3600 })
  await journalled(wanted)
  await send(wanted)
  const { leftovers } = await sweep(deployment, dir, { patience: 50, askAgain: 20 })
  expect(leftovers).toEqual([
    {
      bookingId: expect.stringMatching(/^\d+$/),
      product: 'v2-transfers',
      role: 'standard',
      reason: 'its cancellation answered 409 NOT_CANCELLABLE',
      key: expect.stringMatching(/^key-/),
      refused: true,
    },
  ])
  expect(readLedger(dir)).toMatchObject([{ bookingId: leftovers[0]?.bookingId }])
  await control.advanceClock(tenant, 3601)
  expect((await swept()).leftovers).toEqual([])
})

test('a cancellation that is refused is listed with the answer', async () => {
  const wanted = await intent()
  await journalled(wanted)
  await send(wanted)
  await next('cancel', { kind: 'refused' })
  const { leftovers } = await swept()
  expect(leftovers).toMatchObject([{ reason: 'its cancellation answered 409 CANCELLATION_REJECTED' }])
})

test('what cannot be reached is listed, and nothing is lost', async () => {
  await journalled(await intent())
  const { leftovers } = await sweep({ ...deployment, baseUrl: 'http://127.0.0.1:9' }, dir, { patience: 50 })
  expect(leftovers).toMatchObject([{ reason: expect.stringMatching(/refused/) }])
  expect(readLedger(dir)).toHaveLength(1)
})

test('a role that the definition has lost is listed', async () => {
  await journalled({ ...(await intent()), role: 'resort' })
  const { leftovers } = await swept()
  expect(leftovers).toMatchObject([
    { reason: 'the definition has no credential of the role resort any more' },
  ])
})

test('a confirmation that left before test mode was proven is listed, and never sent again', async () => {
  const wanted = { ...(await intent()), proven: false }
  await journalled(wanted)
  const { leftovers, requests } = await swept()
  expect(leftovers).toEqual([
    {
      product: 'v2-transfers',
      role: 'standard',
      reason: 'nobody knows what was answered to it',
      key: expect.stringMatching(/^key-/),
    },
  ])
  expect(requests.v2).toBe(0)
  expect((await control.counters(tenant)).bookings.transfers).toBe(0)
  expect(readLedger(dir)).toMatchObject([{ proven: false }])
})

test('nothing is sent again after a run that ended because bookings were real, not even later', async () => {
  await journalled(await intent())
  const { leftovers } = await sweep(deployment, dir, { patience: 50, repeats: false })
  expect(leftovers).toHaveLength(1)
  expect((await swept()).leftovers).toHaveLength(1)
  expect((await control.counters(tenant)).bookings.transfers).toBe(0)
})

test.each([true, false])(
  'a source that failed booked nothing, once test mode was proven (%s)',
  async proven => {
    const [failed, proof] = [{ ...(await intent()), proven: false }, await intent()]
    const ledger = createLedger({ dir, worker: 0 })
    ledger.settle(await ledger.intend(failed), { unknown: 'answered 502', believed: true })
    const { booking } = await send(proof)
    const bookingId = String(booking?.booking_id)
    ledger.settle(await ledger.intend({ ...proof, proven }), { bookingId })
    await ledger.close()
    const { leftovers } = await swept()
    expect(leftovers.map(({ reason }) => reason)).toEqual(proven ? [] : ['answered 502'])
  },
)

test('a booking of v1 is left to people', async () => {
  await journalled({ ...(await intent()), product: 'v1-hotels' })
  expect((await swept()).leftovers).toMatchObject([
    { reason: 'a booking of v1-hotels has to be cancelled by hand' },
  ])
})
