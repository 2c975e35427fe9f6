import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { describe, test } from '../../fixtures/test.ts'

describe('GET /api/v2/hotels/destinations', () => {
  test('the places are returned as JSON, with snake_case names, and may be kept for an hour', {
    tags: [
      'V2-HOTEL-DESTINATIONS-OK',
      'CACHE-V2-HOTEL-DESTINATIONS',
      'FORMAT-V2-KEYS-HOTELS',
      'GZIP-V2-HOTELS',
    ],
    kinds: ['hotels'],
  }, async ({ v2, arrange, expect, claim }) => {
    const list = arrange.offered(
      await untilSupplierAnswers(
        () => v2.hotelDestinations({ headers: { 'accept-encoding': 'gzip' } }),
        'the hotel destinations',
      ),
    )
    expect(list, 'V2-HOTEL-DESTINATIONS-OK').toHaveStatus(200)
    claim('V2-HOTEL-DESTINATIONS-OK', list.response.json !== undefined, {
      tried: 'Reading the hotel destinations',
      expected: 'a JSON body',
      observed: list.response.jsonError ?? 'no JSON',
      answer: list,
    })
  })
})
