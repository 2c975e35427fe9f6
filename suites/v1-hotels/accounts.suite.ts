import type { Actor } from '../../fixtures/check/actor.ts'
import { outcomeOf } from '../../fixtures/check/outcome.ts'
import { isResortRate, ratesOf, type V1Room } from '../../fixtures/check/v1/hotels.ts'
import {
  everyPlace,
  found,
  type HotelCheck,
  notLimited,
  ordinaryOf,
  resortsOf,
  searched,
} from '../../fixtures/check/v1/searches.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { at } from '../../fixtures/contracts/reading.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

const COUPLE: V1Room = { adults: 2 }

const searchIn = (context: HotelCheck, by: Actor, place: number, rooms: readonly V1Room[] = [COUPLE]) => {
  const { adapter } = context.arrange
  return searched(context, adapter.searchBody({ place, checkIn: adapter.day(), rooms }), by)
}

/** Who may sell resort hotels A, and one of them that the account is served. */
async function aResort(context: HotelCheck, ordinary?: Actor) {
  const { arrange } = context
  const by = await arrange.actor('resort')
  const places = await resortsOf(context, by, ordinary ?? (await arrange.actor()))
  for (const place of places.slice(0, 3)) {
    const first = notLimited(await searchIn(context, by, place))
    if (first.response.status < 300) return { by, place, first }
  }
  assume(false, 'a resort hotel that can be searched')
}

describe('resort hotels A', () => {
  test('are all found in the first answer', {
    tags: ['V1-HOTEL-RESORT-SEARCH-FINISH'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { first } = await aResort(context)
    context.expect(first).toShow('finish', true)
  })

  test('are searched for one room at a time', {
    tags: ['V1-HOTEL-RESORT-SEARCH-ONE-ROOM'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { by, place, first } = await aResort(context)
    for (const rooms of [
      [COUPLE, COUPLE],
      [COUPLE, { adults: 1 }, COUPLE],
    ]) {
      const answer = await searchIn(context, by, place, rooms)
      context.claim('V1-HOTEL-RESORT-SEARCH-ONE-ROOM', answer.response.status >= 400, {
        tried: `Searching a resort hotel for ${rooms.length} rooms`,
        expected: 'a refusal (400 or higher)',
        observed: outcomeOf(answer),
        exchanges: [first, answer],
      })
    }
  })

  test('are forbidden to an account without them', {
    tags: ['V1-HOTEL-ERR-RESORT-FORBIDDEN'],
    kinds: ['v1-hotels'],
  }, async context => {
    const ordinary = await ordinaryOf(context)
    const { place } = await aResort(context, ordinary)
    const answer = await searchIn(context, ordinary, place)
    context.expect(answer).toHaveStatus(403)
    context.expect(answer).toSay('Access forbidden')
  })
})

describe('a rate of another hotel', () => {
  test('describes no promo, package or inclusions', {
    tags: ['V1-HOTEL-RATE-INCLUSIONS-RESORT-ONLY'],
    kinds: ['v1-hotels'],
  }, async context => {
    const search = await found(context, [COUPLE], { by: await ordinaryOf(context) })
    const rates = search.hotels.flatMap(hotel => ratesOf(hotel).flat())
    const wrong = rates.filter(isResortRate)
    context.claim('V1-HOTEL-RATE-INCLUSIONS-RESORT-ONLY', wrong.length === 0, {
      tried: 'A search by an account without resort hotels A',
      expected: 'rates without promo, package and inclusions',
      observed: `${wrong.length} of ${rates.length} rates with one of them`,
      exchanges: [search.last],
    })
  })
})

const isForbidden = ({ response }: Exchange): boolean =>
  response.status === 403 &&
  [at(response.json, 'error'), at(response.json, 'message')].includes('Catalog restricted')

describe('an account with a restricted catalog', () => {
  test('is listed only places that it may search', {
    tags: ['V1-HOTEL-DESTINATIONS-ACCOUNT'],
    kinds: ['v1-hotels'],
  }, async context => {
    const by = await context.arrange.actor('restricted')
    const places = await everyPlace(context, by)
    assume(places.length > 0, 'a place that the account is listed')
    for (const { id } of new Set([...places.slice(0, 2), ...places.slice(-2)])) {
      const answer = await searchIn(context, by, id)
      context.claim('V1-HOTEL-DESTINATIONS-ACCOUNT', !isForbidden(answer), {
        tried: 'Searching an entry of the destination list of an account with a restricted catalog',
        expected: 'a place of its catalog',
        observed: outcomeOf(answer),
        exchanges: [answer],
      })
    }
  })

  test('is refused a hotel outside of it', {
    tags: ['V1-HOTEL-ERR-RESTRICTED'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor('restricted')
    const own = await everyPlace(context, by)
    const listed = new Set(own.map(({ id }) => id))
    // A place may hold hotels of the catalog without being listed; a single hotel is inside or outside.
    const outside = (await everyPlace(context, await arrange.actor())).find(
      ({ id, type }) => type === 'hotel' && !listed.has(id),
    )
    assume(outside !== undefined && own.length > 0, 'a hotel that only others are listed')
    const accepted = await searchIn(context, by, own[0]!.id)
    assume.accepted(accepted, 'a search within the catalog')
    const answer = await searchIn(context, by, outside.id)
    expect(answer).toHaveStatus(403)
    expect(answer).toSay('Catalog restricted')
  })
})
