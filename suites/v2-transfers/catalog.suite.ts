import { objectsIn } from '../../fixtures/contracts/reading.ts'
import { describe, test } from '../../fixtures/test.ts'

describe('GET /api/v2/transfers/products', () => {
  test('the catalog is returned as JSON, with what bookings require, and may be kept for an hour', {
    tags: [
      'V2-TRANSFER-CATALOG-OK',
      'V2-TRANSFER-CATALOG-REQUIREMENTS',
      'CACHE-V2-TRANSFER-CATALOG',
      'V2-JSON-CONTENT-TYPE',
    ],
  }, async ({ v2, given, expect, claim }) => {
    const catalog = await v2.transferProducts()
    given.offered(catalog)
    expect(catalog, 'V2-TRANSFER-CATALOG-OK').toHaveStatus(200)
    claim('V2-TRANSFER-CATALOG-OK', catalog.response.json !== undefined, {
      tried: 'Reading the transfer catalog',
      expected: 'a JSON body',
      observed: catalog.response.jsonError ?? 'no JSON',
      exchanges: [catalog],
    })
    const requirements = [...objectsIn(catalog.response.json)].some(
      ({ object }) => 'booking_requirements' in object,
    )
    // They stand with products: a credential that can sell none is shown none.
    if (!requirements) await given.transferProducts()
    claim('V2-TRANSFER-CATALOG-REQUIREMENTS', requirements, {
      tried: 'Looking for booking_requirements anywhere in the transfer catalog',
      expected: 'to find them',
      observed: 'none',
      exchanges: [catalog],
    })
  })

  test('field names are snake_case', { tags: ['FORMAT-V2-KEYS-TRANSFER-CATALOG'] }, async ({
    v2,
    given,
    expect,
  }) => {
    const catalog = given.offered(await v2.transferProducts())
    expect(catalog).toHaveSnakeCaseKeys()
  })

  test('a product of the catalog is accepted by availability', {
    tags: ['V2-TRANSFER-CATALOG-SELLABLE'],
  }, async ({ v2, given, expect }) => {
    const productIds = await given.transferProducts()
    const from = given.date()
    for (const productId of given.trafficIsFree ? productIds : productIds.slice(0, 1)) {
      const answer = await v2.transferAvailability({
        product_ids: [productId],
        from,
        to: given.after(from, 6),
        pax: { adult: 1, child: 0, infant: 0 },
      })
      expect(answer).toHaveStatus(200)
    }
  })
})
