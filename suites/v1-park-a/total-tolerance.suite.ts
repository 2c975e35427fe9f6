import {
  hasChildFare,
  offerAmong,
  type ParkACheck,
  type ParkAOffer,
} from '../../fixtures/check/v1/park-a-orders.ts'
import { attempt } from '../../fixtures/check/v1/refusals.ts'
import { acceptedWithinACent, refusedFromACentOn, type TotalRules } from '../../fixtures/check/v1/totals.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

const rulesOf = (context: ParkACheck): TotalRules<ParkAOffer> => ({
  clauses: {
    changed: 'V1-PARK-A-CONFIRM-TOTAL-CENT',
    within: 'V1-PARK-A-CONFIRM-TOTAL-WITHIN',
    words: 'V1-PARK-A-ERR-PRICE',
  },
  telling: ['Price changed.'],
  async find(people, like) {
    if (like === undefined) {
      const suits = people.children > 0 ? hasChildFare : () => true
      return offerAmong(context, { what: 'a ticket on sale', suits, people })
    }
    const { adapter, actor } = context.arrange
    const day = { from: like.date, to: like.date }
    const [now] = await adapter.between(await actor(), like.productData.family, people, day)
    assume(now !== undefined, 'a ticket that is still on sale')
    return now
  },
  write: (offer, total_amount) => ({ ...context.arrange.anyBody(offer), total_amount }),
  attempt: body => attempt(context, body),
})

describe('total_amount of an order of operator A, for any group', () => {
  test(
    'is refused from a cent on',
    {
      tags: ['V1-PARK-A-CONFIRM-TOTAL-CENT', 'V1-PARK-A-ERR-PRICE'],
      kinds: ['v1-park-a'],
    },
    async context => refusedFromACentOn(context, rulesOf(context)),
  )

  test(
    'is accepted within a cent',
    {
      tags: ['V1-PARK-A-CONFIRM-TOTAL-WITHIN'],
      kinds: ['v1-park-a'],
    },
    async context => acceptedWithinACent(context, rulesOf(context)),
  )
})
