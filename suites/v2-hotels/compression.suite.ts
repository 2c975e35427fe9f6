import { claimSameCompressed, GZIP } from '../../fixtures/check/sending/index.ts'
import { assume, describe, type ProductCheck, test } from '../../fixtures/test.ts'

/** Reads the results of a finished search with and without compression. */
async function readBothWays(check: ProductCheck<'hotels'>, destination: string | number): Promise<void> {
  const { v2, arrange } = check
  const hotels = arrange.adapter
  const actor = await arrange.actor()
  const { started, toItsEnd } = await hotels.try(actor, { destination, checkIn: hotels.day() })
  assume.sold(started, 'a hotel search')
  // Long enough for the search to end: each poll before would be as large.
  await hotels.progress(actor, 1, 60)
  // Each poll is judged, including the first.
  const { searchId } = await toItsEnd({ headers: GZIP })
  const read = async (headers: Record<string, string>) =>
    assume.accepted(await v2.hotelSearchPoll(searchId, { headers }), 'the results of a search that has ended')
  await claimSameCompressed(check, read, 'GZIP-V2-INTACT')
}

describe('the results of a hotel search', () => {
  const about = { tags: ['GZIP-V2-HOTELS'], opportunistic: ['GZIP-V2-INTACT'], kinds: ['hotels'] } as const

  test(
    'are compressed for a client that accepts gzip, and unpack to the same hotels',
    about,
    async context => {
      const [destination] = await context.arrange.adapter.destinations(await context.arrange.actor())
      await readBothWays(context, destination!)
    },
  )

  test('are compressed, and unpack to the same hotels, for megabytes too', {
    ...about,
    costs: 'megabytes',
  }, async context => {
    const { arrange } = context
    const largest = await arrange.adapter.largest(await arrange.actor())
    assume(largest !== undefined, 'a destination with many hotels (shapes.hotels.largest in the definition)')
    await readBothWays(context, largest)
  })
})
