import { isOfMarket, untilRefusedForItself } from '../../fixtures/check/buying/index.ts'
import { spread } from '../../fixtures/check/products/index.ts'
import {
  checkedRoom,
  everyPlace,
  found,
  type HotelCheck,
  hotelsIn,
  isResortRate,
  notLimited,
  ordinaryOf,
  ratesOf,
  resortRoom,
  resortsOf,
  searched,
  type V1Room,
} from '../../fixtures/check/v1/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { type Actor, assume, describe, ifHad, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

const COUPLE: V1Room = { adults: 2 }
const FAMILY: V1Room = { adults: 2, childrenAges: [9, 0] }

/** Changes for a search in the default mode and in full mode. */
const EITHER_MODE = [{}, { mode: 'full' }] as const

interface Ask {
  rooms?: readonly V1Room[]
  mode?: 'full'
}

/** Returns the body of a search of a place, and what sends it, or another one. */
function searchOf(context: HotelCheck, place: number, { rooms = [COUPLE], mode }: Ask = {}) {
  const { adapter } = context.arrange
  const body = adapter.searchBody({ place, checkIn: adapter.day(), rooms, ...(mode && { mode }) })
  return async (by: Actor, other: JsonObject = {}) =>
    notLimited(await searched(context, { ...body, ...other }, by))
}

/** Returns an account that may sell resort hotels A, one that may not, and some of the resort hotels. */
async function resorts(context: HotelCheck, known?: Actor) {
  const { arrange } = context
  const [by, ordinary] = [await arrange.actor('resort'), known ?? (await arrange.actor())]
  return { by, ordinary, places: arrange.drawn((await resortsOf(context, by, ordinary)).slice(0, 3), 1) }
}

describe('resort hotels A', () => {
  test('are all in the first answer of a search, for one room', {
    tags: ['V1-HOTEL-RESORT-SEARCH-FINISH', 'V1-HOTEL-RESORT-SEARCH-ONE-ROOM'],
    kinds,
  }, async context => {
    const { by, places } = await resorts(context)
    for (const place of places) {
      for (const ask of [...EITHER_MODE, { rooms: [FAMILY] }]) {
        const answer = assume.accepted(await searchOf(context, place, ask)(by), 'a search of a resort hotel')
        context.expect(answer, 'V1-HOTEL-RESORT-SEARCH-FINISH').toShow('finish', true)
      }
      for (const mode of EITHER_MODE)
        for (const rooms of [
          [COUPLE, COUPLE],
          [COUPLE, { adults: 1 }, COUPLE],
        ]) {
          const answer = await searchOf(context, place, { ...mode, rooms })(by)
          context.expect(answer, 'V1-HOTEL-RESORT-SEARCH-ONE-ROOM').toBeAnError()
        }
    }
  })

  test('are forbidden to an account without access to them', {
    tags: ['V1-HOTEL-ERR-RESORT-FORBIDDEN'],
    kinds,
    forReal: true,
  }, async context => {
    const { arrange, expect } = context
    const ordinary = await ordinaryOf(context, 'resortHotels')
    const isResort = (hotel: JsonObject) =>
      arrange.adapter.shapes.operator?.(hotel) === 'parkA' || ratesOf(hotel).flat().some(isResortRate)
    // If all accounts have one list, only its rates, or the definition, show which hotels are resort hotels.
    if ((await arrange.adapter.resorts(await arrange.actor('resort'), ordinary)).length === 0) {
      const listed = await everyPlace(context, ordinary)
      const hotels = listed.filter(({ type }) => type === 'hotel').map(({ id }) => id)
      const is = (search: { hotels: readonly JsonObject[] }) => search.hotels.some(isResort)
      const shown = await ifHad(found(context, undefined, { by: ordinary, places: spread(hotels, 8), is }))
      if (shown !== undefined) expect(shown.last).toHaveNo('resort hotels', shown.hotels.filter(isResort))
    }
    const { by, places } = await resorts(context, ordinary)
    for (const place of places)
      for (const ask of [...EITHER_MODE, { rooms: [FAMILY] }]) {
        const send = searchOf(context, place, ask)
        assume.accepted(await send(by), 'the same search by an account with them')
        expect(await send(ordinary)).toRefuseAsStated()
      }
  })
})

describe('a credential without access to resort hotels A, of a company with access', () => {
  for (const [what, clause, key] of [
    ['check the price of one', 'V1-HOTEL-ERR-RESORT-FORBIDDEN-CHECK', 'searched'],
    ['check one that was checked', 'V1-HOTEL-ERR-RESORT-FORBIDDEN-CHECK', 'checked'],
    ['book one', 'V1-HOTEL-ERR-RESORT-FORBIDDEN-CONFIRM', 'checked'],
  ] as const)
    test(`may not ${what}`, { tags: [clause], kinds }, async context => {
      const { arrange, act, control, expect } = context
      control.require('mint')
      const by = await arrange.actor('resort')
      const wish = { companyOf: by.tenant, features: { resortHotels: false } }
      const { hotels } = (await arrange.actor('standard', wish)).v1
      const isBooking = clause === 'V1-HOTEL-ERR-RESORT-FORBIDDEN-CONFIRM'
      const room = async () => {
        const one = await resortRoom(arrange, by)
        return key === 'checked' ? checkedRoom(arrange, by, one) : one
      }
      // A room may be sold at any time, and a key may be valid only for its own credential, and look expired to others.
      const answer = await untilRefusedForItself(async () => {
        const one = await room()
        return isBooking
          ? hotels.confirm({ ...arrange.anyBody(one), external_reference: arrange.reference() })
          : hotels.price({ rate_key: one.productData.rateKeys[0] })
      })
      assume(!isOfMarket(answer), 'rate keys that another credential of the company can use')
      expect(answer, clause).toRefuseAsStated()
      const same = 'the same with a credential that has resort hotels'
      if (isBooking) await act.booked(same, { what: async () => arrange.body(await room()), by })
      else await act.checked(same, room, by)
    })
})

/** The number of listed places searched: with free and with limited requests. */
const LISTED = { free: 40, live: 4 }

describe('an account with a restricted catalog', () => {
  test('may search what it is listed, and finds only hotels of operator B', {
    tags: ['V1-HOTEL-DESTINATIONS-ACCOUNT', 'V1-HOTEL-RESTRICTED-SEARCH'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor('restricted')
    const places = await everyPlace(context, by)
    assume(places.length > 0, 'a destination that the account is shown')
    const { operator } = arrange.adapter.shapes
    let isTold = false
    for (const { id } of spread(places, LISTED[arrange.trafficIsFree ? 'free' : 'live'])) {
      const answer = await searchOf(context, id, { mode: 'full' })(by)
      expect(answer, 'V1-HOTEL-DESTINATIONS-ACCOUNT').not.toSay('Catalog restricted')
      const told = hotelsIn(answer)
        .map(hotel => operator?.(hotel))
        .filter(one => one !== undefined)
      isTold ||= told.length > 0
      const wrong = told.filter(one => one !== 'parkB')
      expect(answer, 'V1-HOTEL-RESTRICTED-SEARCH').toHaveNo('hotels of another operator than B', wrong)
    }
    assume(isTold, 'hotels whose operator is known (shapes.v1Hotels.operator in the definition)')
  })

  for (const [what, type] of [
    ['a location without hotels', 'destination'],
    ['a hotel outside', 'hotel'],
  ] as const)
    test(`cannot search ${what} of its catalog`, {
      tags: ['V1-HOTEL-ERR-RESTRICTED'],
      kinds,
    }, async context => {
      const { arrange, expect } = context
      const { operator } = arrange.adapter.shapes
      const by = await arrange.actor('restricted')
      const own = await everyPlace(context, by)
      assume(own.length > 0, 'a destination in a restricted catalog')
      // Of a location, all hotels have to be known; of a hotel, its operator.
      const other = await (type === 'hotel' ? arrange.actor() : ordinaryOf(context, 'restrictedCatalog'))
      const others = (await everyPlace(context, other)).filter(
        one => one.type === type && !own.some(({ id }) => id === one.id),
      )
      // A hotel of the catalog need not be listed: only its operator shows whether it is outside.
      const { ask } = await found(context, [COUPLE], {
        by: other,
        places: others.map(({ id }) => id),
        is: ({ finished, hotels }) =>
          finished &&
          hotels.length > 0 &&
          hotels.every(hotel => ['parkA', null].includes(operator?.(hotel) as null)),
        what: `a ${type} without operator B (shapes.v1Hotels.operator in the definition)`,
      })
      for (const how of EITHER_MODE) {
        const send = searchOf(context, own[0]!.id, how)
        assume.accepted(await send(by), 'a search within the catalog')
        expect(await send(by, { id_location: ask.place })).toRefuseAsStated()
      }
    })
})
