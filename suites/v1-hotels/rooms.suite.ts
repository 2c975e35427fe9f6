import { found, type HotelCheck, ratesOf, type V1Room } from '../../fixtures/check/v1/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { assume, describe, orOrdinary, test } from '../../fixtures/test.ts'

const COUPLE = { adults: 2 }

describe('a search for several identical rooms', () => {
  // Some services group rooms only if all of them are the same.
  for (const [which, rooms, mode] of [
    ['two', [COUPLE, COUPLE], 'paged'],
    ['two in full mode', [COUPLE, COUPLE], 'full'],
    ['two beside another', [COUPLE, { adults: 1 }, COUPLE], 'paged'],
    ['three', [COUPLE, COUPLE, COUPLE], 'paged'],
  ] as const) {
    test(`shows a rate that covers ${which} in the entry of each room, with its price divided`, {
      tags: [
        'V1-HOTEL-ENTRY-ROOM-OWN',
        'V1-HOTEL-GROUP-SAME-KEY',
        'V1-HOTEL-GROUP-SAME-RATE',
        'V1-HOTEL-GROUP-IDENTICAL-ROOMS',
        'V1-HOTEL-GROUP-PRICE',
      ],
      kinds: ['v1-hotels'],
    }, async context => {
      const { hotels } = await found(context, rooms, { mode })
      const alike = rooms.filter(({ adults }) => adults === COUPLE.adults).length
      const rates = hotels.flatMap(hotel => ratesOf(hotel).flat())
      assume(
        rates.some(({ room_quantity: count }) => count === alike),
        `a rate for ${alike} rooms`,
      )
    })
  }
})

/** The number of rooms of a search, and its mode. */
const SEARCHES = [
  [2, 'paged'],
  [2, 'full'],
  [3, 'paged'],
] as const

describe('a hotel with fewer rooms left than are searched for', () => {
  test('is not found', { tags: ['V1-HOTEL-SEARCH-STOCK'], kinds: ['v1-hotels'] }, async context => {
    const { arrange, expect, control } = context
    const { adapter } = arrange
    const by = await arrange.actor()
    const pair = await found(context, [COUPLE, COUPLE])
    // Also if the hotel has only one rate for both rooms.
    const hotel = pair.hotels.find(one => ratesOf(one).every(rates => rates.length > 0))
    assume(hotel !== undefined, 'a hotel with two rooms')
    const productId = Number(hotel.id_hotel)
    const seen = async (count: number, mode: 'paged' | 'full') => {
      const search = await adapter.follow(by, { ...pair.ask, rooms: Array(count).fill(COUPLE), mode })
      assume(search.finished, 'a search that ends')
      return { search, isFound: search.hotels.some(({ id_hotel: id }) => id === productId) }
    }
    for (const [count, mode] of arrange.drawn(SEARCHES, 1)) {
      await control.setStock(by, productId, count - 1)
      const { search, isFound } = await seen(count, mode)
      if (isFound) {
        await control.setStock(by, productId, 0)
        assume(
          !(await seen(1, mode)).isFound,
          'control.setStock to have an effect: a hotel with nothing left is still found',
        )
      }
      expect(search.last, 'V1-HOTEL-SEARCH-STOCK').toGive(`hotels with ${count} rooms left`, !isFound)
    }
  })
})

/** The maximum number of single hotels searched for adults-only ones. */
const MOST_SINGLE = 12

/** The maximum number of places searched for an adults-only hotel. */
const PLACES = { free: 8, live: 3 }

/** Returns a search for two adults that found an adults-only hotel, or, if there is none, any hotel. */
async function foundForAdultsOnly(context: HotelCheck, checkIn: string) {
  const { arrange } = context
  const rooms = [{ adults: 2 }]
  const first = await found(context, rooms, { checkIn })
  const has = ({ hotels }: typeof first) => hotels.some(hotel => hotel.adults_only === true)
  if (has(first)) return first
  const by = await arrange.actor()
  const places = (await arrange.adapter.places(by)).filter(({ id }) => id !== first.ask.place)
  for (const { id: place } of places.slice(0, PLACES[arrange.realIsFree ? 'free' : 'live'])) {
    const search = await arrange.adapter.follow(by, { place, checkIn, rooms })
    if (has(search)) return search
  }
  return first
}

const idsOf = ({ hotels }: { hotels: readonly JsonObject[] }): unknown[] =>
  hotels.map(({ id_hotel }) => id_hotel)

describe('a search with children', () => {
  test('finds no adults-only hotel', {
    tags: [
      'V1-HOTEL-SEARCH-ADULTS-ONLY',
      'V1-HOTEL-ENTRY-ADULTS-MIN-AGE',
      'V1-HOTEL-ENTRY-ADULTS-MIN-AGE-ONLY',
    ],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, expect } = context
    const checkIn = arrange.adapter.day()
    const grown = await foundForAdultsOnly(context, checkIn)
    const adultsOnly = new Set(
      grown.hotels.filter(hotel => hotel.adults_only === true).map(({ id_hotel }) => id_hotel),
    )
    assume(adultsOnly.size > 0, 'an adults-only hotel')
    const by = await arrange.actor()
    // In both modes and with a child in either room: the code may differ, 0 is an age, and 17 is a child's.
    for (const [mode, rooms] of [
      // One room first: how many rooms one search may have is not shown.
      ['paged', [{ adults: 2, childrenAges: [17] }]],
      ['paged', [{ adults: 2 }, { adults: 2, childrenAges: [12] }]],
      ['full', [{ adults: 2, childrenAges: [0] }, { adults: 2 }]],
    ] as const) {
      const search = (asked: readonly V1Room[]) =>
        arrange.adapter.follow(by, { ...grown.ask, rooms: asked, mode })
      const family = await orOrdinary(
        () => search(rooms),
        () => search(rooms.filter(room => 'childrenAges' in room)),
      )
      const wrong = idsOf(family).filter(id => adultsOnly.has(id))
      expect(family.last, 'V1-HOTEL-SEARCH-ADULTS-ONLY').toHaveNo('adults-only hotels', wrong)
    }
    // A single hotel is also searched by its own id.
    const single = arrange.trafficIsFree
      ? (await arrange.adapter.places(by)).filter(({ type }) => type === 'hotel').slice(0, MOST_SINGLE)
      : []
    // The service holds each answer until its search has ended.
    const searches = await Promise.all(
      single.map(({ id: place }) => arrange.adapter.follow(by, { place, checkIn, mode: 'full' })),
    )
    const alone = searches.find(({ hotels }) => hotels.some(hotel => hotel.adults_only === true))
    if (alone !== undefined) {
      const rooms = [{ adults: 2, childrenAges: [9] }]
      const family = await arrange.adapter.follow(by, { ...alone.ask, rooms })
      expect(family.last, 'V1-HOTEL-SEARCH-ADULTS-ONLY').toHaveNo('adults-only hotels', idsOf(family))
    }
    const aged = grown.hotels.some(({ adults_min_age: age }) => age !== undefined && age !== null)
    assume(aged, 'an adults-only hotel whose adults_min_age is known')
  })
})
