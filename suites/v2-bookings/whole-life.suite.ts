import {
  bookChecked,
  liveThrough,
  OF_SOME_LIVES,
  settledBooking,
  WHOLE_LIFE,
} from '../../fixtures/check/buying/index.ts'
import { bookingOf } from '../../fixtures/contracts/index.ts'
import { assume, describe, EVERY_KIND, EVERY_SORT, test } from '../../fixtures/test.ts'

/** Seconds: past midnight in every time zone, and past the days on which the kit books. */
const LATER = [26 * 3600, 200 * 86_400]

describe('a booking in all that can happen to it', () => {
  test('made of checked offers, for real where that is free, is kept as any other is', {
    tags: WHOLE_LIFE,
    opportunistic: OF_SOME_LIVES,
    kinds: EVERY_SORT,
    forReal: false,
  }, async context => {
    const { arrange } = context
    const { realIsFree } = arrange
    const actor = await arrange.actor(realIsFree ? 'live' : 'standard')
    // Other checks make unchecked test bookings.
    assume(realIsFree || actor.role === 'resort', 'a deployment on which real bookings are free')
    const inTest = () => arrange.cancellableBooking({ actor, referenced: true })
    await liveThrough(context, await (realIsFree ? bookChecked(context, actor) : inTest()), actor)
  })

  test('made of two items without an answer at first, is kept as any other is', {
    tags: [
      'V2-PENDING-CURRENCY',
      'V2-PENDING-TOTAL',
      'V2-PENDING-ITEMS',
      'V2-PENDING-VOUCHER-STATUS',
      'V2-PENDING-SETTLES-FULL',
      ...WHOLE_LIFE,
    ],
    opportunistic: OF_SOME_LIVES,
    kinds: EVERY_KIND,
    forReal: false,
  }, async context => {
    const { arrange, expect } = context
    assume(arrange.trafficIsFree, 'requests that are free')
    const by = await arrange.actor(arrange.realIsFree ? 'live' : 'standard')
    const { read, ...made } = await settledBooking(context, 'confirmed', { by, items: 2 })
    const booking = bookingOf(read)
    assume(booking?.status === 'confirmed', 'a booking of unknown result that was made')
    expect(read, 'V2-PENDING-SETTLES-FULL').not.toShowBooking('items[1]', undefined)
    await liveThrough(context, { ...made, booking, exchange: read }, by)
  })

  test('shows the same a day later, and when its own day is past', {
    tags: ['V2-BOOK-READ-SAME', 'V2-BOOKING-STATUS', 'TENANCY-V2-READ', 'TENANCY-V2-VOUCHER'],
    kinds: EVERY_KIND,
  }, async ({ arrange, control, expect, v2 }) => {
    control.require('mint')
    const [actor, stranger] = [await arrange.actor(), await arrange.actor('otherCompany')]
    const { bookingId: id, exchange } = await arrange.booking()
    for (const seconds of LATER) {
      for (const who of [actor, stranger]) await control.advanceClock(who, seconds)
      const read = await v2.booking(id)
      // How long a booking is kept, and a credential is valid, is open.
      assume(read.response.status < 300, 'a booking that is shown when its day is past')
      expect(read, 'V2-BOOK-READ-SAME').toBeTheBookingOf(exchange)
      expect(await stranger.v2.booking(id), 'TENANCY-V2-READ').toFailWith('BOOKING_NOT_FOUND')
      expect(await stranger.v2.voucher(id), 'TENANCY-V2-VOUCHER').toFailWith('BOOKING_NOT_FOUND')
      await v2.voucher(id)
    }
  })
})
