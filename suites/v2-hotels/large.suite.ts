import { isDeepStrictEqual } from 'node:util'
import { outcomeOf } from '../../fixtures/check/matchers.ts'
import { type Exchange, header } from '../../fixtures/client/exchange.ts'
import { isObject } from '../../fixtures/contracts/reading.ts'
import { describe, test } from '../../fixtures/test.ts'

/** What an answer says, without what is new in every answer. */
const content = (json: unknown): unknown => {
  if (!isObject(json)) return json
  const { request_id: _, ...rest } = json
  return rest
}

const isSame = (one: Exchange, other: Exchange): boolean =>
  isDeepStrictEqual(content(one.response.json), content(other.response.json))

describe('a large hotel search', () => {
  test('is compressed for a client that accepts gzip, and unpacks to the same hotels', {
    tags: ['GZIP-V2-HOTELS'],
    also: ['GZIP-V2-INTACT'],
    kinds: ['hotels'],
  }, async ({ v2, given, claim }) => {
    const { hotels } = given.shops
    const party = await given.party()
    const destination = (await hotels.largest(party)) ?? (await hotels.destinations(party))[0]!
    const { started, toItsEnd } = await hotels.try(party, { destination, checkIn: hotels.day() })
    given.accepted(started, 'a hotel search')
    // Long enough for its end: polls on the way there would be as large.
    await hotels.letItRun(party, 60)
    const { searchId } = await toItsEnd()
    const reading = (encoding: string) =>
      v2.hotelSearchPoll(searchId, { headers: { 'accept-encoding': encoding } })
    const plain = given.accepted(await reading('identity'), 'the results of a search that has ended')
    const packed = given.accepted(await reading('gzip'), 'the same results compressed')
    if (header(packed.response.headers, 'content-encoding') === null) return
    const { decodeError, jsonError } = packed.response
    const broken = decodeError ?? jsonError
    const same = broken === undefined && isSame(plain, packed)
    const again = same ? plain : given.accepted(await reading('identity'), 'the same results once more')
    // Results that change by themselves, down to the ids of their offers, can be compared with nothing.
    if (!isSame(plain, again)) return
    claim('GZIP-V2-INTACT', same, {
      tried: 'Reading the same results with and without gzip',
      expected: 'the same JSON',
      observed: broken ?? `another JSON (${outcomeOf(packed)})`,
      exchanges: [plain, packed],
    })
  })
})
