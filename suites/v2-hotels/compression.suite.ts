import { claimSameCompressed, GZIP } from '../../fixtures/check/sending/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

describe('the results of a hotel search', () => {
  test('are compressed, and unpack to the same hotels, for megabytes too', {
    tags: ['GZIP-V2-HOTELS'],
    opportunistic: ['GZIP-V2-INTACT'],
    kinds: ['hotels'],
    costs: 'megabytes',
  }, async context => {
    const { arrange, v2 } = context
    const hotels = arrange.adapter
    const actor = await arrange.actor()
    const destination = await hotels.largest(actor)
    assume(
      destination !== undefined,
      'a destination with many hotels (shapes.hotels.largest in the definition)',
    )
    const { started, toItsEnd } = await hotels.try(actor, { destination, checkIn: hotels.day() })
    assume.sold(started, 'a hotel search')
    // Long enough for the search to end: each poll before would be as large.
    await hotels.progress(actor, 1, 60)
    const { searchId } = await toItsEnd({ headers: GZIP })
    const read = async (headers: Record<string, string>) =>
      assume.accepted(
        await v2.hotelSearchPoll(searchId, { headers }),
        'the results of a search that has ended',
      )
    await claimSameCompressed(context, read, 'GZIP-V2-INTACT')
  })
})
