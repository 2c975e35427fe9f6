import { found, ratesOf } from '../../fixtures/check/v1/index.ts'
import { assume, describe, outcomeOf, test } from '../../fixtures/test.ts'

const COUPLE = { adults: 2 }

describe('a search for several identical rooms', () => {
  // Some group rooms only where all of them are the same.
  for (const [which, rooms] of [
    ['two', [COUPLE, COUPLE]],
    ['two beside another', [COUPLE, { adults: 1 }, COUPLE]],
    ['three', [COUPLE, COUPLE, COUPLE]],
  ] as const) {
    test(`shows a rate that covers ${which} in the entry of each, its price divided`, {
      tags: ['V1-HOTEL-GROUP-SAME-KEY', 'V1-HOTEL-GROUP-IDENTICAL-ROOMS', 'V1-HOTEL-GROUP-PRICE'],
      kinds: ['v1-hotels'],
    }, async context => {
      const { hotels } = await found(context, rooms)
      const alike = rooms.filter(({ adults }) => adults === COUPLE.adults).length
      const rates = hotels.flatMap(hotel => ratesOf(hotel).flat())
      assume(
        rates.some(({ room_quantity: count }) => count === alike),
        `a rate for ${alike} rooms`,
      )
    })
  }
})

describe('a search with children', () => {
  test('finds no adults-only hotel', {
    tags: [
      'V1-HOTEL-SEARCH-ADULTS-ONLY',
      'V1-HOTEL-ENTRY-ADULTS-MIN-AGE',
      'V1-HOTEL-ENTRY-ADULTS-MIN-AGE-ONLY',
    ],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, claim } = context
    const checkIn = arrange.adapter.day()
    const grown = await found(context, [{ adults: 2 }], { checkIn })
    const adultsOnly = new Set(
      grown.hotels.filter(hotel => hotel.adults_only === true).map(({ id_hotel }) => id_hotel),
    )
    assume(adultsOnly.size > 0, 'an adults-only hotel')
    const by = await arrange.actor()
    const rooms = [{ adults: 2 }, { adults: 2, childrenAges: [12] }]
    // In either mode: other code may answer.
    for (const mode of ['paged', 'full'] as const) {
      const family = await arrange.adapter.follow(by, { ...grown.ask, rooms, mode })
      const wrong = family.hotels.filter(({ id_hotel }) => adultsOnly.has(id_hotel))
      claim('V1-HOTEL-SEARCH-ADULTS-ONLY', wrong.length === 0, {
        tried: `A ${mode} search with a child, in a place with adults-only hotels`,
        expected: 'none of these hotels',
        observed: `${wrong.length} of ${adultsOnly.size} (${outcomeOf(family.last)})`,
        exchanges: [grown.last, family.last],
      })
    }
    const aged = grown.hotels.some(({ adults_min_age: age }) => age !== undefined && age !== null)
    assume(aged, 'an adults-only hotel whose adults_min_age is known')
  })
})
