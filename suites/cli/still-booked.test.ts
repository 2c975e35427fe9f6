import { expect, test } from 'vitest'
import type { LedgerEntry } from '../../fixtures/client/ledger.ts'
import { findStillBooked, type Look } from './still-booked.ts'

const bookings = (count: number, more: Partial<LedgerEntry> = {}): LedgerEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `a${index + 1}`,
    bookingId: String(index + 1),
    at: '',
    product: 'v2-transfers',
    kind: 'transfers',
    role: 'standard',
    path: '',
    headers: [],
    body: '',
    ...more,
  }))

/** Looks at bookings that read as they are told to; `cancel` is what a further cancellation makes of one. */
async function find(
  cancelled: LedgerEntry[],
  read: (id: number) => Look,
  { cancel }: { cancel?: () => Look } = {},
) {
  const states = new Map<string, Look>()
  const asked: string[] = []
  const found = await findStillBooked(cancelled, {
    until: Date.now() + 60_000,
    async read({ bookingId }) {
      asked.push(bookingId!)
      return states.get(bookingId!) ?? read(Number(bookingId))
    },
    async cancel({ bookingId }) {
      if (cancel !== undefined) states.set(bookingId!, cancel())
    },
  })
  return { ...found, asked }
}

test('a few of each credential and kind are read, from beginning to end', async () => {
  const others = bookings(2, { role: 'otherCompany' })
  const { standing, asked } = await find([...bookings(58), ...others], () => 'gone')
  expect(standing).toEqual([])
  expect(asked).toEqual(['1', '30', '58', '1', '2'])
})

test('where one stands, all are read, cancelled once more and read again', async () => {
  const { standing, read } = await find(bookings(58), () => ({ stands: 'confirmed' }))
  expect(standing).toHaveLength(58)
  expect(standing[0]!.reason).toBe('its cancellations were answered with success, and it is still confirmed')
  expect(read).toBe(116)
})

test('what the second cancellation cancels is not listed', async () => {
  const { standing } = await find(bookings(5), () => ({ stands: 'confirmed' }), { cancel: () => 'gone' })
  expect(standing).toEqual([])
})

test('what cannot be read is listed only beside others that stand', async () => {
  expect((await find(bookings(9), () => 'unreadable')).standing).toEqual([])
  const { standing } = await find(bookings(3), id => (id === 2 ? 'unreadable' : { stands: 'confirmed' }))
  expect(standing.map(({ entry }) => entry.bookingId)).toEqual(['1', '2', '3'])
})

test('an interrupt ends it, and those that were not read are listed too', async () => {
  const stop = new AbortController()
  const found = await findStillBooked(bookings(58), {
    until: Date.now() + 60_000,
    signal: stop.signal,
    async read({ bookingId }) {
      if (bookingId === '58') stop.abort()
      return { stands: 'confirmed' }
    },
    async cancel() {},
  })
  expect(found.read).toBe(3)
  expect(found.standing).toHaveLength(58)
})

test('a thousand reads are enough', async () => {
  const { standing, read } = await find(bookings(3000), () => ({ stands: 'confirmed' }))
  expect(read).toBe(1000)
  expect(standing).toHaveLength(3000)
})
