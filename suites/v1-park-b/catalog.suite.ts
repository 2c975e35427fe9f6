import { isObject } from '../../fixtures/contracts/index.ts'
import { clausesAbout, methodsOf, ParkBProduct } from '../../fixtures/service/index.ts'
import { assume, describe, type Exchange, test } from '../../fixtures/test.ts'

describe('POST /api/v1/parkB/getTickets', () => {
  test('lists the tickets as an array, each with its fields and without a price', {
    tags: [
      'V1-PARK-B-CATALOG-ARRAY',
      'V1-PARK-B-PRODUCT-METHODS',
      'V1-PARK-B-PRODUCT-METHOD-TYPE',
      'V1-PARK-B-PRODUCT-PARK-NAMES',
      'V1-PARK-B-PRODUCT-NO-PRICE',
      'CACHE-V1-PARK-B-CATALOG',
      ...clausesAbout(ParkBProduct),
    ],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, expect }) => {
    const answer = assume.accepted(arrange.offered(await v1.parkB.catalog({})), 'the catalog of operator B')
    const { json } = answer.response
    expect(answer, 'V1-PARK-B-CATALOG-ARRAY').toGive('a bare JSON array', Array.isArray(json))
    const records = (json as unknown[]).filter(isObject)
    assume(records.length > 0, 'a catalog that lists a ticket')
    // A ticket without a delivery method cannot be confirmed.
    const stated = records.some(one => Object.hasOwn(one, 'allowedDeliveryMethods0'))
    expect(answer, 'V1-PARK-B-PRODUCT-METHODS').toGive('allowedDeliveryMethods0 in some ticket', stated)
    assume(
      records.some(one => methodsOf(one).length > 0),
      'a ticket with a delivery method',
    )
  })
})

const isEmpty = ({ response: { json } }: Exchange): boolean => Array.isArray(json) && json.length === 0

describe('a catalog that operator B does not answer', () => {
  test('is answered with 502', {
    tags: ['V1-PARK-B-ERR-CATALOG-UNREACHABLE'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, control, expect }) => {
    const actor = await arrange.actor()
    const usual = assume.accepted(await v1.parkB.catalog({}), 'a catalog')
    for (const kind of ['providerError', 'garbled'] as const) {
      await control.setOutcome(actor, 'catalog', { kind })
      const answer = await v1.parkB.catalog({})
      // An empty list that was not empty before shows the effect of control.
      if (!isEmpty(answer) || isEmpty(usual))
        assume(answer.response.status >= 400, 'control.setOutcome to have an effect')
      expect(answer).toRefuseAsStated()
    }
    assume.accepted(await v1.parkB.catalog({}), 'the catalog later')
  })
})
