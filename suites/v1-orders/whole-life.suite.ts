import {
  checkedRoom,
  liveThroughOrder,
  resortRoom,
  seldomOrder,
  wholeLifeOf,
} from '../../fixtures/check/v1/index.ts'
import { type Actor, assume, describe, EVERY_V1_KIND, test } from '../../fixtures/test.ts'

describe('an order in all that can happen to it', () => {
  // Other checks order with test credentials.
  test('made for real, is kept as any other is', {
    tags: wholeLifeOf,
    kinds: EVERY_V1_KIND,
  }, async check => {
    const { arrange } = check
    assume(arrange.trafficIsFree, 'a deployment on which real orders are free')
    const by = await arrange.actor('live')
    await liveThroughOrder(check, by, await seldomOrder(arrange, by, 0), actor => arrange.offer({ actor }))
  })

  test('made for real of a resort hotel, is kept as any other is', {
    tags: wholeLifeOf('v1-hotels'),
    kinds: ['v1-hotels'],
  }, async check => {
    const { arrange } = check
    assume(arrange.trafficIsFree, 'a deployment on which real orders are free')
    const by = await arrange.actor('resort', { modes: { hotels: 'live' } })
    const find = async (actor: Actor) => checkedRoom(arrange, actor, await resortRoom(arrange, actor))
    await liveThroughOrder(check, by, await arrange.order({ actor: by, offer: () => find(by) }), find)
  })
})
