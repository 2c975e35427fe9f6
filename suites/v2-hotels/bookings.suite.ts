import fc from 'fast-check'
import type { HotelSeen, Room } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { bookingOf } from '../../fixtures/contracts/index.ts'
import { assume, type BookingId, describe, orOrdinary, type ProductCheck, test } from '../../fixtures/test.ts'

const kinds = ['hotels'] as const

const COUPLE: Room = { adults: 2, childAges: [] }
/** Rooms for different numbers of people probably have different prices. */
const FAMILY: readonly Room[] = [
  { adults: 1, childAges: [] },
  { adults: 2, childAges: [7, 9] },
]
const ROOMS = fc.array(
  fc.record({
    adults: fc.integer({ min: 1, max: 2 }),
    childAges: fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 1 }),
  }),
  { minLength: 2, maxLength: 4 },
)

/** The number of places searched. */
const PLACES = 8

/** Returns offers for those rooms in one such hotel, in the first place that has one. */
async function stay(
  { arrange }: ProductCheck<'hotels'>,
  rooms: readonly Room[],
  is: (hotel: HotelSeen, all: readonly HotelSeen[]) => boolean,
) {
  const hotels = arrange.adapter
  const actor = await arrange.actor()
  for (const destination of (await hotels.destinations(actor, 2)).slice(0, PLACES)) {
    // A list may contain places that the account may not search.
    const { started, toItsEnd } = await hotels.try(actor, { destination, checkIn: hotels.day(), rooms })
    const search = succeeded(started) ? await toItsEnd() : undefined
    const hotel = search?.hotels.find(
      one => is(one, search.hotels) && hotels.stayOf(search, one, rooms) !== undefined,
    )
    if (hotel !== undefined) return hotels.stayOf(search!, hotel, rooms)!
  }
  assume(false, `such a hotel with rooms for ${rooms.length} groups`)
}

describe('booking hotel rooms', () => {
  test('rooms of one stay are checked, booked, read and cancelled by the same calls as other products', {
    tags: ['V2-HOTEL-BOOKING', 'V2-BOOKING-ITEMS-COMPLETE'],
    kinds,
    opportunistic: ['V2-OFFER-CARRIES-PRICE'],
  }, async context => {
    const { act, arrange, v2, expect } = context
    const rooms = arrange.draw.of('groups', 'rooms of a stay', ROOMS, FAMILY)
    const isFitting = ({ cancellableOnline }: HotelSeen) => cancellableOnline !== false
    const offers = await orOrdinary(
      () => stay(context, rooms, isFitting),
      () => stay(context, rooms.slice(0, 1), isFitting),
    )
    const { answer } = await act.book({ what: arrange.body(offers) })
    expect(answer, 'V2-HOTEL-BOOKING').toHaveStatus(201, 202)
    const id = bookingOf(answer)?.booking_id as number
    expect(await v2.booking(id), 'V2-HOTEL-BOOKING').toHaveStatus(200)
    assume.notPending(answer)
    await act.cancelled({ bookingId: id })
  })
})

describe('a hotel booking that cannot be cancelled online', () => {
  const tags = ['V2-CANCEL-HOTEL-OFFLINE', 'V2-CANCEL-HOTEL-OFFLINE-UNCHANGED'] as const

  /** Tries to cancel, and reads the booking. */
  async function refusesCancellation({ v2, expect }: ProductCheck<'hotels'>, id: BookingId): Promise<void> {
    const refused = assume.supplierAsked(await v2.cancel(id))
    expect(refused, 'V2-CANCEL-HOTEL-OFFLINE').toFailWith('NOT_CANCELLABLE')
    await v2.booking(id)
  }

  for (const [which, rooms] of [
    ['a room stays', [COUPLE]],
    ['rooms of one stay all stay', [COUPLE, COUPLE]],
  ] as const)
    test(`${which} booked if the hotel does not allow cancellation`, { tags, kinds }, async context => {
      const { arrange } = context
      // On other deployments the booking would remain.
      assume(arrange.realIsFree, 'a deployment on which a booking may stay uncancelled')
      const isOffline = ({ cancellableOnline }: HotelSeen) => cancellableOnline === false
      // If all hotels are marked so, the adapter does not distinguish them.
      const offers = await stay(context, rooms, (one, all) => isOffline(one) && !all.every(isOffline))
      const { bookingId } = await arrange.booking({ offers })
      await refusesCancellation(context, bookingId)
      // A repeat must be refused too.
      return refusesCancellation(context, bookingId)
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
