import { bookChecked, liveThrough, OF_SOME_LIVES, WHOLE_LIFE } from '../../fixtures/check/buying/index.ts'
import { assume, describe, EVERY_SORT, test } from '../../fixtures/test.ts'

describe('a booking in all that can happen to it', () => {
  // Other checks book with test credentials what nobody has checked.
  test('made of checked offers for real, is kept as any other is', {
    tags: WHOLE_LIFE,
    opportunistic: OF_SOME_LIVES,
    kinds: EVERY_SORT,
    forReal: false,
  }, async context => {
    const { arrange } = context
    assume(arrange.realIsFree, 'a deployment on which real bookings are free')
    const actor = await arrange.actor('live')
    await liveThrough(context, await bookChecked(context, actor), actor)
  })

  test('made of an offer of a resort hotel, is kept as any other is', {
    tags: WHOLE_LIFE,
    opportunistic: OF_SOME_LIVES,
    kinds: ['resortHotels'],
  }, async context => {
    const actor = await context.arrange.actor()
    await liveThrough(context, await context.arrange.cancellableBooking({ actor, referenced: true }), actor)
  })
})
