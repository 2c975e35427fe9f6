import {
  checkedRoom,
  liveThroughOrder,
  resortRoom,
  seldomOrder,
  wholeLifeOf,
} from '../../fixtures/check/v1/index.ts'
import { type Actor, assume, describe, EVERY_V1_KIND, independently, test } from '../../fixtures/test.ts'

/** The clause that shows an active order, by product. */
const STANDS = {
  'v1-hotels': 'V1-HOTEL-STATE-CONFIRMED',
  'v1-transfers': 'V1-TRANSFER-PDF',
  'v1-park-a': 'V1-PARK-A-PDF',
  'v1-park-b': 'V1-PARK-B-PDF',
} as const

describe('a cancellation', () => {
  test('leaves the orders before and after it unchanged', {
    tags: product => [STANDS[product]],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, act, expect }) => {
    const [before, cancelled] = [await arrange.order(), await arrange.order()]
    const others = arrange.trafficIsFree ? [before, await arrange.order()] : [before]
    await act.cancelled(cancelled)
    const { product } = arrange
    await independently(
      ...others.map(other => async () => {
        if (product === 'v1-hotels')
          expect(await act.read(other), STANDS[product]).toShow('booking.status', 'confirmed')
        else expect(await act.voucher(other), STANDS[product]).toBePdf()
      }),
    )
  })
})

describe('the whole life of an order', () => {
  // Other checks order with test credentials.
  test('made with a production credential keeps every promise', {
    tags: wholeLifeOf,
    kinds: EVERY_V1_KIND,
  }, async check => {
    const { arrange } = check
    assume(arrange.realIsFree, 'a deployment on which real orders are free')
    const by = await arrange.actor('live')
    await liveThroughOrder(check, by, await seldomOrder(arrange, by, 0), actor => arrange.offer({ actor }))
  })

  test('made with a production credential at a resort hotel keeps every promise', {
    tags: wholeLifeOf('v1-hotels'),
    kinds: ['v1-hotels'],
  }, async check => {
    const { arrange } = check
    assume(arrange.realIsFree, 'a deployment on which real orders are free')
    const by = await arrange.actor('resort', { modes: { hotels: 'live' } })
    const find = async (actor: Actor) => checkedRoom(arrange, actor, await resortRoom(arrange, actor))
    await liveThroughOrder(check, by, await arrange.order({ actor: by, offer: () => find(by) }), find)
  })
})
