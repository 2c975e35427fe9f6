import { untilSupplierAnswers } from '../../fixtures/check/buying/until-judged.ts'
import type { V1OfferOf } from '../../fixtures/check/v1/adapters-by-product.ts'
import { acceptedWithinACent, refusedFromACentOn, type TotalRules } from '../../fixtures/check/v1/totals.ts'
import { assume, describe, test, type V1Check } from '../../fixtures/test.ts'

const rulesOf = ({ v1, arrange }: V1Check<'v1-transfers'>): TotalRules<V1OfferOf<'v1-transfers'>> => ({
  clauses: { changed: 'V1-TRANSFER-CONFIRM-TOTAL-CENT', within: 'V1-TRANSFER-CONFIRM-TOTAL-WITHIN' },
  telling: [],
  async find({ adults, children }, like) {
    const { adapter } = arrange
    // How children ride is not shown.
    const people = { adults: adults + children, children: 0 }
    const { productData, date } = like ?? (await arrange.offer())
    const quote = await adapter.price(await arrange.actor(), productData.transfer, date, people)
    const offer = adapter.offerOf(productData.transfer, date, people, quote)
    assume(offer !== undefined, `a transfer with a price for ${people.adults}`)
    return offer
  },
  write: (offer, total) => arrange.adapter.altered(offer, { total }),
  attempt: body =>
    untilSupplierAnswers(
      () => v1.transfers.confirm({ ...body, external_reference: arrange.reference() }),
      'a confirmation',
    ),
})

describe('total_amount of a transfer, for any group', () => {
  test(
    'is refused from a cent on',
    {
      tags: ['V1-TRANSFER-CONFIRM-TOTAL-CENT'],
      kinds: ['v1-transfers'],
    },
    async check => refusedFromACentOn(check, rulesOf(check)),
  )

  test(
    'is accepted within a cent',
    {
      tags: ['V1-TRANSFER-CONFIRM-TOTAL-WITHIN'],
      kinds: ['v1-transfers'],
    },
    async check => acceptedWithinACent(check, rulesOf(check)),
  )
})
