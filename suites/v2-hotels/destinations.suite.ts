import { listed } from '../../fixtures/check/buying/index.ts'
import { describe, test } from '../../fixtures/test.ts'

describe('GET /api/v2/hotels/destinations', () => {
  test('returns the destinations as JSON with snake_case names, and may be cached for an hour', {
    tags: ['V2-HOTEL-DESTINATIONS-OK', 'CACHE-V2-HOTEL-DESTINATIONS', 'FORMAT-V2-KEYS-HOTELS'],
    kinds: ['hotels'],
  }, async context => {
    const read = () => context.v2.hotelDestinations()
    await listed(context, 'V2-HOTEL-DESTINATIONS-OK', 'the hotel destinations', read)
  })
})
