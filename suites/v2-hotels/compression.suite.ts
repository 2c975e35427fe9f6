import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  type Exchange,
  header,
  outcomeOf,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/** Returns what an answer says, without what is new in every answer. */
const content = (json: unknown): unknown => {
  if (!isObject(json)) return json
  const { request_id: _, ...rest } = json
  return rest
}

const isSame = (one: Exchange, other: Exchange): boolean =>
  isDeepStrictEqual(content(one.response.json), content(other.response.json))

/** Reads the results of a search of that place packed and unpacked, once it has ended. */
async function readBothWays(
  { v2, arrange, claim }: ProductCheck<'hotels'>,
  destination: string | number,
): Promise<void> {
  const hotels = arrange.adapter
  const actor = await arrange.actor()
  const { started, toItsEnd } = await hotels.try(actor, { destination, checkIn: hotels.day() })
  assume.accepted(started, 'a hotel search')
  // Long enough for its end: polls on the way there would be as large.
  await hotels.letProgress(actor, 60)
  const { searchId } = await toItsEnd()
  const reading = (encoding: string) =>
    v2.hotelSearchPoll(searchId, { headers: { 'accept-encoding': encoding } })
  const plain = assume.accepted(await reading('identity'), 'the results of a search that has ended')
  const packed = assume.accepted(await reading('gzip'), 'the same results compressed')
  if (header(packed.response.headers, 'content-encoding') === null) return
  const { decodeError, jsonError } = packed.response
  const broken = decodeError ?? jsonError
  const same = broken === undefined && isSame(plain, packed)
  const again = same ? plain : assume.accepted(await reading('identity'), 'the same results once more')
  // Results that change by themselves, down to the ids of their offers, can be compared with nothing.
  if (!isSame(plain, again)) return
  claim('GZIP-V2-INTACT', same, {
    tried: 'Reading the same results with and without gzip',
    expected: 'the same JSON',
    observed: broken ?? `another JSON (${outcomeOf(packed)})`,
    exchanges: [plain, packed],
  })
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

  test('are compressed and unpack to the same hotels when they come to megabytes', {
    ...about,
    costs: 'megabytes',
  }, async context => {
    const { arrange } = context
    const largest = await arrange.adapter.largest(await arrange.actor())
    assume(largest !== undefined, 'a place known to have many hotels (shapes.hotels.largest)')
    await readBothWays(context, largest)
  })
})
