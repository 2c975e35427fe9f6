import fc from 'fast-check'
import type { Room } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { bookingOf } from '../../fixtures/contracts/index.ts'
import { assume, type BookingId, describe, type ProductCheck, test } from '../../fixtures/test.ts'

const kinds = ['hotels'] as const

const room = fc.record({
  adults: fc.integer({ min: 1, max: 2 }),
  childAges: fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 1 }),
})

describe('booking hotel rooms', () => {
  test('an offer is checked, booked, read and cancelled by the same calls as other products', {
    tags: ['V2-HOTEL-BOOKING'],
    kinds,
  }, async context => {
    const { act, arrange, v2, expect } = context
    const offer = await arrange.offer()
    expect((await act.check(offer)).answer).toSucceed()
    const { answer: booked } = await act.book({ what: arrange.body(offer) })
    expect(booked).toHaveStatus(201, 202)
    const id = bookingOf(booked)?.booking_id as number
    const read = await v2.booking(id)
    expect(read).toHaveStatus(200)
    assume.notPending(booked)
    await act.cancelled({ bookingId: id })
  })

  test('rooms of one stay are booked together, one item per room', {
    tags: ['V2-HOTEL-BOOKING', 'V2-BOOKING-ITEMS-COMPLETE'],
    kinds,
    opportunistic: ['V2-OFFER-CARRIES-PRICE'],
  }, async context => {
    const { act, arrange, expect, holds } = context
    const hotels = arrange.adapter
    const actor = await arrange.actor()
    const places = (await hotels.destinations(actor, 2)).slice(0, 2)
    await holds(
      fc.array(room, { minLength: 2, maxLength: 4 }),
      async rooms => {
        const { answer } = await act.book({ what: arrange.body(await stay(context, rooms, places)) })
        expect(answer, 'V2-HOTEL-BOOKING').toHaveStatus(201, 202)
        assume.notPending(answer)
      },
      // Rooms for different numbers of people probably have different prices.
      {
        runs: 6,
        live: 1,
        examples: [
          [
            { adults: 1, childAges: [] },
            { adults: 2, childAges: [7, 9] },
          ],
        ],
      },
    )
  })
})

/** Two identical rooms. */
const ROOMS: readonly Room[] = [
  { adults: 2, childAges: [] },
  { adults: 2, childAges: [] },
]

/** Returns offers for those rooms in one hotel that can be cancelled online. */
async function stay(
  { arrange }: ProductCheck<'hotels'>,
  rooms: readonly Room[],
  places: readonly (string | number)[],
) {
  const hotels = arrange.adapter
  const actor = await arrange.actor()
  for (const destination of places) {
    const search = await hotels.follow(actor, { destination, checkIn: hotels.day(), rooms })
    const hotel = search.hotels.find(
      one =>
        one.cancellableOnline !== false &&
        one.rooms.length === rooms.length &&
        one.rooms.every(offers => offers.length > 0),
    )
    const offers = hotel === undefined ? undefined : hotels.stayOf(search, hotel, rooms)
    if (offers !== undefined) return offers
  }
  assume(false, `a hotel with rooms for ${rooms.length} groups`)
}

describe('a hotel booking that cannot be cancelled online', () => {
  const tags = ['V2-CANCEL-HOTEL-OFFLINE', 'V2-CANCEL-HOTEL-OFFLINE-UNCHANGED'] as const

  /** Tries to cancel, and reads the booking. */
  async function refusesCancellation({ v2, expect }: ProductCheck<'hotels'>, id: BookingId): Promise<void> {
    const refused = assume.supplierAsked(await v2.cancel(id))
    expect(refused, 'V2-CANCEL-HOTEL-OFFLINE').toFailWith('NOT_CANCELLABLE')
    await v2.booking(id)
  }

  for (const [which, rooms] of [
    ['a room stays', ROOMS.slice(0, 1)],
    ['rooms of one stay all stay', ROOMS],
  ] as const)
    test(`${which} booked if the hotel does not allow cancellation`, { tags, kinds }, async context => {
      const { arrange } = context
      // On other deployments the booking would remain.
      assume(arrange.realIsFree, 'a deployment on which a booking may stay uncancelled')
      const hotels = arrange.adapter
      const actor = await arrange.actor()
      for (const destination of await hotels.destinations(actor)) {
        // A list may contain places that the account may not search.
        const { started, toItsEnd } = await hotels.try(actor, { destination, checkIn: hotels.day(), rooms })
        if (!succeeded(started)) continue
        const search = await toItsEnd()
        // If all hotels are marked so, the adapter does not distinguish them.
        if (search.hotels.every(({ cancellableOnline }) => cancellableOnline === false)) continue
        const hotel = search.hotels.find(({ cancellableOnline }) => cancellableOnline === false)
        const offers = hotel && hotels.stayOf(search, hotel, rooms)
        if (offers === undefined) continue
        const { bookingId } = await arrange.booking({ offers })
        await refusesCancellation(context, bookingId)
        // A repeat must be refused too.
        return refusesCancellation(context, bookingId)
      }
      assume(false, 'a hotel known not to allow online cancellation')
    })

  test('stays booked if the hotel turns out later not to allow cancellation', {
    tags,
    kinds,
  }, async context => {
    const { act, arrange, control } = context
    control.require('setOutcome')
    const booked = await arrange.booking()
    await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'notCancellable' })
    await refusesCancellation(context, booked.bookingId)
    await act.cancelled(booked)
  })
})
