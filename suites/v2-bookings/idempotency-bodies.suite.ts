import type { StandingBooking } from '../../fixtures/check/arrange.ts'
import { independently } from '../../fixtures/check/independently.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { bookingOf, type JsonObject } from '../../fixtures/contracts/reading.ts'
import { assume, describe, EVERY_KIND, type ProductCheck, test } from '../../fixtures/test.ts'

type Item = JsonObject & { travelers?: JsonObject[]; logistics?: JsonObject }

/** Sends a key again with its body changed in one place. */
async function reusedWith(
  { v2, expect, claim }: ProductCheck,
  { key, body, bookingId, exchange }: StandingBooking,
  [what, clause]: readonly [what: string, clause: ClauseId],
  change: (items: Item[]) => void,
): Promise<void> {
  const other = structuredClone<JsonObject>(body)
  change(other.items as Item[])
  const reused = await v2.book({ key, body: other })
  const second = bookingOf(reused)?.booking_id
  await independently(
    async () =>
      claim(clause, second === undefined || second === bookingId, {
        tried: `Booking with a used key and another ${what}`,
        expected: 'no booking but the first',
        observed: `two bookings under one key: ${bookingId} and ${second}`,
        exchanges: [exchange, reused],
      }),
    async () => {
      expect(reused, clause).toFailWith('IDEMPOTENCY_KEY_REUSED')
    },
  )
}

describe('Idempotency-Key: a body that differs in one place', () => {
  test('is another body where a traveler of the second item is another', {
    tags: ['V2-IDEM-REUSED-TRAVELER'],
    kinds: EVERY_KIND,
  }, async context => {
    const { arrange } = context
    const first = await arrange.booking({ offers: () => arrange.offersTogether(2) })
    const about = ['traveler of the second item', 'V2-IDEM-REUSED-TRAVELER'] as const
    await reusedWith(context, first, about, ([, item]) => {
      const traveler = item?.travelers?.[0]
      assume(traveler !== undefined, 'a product that is booked with travelers')
      traveler.first_name = 'Somebodyelse'
    })
  })

  test('is another body where the flight of a transfer is another', {
    tags: ['V2-IDEM-REUSED-LOGISTICS'],
    kinds: ['transfers'],
  }, async context => {
    const first = await context.arrange.booking()
    await reusedWith(context, first, ['flight', 'V2-IDEM-REUSED-LOGISTICS'], ([item]) => {
      const flight = item?.logistics?.airline
      assume(item !== undefined && typeof flight === 'string', 'logistics that name an airline')
      item.logistics = {
        ...item.logistics,
        airline: flight.replace(/\d?$/, flight.endsWith('7') ? '8' : '7'),
      }
    })
  })
})
