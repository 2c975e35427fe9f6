import { attempt } from '../../fixtures/check/v1/refusals.ts'
import { acceptedWithinACent, refusedFromACentOn, type TotalRules } from '../../fixtures/check/v1/totals.ts'
import { assume, describe, test } from '../../fixtures/test.ts'
import { offerForGroup, type ParkBCheck, type ParkBOffer } from './confirmations.ts'

const rulesOf = (check: ParkBCheck): TotalRules<ParkBOffer> => ({
  clauses: {
    changed: 'V1-PARK-B-CONFIRM-TOTAL-CENT',
    within: 'V1-PARK-B-CONFIRM-TOTAL-WITHIN',
    words: 'V1-PARK-B-ERR-PRICE',
  },
  telling: ['Price changed.'],
  async find(people, like) {
    const { arrange } = check
    if (like === undefined) return offerForGroup(check, people)
    const quote = await arrange.adapter.quote(await arrange.actor(), like)
    const now = arrange.adapter.quotedAs(like, quote)
    assume(now !== undefined, 'a ticket that is still on sale')
    return now
  },
  write: (offer, total_amount) => ({ ...check.arrange.anyBody(offer), total_amount }),
  attempt: body => attempt(check, body),
})

describe('total_amount of an order of operator B, for any group', () => {
  test(
    'is refused from a cent on',
    {
      tags: ['V1-PARK-B-CONFIRM-TOTAL-CENT', 'V1-PARK-B-ERR-PRICE'],
      kinds: ['v1-park-b'],
    },
    async check => refusedFromACentOn(check, rulesOf(check)),
  )

  test(
    'is accepted within a cent',
    {
      tags: ['V1-PARK-B-CONFIRM-TOTAL-WITHIN'],
      kinds: ['v1-park-b'],
    },
    async check => acceptedWithinACent(check, rulesOf(check)),
  )
})
