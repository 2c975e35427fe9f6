import fc from 'fast-check'
import { found, ratesOf, type V1Room } from '../../fixtures/check/v1/index.ts'
import { assume, describe, ifHad, test, untilAgreed } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

const COUPLE = { adults: 2 }

/** A room that few hotels have: the others must not be listed, whichever room it is. */
const LARGEST: V1Room = { adults: 20, childrenAges: [] }

const ROOMS = fc.array(
  fc.record({
    adults: fc.integer({ min: 1, max: 4 }),
    childrenAges: fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 3 }),
  }),
  { minLength: 2, maxLength: 4 },
)
const FAMILIES: readonly V1Room[] = [
  { adults: 2 },
  { adults: 1, childrenAges: [7, 7, 0] },
  { adults: 2, childrenAges: [17] },
]

const idsOf = ({ hotels }: { hotels: readonly { id_hotel?: unknown }[] }): unknown[] =>
  hotels.map(({ id_hotel: id }) => id)

// Rows judge each answer, and those for some of the rooms beside those for all.
describe('a search for any combination of rooms', () => {
  test('returns the rooms in the order requested, each with rates', {
    tags: [
      'V1-HOTEL-ENTRY-OCCUPANCIES',
      'V1-HOTEL-ENTRY-OCCUPANCIES-ORDER',
      'V1-HOTEL-ENTRY-ADULTS-ECHO',
      'V1-HOTEL-ENTRY-CHILDREN-AGES-ECHO',
      'V1-HOTEL-SEARCH-EVERY-ROOM',
    ],
    opportunistic: ['V1-HOTEL-ENTRY-ROOM-OWN', 'V1-HOTEL-SEARCH-ADULTS-ONLY'],
    kinds,
  }, async context => {
    await found(context, context.arrange.draw.of<readonly V1Room[]>('groups', 'rooms', ROOMS, FAMILIES))
  })

  test('finds hotels that have each of them', {
    tags: ['V1-HOTEL-SEARCH-EVERY-ROOM'],
    kinds,
  }, async context => {
    const { adapter, actor } = context.arrange
    const by = await actor()
    const { ask, ...all } = await found(context, [COUPLE, COUPLE, LARGEST])
    let together = all
    // A hotel may sell out meanwhile, and become available again.
    await untilAgreed(async time => {
      if (time > 1) together = await adapter.follow(by, ask)
      const alone = await adapter.follow(by, { ...ask, rooms: [LARGEST] })
      const agrees = idsOf(together).every(id => idsOf(alone).includes(id))
      return { agrees, exchanges: [together.last, alone.last] }
    })
  })
})

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
      kinds,
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
  test('is not found', { tags: ['V1-HOTEL-SEARCH-STOCK'], kinds }, async context => {
    const { arrange, expect, control } = context
    const by = await arrange.actor()
    const { hotels, ask } = await found(context, [COUPLE, COUPLE])
    // Also if the hotel has only one rate for both rooms.
    const hotel = hotels.find(one => ratesOf(one).every(rates => rates.length > 0))
    assume(hotel !== undefined, 'a hotel with two rooms')
    const searchIn = async (count: number, mode: 'paged' | 'full', left: number) => {
      await control.setStock(by, Number(hotel.id_hotel), left)
      const search = await arrange.adapter.follow(by, { ...ask, rooms: Array(count).fill(COUPLE), mode })
      return { last: search.last, isFound: idsOf(search).includes(hotel.id_hotel) }
    }
    for (const [count, mode] of arrange.drawn(SEARCHES, 1)) {
      const { last, isFound } = await searchIn(count, mode, count - 1)
      const isStill = isFound && (await searchIn(1, mode, 0)).isFound
      assume(!isStill, 'control.setStock to have an effect: a hotel with nothing left is still found')
      expect(last, 'V1-HOTEL-SEARCH-STOCK').toGive(`hotels with ${count} rooms left`, !isFound)
    }
  })
})

/** Who searches where adults found an adults-only hotel: 0 is an age, and 17 is a child's. */
const CHILDREN = [
  ['paged', [{ adults: 2, childrenAges: [17] }]],
  ['paged', [{ adults: 2 }, { adults: 2, childrenAges: [12] }]],
  ['full', [{ adults: 2, childrenAges: [0] }, { adults: 2 }]],
] as const

describe('a search with children', () => {
  test('finds no adults-only hotel', {
    tags: [
      'V1-HOTEL-SEARCH-ADULTS-ONLY',
      'V1-HOTEL-ENTRY-ADULTS-MIN-AGE',
      'V1-HOTEL-ENTRY-ADULTS-MIN-AGE-ONLY',
    ],
    kinds,
  }, async context => {
    const { adapter, actor } = context.arrange
    const { ask, hotels } = await found(context, [COUPLE], {
      is: search => search.hotels.some(hotel => hotel.adults_only === true),
      what: 'an adults-only hotel',
    })
    const by = await actor()
    for (const [mode, rooms] of CHILDREN) await ifHad(adapter.follow(by, { ...ask, rooms, mode }))
    const aged = hotels.some(({ adults_min_age: age }) => age !== undefined && age !== null)
    assume(aged, 'an adults-only hotel whose adults_min_age is known')
  })
})
