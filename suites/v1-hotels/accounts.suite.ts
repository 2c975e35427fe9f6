import { isOfMarket, untilRefusedForItself } from '../../fixtures/check/buying/index.ts'
import { spread } from '../../fixtures/check/products/index.ts'
import {
  checkedRoom,
  everyPlace,
  found,
  type HotelCheck,
  type HotelOffer,
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
import { objects, objectsIn } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  independently,
  orOrdinary,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

const COUPLE: V1Room = { adults: 2 }
const FAMILY: V1Room = { adults: 2, childrenAges: [9, 0] }

/** Changes for a search in the default mode and in full mode. */
const EITHER_MODE = [{}, { mode: 'full' }] as const

interface Ask {
  rooms?: readonly V1Room[]
  mode?: 'full'
}

const bodyIn = ({ arrange: { adapter } }: HotelCheck, place: number, { rooms = [COUPLE], mode }: Ask = {}) =>
  adapter.searchBody({ place, checkIn: adapter.day(), rooms, ...(mode && { mode }) })

const searchIn = (context: HotelCheck, by: Actor, place: number, ask?: Ask) =>
  searched(context, bodyIn(context, place, ask), by)

/** Returns an account that may sell resort hotels A, and one of its resort hotels. */
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

/** The number of single resort hotels searched: with free and with limited requests. */
const ALONE = [6, 1] as const

/** Returns some of the single resort hotels in the list, besides the place that was searched. */
async function aloneOf(
  context: HotelCheck,
  { by, place, ordinary }: { by: Actor; place: number; ordinary: Actor },
): Promise<number[]> {
  const isResort = new Set(await resortsOf(context, by, ordinary))
  const places = await everyPlace(context, by)
  const alone = places.filter(({ id, type }) => type === 'hotel' && id !== place && isResort.has(id))
  return spread(alone, ALONE[context.arrange.trafficIsFree ? 0 : 1]).map(({ id }) => id)
}

/** The number of listed single hotels searched: with free and with limited requests. */
const LISTED = [40, 4] as const

/**
 * Judges what an account without resort hotels is offered, if its list is the same as with them: then only rates, or the
 * definition, show which hotels are resort hotels.
 */
async function claimSoldNone(context: HotelCheck, by: Actor, ordinary: Actor): Promise<void> {
  const { arrange, expect } = context
  const listed = await everyPlace(context, ordinary)
  const own = await everyPlace(context, by)
  if (own.some(({ id }) => listed.every(other => other.id !== id))) return
  const hotels = listed.filter(({ type }) => type === 'hotel')
  for (const { id } of spread(hotels, LISTED[arrange.trafficIsFree ? 0 : 1])) {
    const answer = await searchIn(context, ordinary, id, { mode: 'full' })
    const theirs = hotelsIn(answer).filter(
      hotel =>
        arrange.adapter.shapes.operator?.(hotel) === 'parkA' || ratesOf(hotel).flat().some(isResortRate),
    )
    const ids = theirs.map(({ id_hotel }) => id_hotel)
    if (ids.length > 0) expect(answer, 'V1-HOTEL-ERR-RESORT-FORBIDDEN').toHaveNo('resort hotels', ids)
  }
}

describe('resort hotels A', () => {
  test('are all in the first answer of a search', {
    tags: ['V1-HOTEL-RESORT-SEARCH-FINISH'],
    kinds,
  }, async context => {
    const { by, place, first } = await aResort(context)
    context.expect(first).toShow('finish', true)
    const ordinary = await context.arrange.actor()
    const alone = context.arrange.trafficIsFree ? await aloneOf(context, { by, place, ordinary }) : []
    for (const [what, where, ask] of [
      ['a full search', place, { mode: 'full' }],
      ['a search with children', place, { rooms: [FAMILY] }],
      ...alone.map(id => ['a search of one of them', id, {}] as const),
    ] as const) {
      const answer = assume.accepted(await searchIn(context, by, where, ask), what)
      context.expect(answer).toShow('finish', true)
    }
  })

  test('cannot be searched for several rooms at once', {
    tags: ['V1-HOTEL-RESORT-SEARCH-ONE-ROOM'],
    kinds,
  }, async context => {
    const { by, place } = await aResort(context)
    const ordinary = await context.arrange.actor()
    const alone = context.arrange.trafficIsFree ? await aloneOf(context, { by, place, ordinary }) : []
    for (const [where, search] of [
      [place, { rooms: [COUPLE, COUPLE] }],
      [place, { rooms: [COUPLE, COUPLE], mode: 'full' }],
      [place, { rooms: [COUPLE, { adults: 1 }, COUPLE] }],
      ...alone.map(id => [id, { rooms: [COUPLE, COUPLE] }] as const),
    ] as const) {
      const answer = await searchIn(context, by, where, search)
      context.expect(answer, 'V1-HOTEL-RESORT-SEARCH-ONE-ROOM').toBeAnError()
    }
  })

  test('are forbidden to an account without access to them', {
    tags: ['V1-HOTEL-ERR-RESORT-FORBIDDEN'],
    kinds,
    forReal: true,
  }, async context => {
    const ordinary = await ordinaryOf(context, 'resortHotels')
    await claimSoldNone(context, await context.arrange.actor('resort'), ordinary)
    const { by, place } = await aResort(context, ordinary)
    // A place of resort hotels, and some of them alone, for other people.
    const alone = await aloneOf(context, { by, place, ordinary })
    for (const id of [place, ...alone]) {
      const rooms = id === place ? [COUPLE] : [FAMILY]
      for (const how of EITHER_MODE.slice(id === place ? 0 : 1)) {
        const body = bodyIn(context, id, { ...how, rooms })
        assume.accepted(await searched(context, body, by), 'the same search by an account with them')
        context.expect(await searched(context, body, ordinary)).toRefuseAsStated()
      }
    }
  })
})

describe('a credential without access to resort hotels A, of a company with access', () => {
  /** Returns a room that the company may sell, with a credential of the company that may not. */
  const colleagues = async ({ arrange, control }: HotelCheck) => {
    control.require('mint')
    const by = await arrange.actor('resort')
    const wish = { companyOf: by.tenant, features: { resortHotels: false } }
    return { by, room: await resortRoom(arrange, by), without: await arrange.actor('standard', wish) }
  }

  /** Repeats the request until a market refusal is ruled out: a room may be sold at any time. */
  const refusedToThem = async (
    { arrange }: HotelCheck,
    { by, room }: Awaited<ReturnType<typeof colleagues>>,
    ask: (room: HotelOffer) => Promise<Exchange>,
  ): Promise<Exchange> => {
    const known = [room]
    const answer = await untilRefusedForItself(async () =>
      ask(known.pop() ?? (await resortRoom(arrange, by))),
    )
    // A key may be valid only for its own credential, and look expired to others.
    assume(!isOfMarket(answer), 'rate keys that another credential of the company can use')
    return answer
  }

  test('may not check the price of one', {
    tags: ['V1-HOTEL-ERR-RESORT-FORBIDDEN-CHECK'],
    kinds,
  }, async context => {
    const { arrange, act, expect } = context
    const both = await colleagues(context)
    const { by, without } = both
    await act.checked('the same with a credential that has resort hotels', both.room, by)
    const checks = (key: unknown) => without.v1.hotels.price({ rate_key: key })
    const afterCheck = async (room: HotelOffer, keyOf: (checked: HotelOffer) => unknown) => {
      const rate_key = keyOf(await checkedRoom(arrange, by, room))
      assume.accepted(await by.v1.hotels.price({ rate_key }), 'a key of a check that can be checked')
      return checks(rate_key)
    }
    // The key of a search, of a check, and of the same room with other tickets.
    const keys: readonly ((room: HotelOffer) => Promise<Exchange>)[] = [
      ({ productData: { rateKeys } }) => checks(rateKeys[0]),
      room => afterCheck(room, ({ productData: { rateKeys } }) => rateKeys[0]),
      room =>
        afterCheck(room, ({ exchange: { response } }) => {
          const options = [...objectsIn(response.json, '', 'ticket_options')].flatMap(({ object }) =>
            objects(object.ticket_options),
          )
          assume(options[0] !== undefined, 'a room with other ticket packages')
          return options[0].rate_key
        }),
    ]
    await independently(
      ...arrange
        .drawn(keys, 1)
        .map(ask => async () => expect(await refusedToThem(context, both, ask)).toRefuseAsStated()),
    )
  })

  test('may not book one', { tags: ['V1-HOTEL-ERR-RESORT-FORBIDDEN-CONFIRM'], kinds }, async context => {
    const { arrange, act, expect } = context
    const both = await colleagues(context)
    const { by, without } = both
    const answer = await refusedToThem(context, both, async room => {
      const body = arrange.anyBody(await checkedRoom(arrange, by, room))
      return without.v1.hotels.confirm({ ...body, external_reference: arrange.reference() })
    })
    expect(answer).toRefuseAsStated()
    const again = async () => arrange.body(await checkedRoom(arrange, by, await resortRoom(arrange, by)))
    await act.booked('the same with a credential that has resort hotels', { what: again, by })
  })
})

describe('a rate of a hotel that is not of resort hotels A', () => {
  test('has no promo, package or inclusions', {
    tags: ['V1-HOTEL-RATE-INCLUSIONS-RESORT-ONLY'],
    kinds,
  }, async context => {
    const by = await ordinaryOf(context, 'resortHotels')
    // How many rooms one search may have is not shown.
    const search = await orOrdinary(
      () => found(context, [COUPLE, COUPLE], { by }),
      () => found(context, [COUPLE], { by }),
    )
    // Hotels of another place may belong to another operator.
    const { adapter, trafficIsFree } = context.arrange
    const elsewhere = trafficIsFree ? (await adapter.places(by)).slice(0, MOST_PLACES) : []
    const hotels = [...search.hotels]
    for (const { id: place } of elsewhere.filter(({ id }) => id !== search.ask.place)) {
      hotels.push(...(await adapter.follow(by, { place, checkIn: adapter.day() })).hotels)
    }
    const rates = hotels.flatMap(hotel => ratesOf(hotel).flat())
    const wrong = rates.filter(isResortRate).length
    const what = 'the number of rates with promo, package or inclusions'
    context.expect(search.last, 'V1-HOTEL-RATE-INCLUSIONS-RESORT-ONLY').toTell(what, wrong, 0)
  })
})

/** The number of places searched. */
const PLACES = 3

/** The number of places searched if requests are free. */
const MOST_PLACES = 6

describe('an account with a restricted catalog', () => {
  test('gets only destinations that it may search', {
    tags: ['V1-HOTEL-DESTINATIONS-ACCOUNT'],
    kinds,
  }, async context => {
    const { arrange } = context
    const by = await arrange.actor('restricted')
    const places = await everyPlace(context, by)
    assume(places.length > 0, 'a destination that the account is shown')
    const { firstPage, shapes } = arrange.adapter
    // A page past its end may be cut from the list of everybody.
    const past = { page: (await firstPage(by)) + 1, limit: Math.min(500, places.length) }
    const later = arrange.trafficIsFree
      ? shapes.places((await by.v1.hotels.destinations(past)).response.json)
      : []
    const strange = later.filter(({ id }) => places.every(place => place.id !== id))
    const hotels = spread(
      places.filter(({ type }) => type === 'hotel'),
      LISTED[arrange.trafficIsFree ? 0 : 1],
    )
    for (const { id } of new Set([...places.slice(0, 2), ...places.slice(-2), ...hotels, ...strange])) {
      const answer = await searchIn(context, by, id)
      context.expect(answer, 'V1-HOTEL-DESTINATIONS-ACCOUNT').not.toSay('Catalog restricted')
    }
  })

  test('finds only hotels of operator B', { tags: ['V1-HOTEL-RESTRICTED-SEARCH'], kinds }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor('restricted')
    let told = 0
    for (const { id } of (await everyPlace(context, by)).slice(0, PLACES)) {
      const { adapter } = arrange
      const search = await adapter.follow(by, { place: id, checkIn: adapter.day(), rooms: [COUPLE] })
      const operators = search.hotels.map(hotel => adapter.shapes.operator?.(hotel))
      const known = operators.filter(operator => operator !== undefined)
      const wrong = known.filter(operator => operator !== 'parkB')
      told += known.length
      expect(search.last, 'V1-HOTEL-RESTRICTED-SEARCH').toHaveNo('hotels of another operator than B', wrong)
    }
    assume(told > 0, 'hotels whose operator is known (shapes.v1Hotels.operator in the definition)')
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
      const { adapter } = arrange
      const by = await arrange.actor('restricted')
      const own = await everyPlace(context, by)
      assume(own.length > 0, 'a destination in a restricted catalog')
      // Of a location, all hotels have to be known; of a hotel, its operator.
      const other = await (type === 'hotel' ? arrange.actor() : ordinaryOf(context, 'restrictedCatalog'))
      const places = (await everyPlace(context, other)).filter(
        one => one.type === type && !own.some(({ id }) => id === one.id),
      )
      // A hotel of the catalog need not be listed: only its operator shows whether it is outside.
      for (const { id } of places.slice(0, PLACES)) {
        const search = await adapter.follow(other, { place: id, checkIn: adapter.day(), rooms: [COUPLE] })
        const operators = search.hotels.map(hotel => adapter.shapes.operator?.(hotel))
        const isOutside = operators.every(operator => operator !== undefined && operator !== 'parkB')
        if (!search.finished || operators.length === 0 || !isOutside) continue
        for (const how of EITHER_MODE) {
          const body = bodyIn(context, own[0]!.id, how)
          assume.accepted(await searched(context, body, by), 'a search within the catalog')
          expect(await searched(context, { ...body, id_location: id }, by)).toRefuseAsStated()
        }
        return
      }
      assume(false, `a ${type} without operator B (shapes.v1Hotels.operator in the definition)`)
    })
})
