import fc from 'fast-check'
import { askOf, type HotelCheck, searched, type V1Room } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { assume, describe, type Exchange, ifHad, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

const COUPLE: V1Room = { adults: 2 }

const said = (rooms: readonly V1Room[]): string =>
  rooms
    .map(({ adults, childrenAges = [] }) => `${adults} adults and children of [${childrenAges.join(', ')}]`)
    .join('; ')

/** Returns a function that sends searches for rooms, which may be refused, all of one stay: they differ in their rooms alone. */
async function searching(context: HotelCheck): Promise<(rooms: readonly V1Room[]) => Promise<Exchange>> {
  const body = context.arrange.adapter.searchBody(await askOf(context))
  return rooms => searched(context, { ...body, occupancies: rooms })
}

/** The number of stays tried: some may not be sold to anybody. */
const STAYS = 3

/** Decides that rooms within the limits are accepted, whether or not any hotel has them. */
async function taken(context: HotelCheck, clause: ClauseId, rooms: readonly V1Room[]): Promise<void> {
  // How many rooms one search may have is not shown; an empty list of ages need not be sent.
  const couples = [rooms.map(() => COUPLE), rooms.map(() => ({ ...COUPLE, childrenAges: [] }))]
  for (let stay = 1; stay <= STAYS; stay++) {
    const ask = await searching(context)
    const answer = await ask(rooms)
    let isSold = succeeded(answer)
    for (const others of couples) isSold ||= succeeded(await ask(others))
    if (isSold) return context.expect(answer, clause).toSucceed()
  }
  assume(false, `a search for ${rooms.length} rooms`)
}

/** The number of places searched for one with a room at the limit. Elsewhere, a missing room beyond it says nothing. */
const TRIES = { free: 8, live: 1 }

/** Returns the first place with a hotel for that room; the first place of all if there is none. */
async function placeFor({ arrange }: HotelCheck, room: V1Room): Promise<{ place?: number }> {
  const by = await arrange.actor()
  const places = await arrange.adapter.places(by)
  // A destination has several hotels.
  const widest = [...places].sort((one, other) => one.type.localeCompare(other.type))
  for (const { id: place } of widest.slice(0, TRIES[arrange.trafficIsFree ? 'free' : 'live'])) {
    const ask = { place, checkIn: arrange.adapter.day(), rooms: [room] }
    const found = await ifHad(arrange.adapter.follow(by, ask))
    if (found !== undefined && found.hotels.length > 0) return { place }
  }
  return {}
}

/** Decides that rooms beyond the limits are refused or never found. */
async function limited(
  context: HotelCheck,
  clause: ClauseId,
  rooms: readonly V1Room[],
  where: { place?: number },
): Promise<void> {
  const { arrange, expect } = context
  const asked = await askOf(context, { rooms, ...where })
  const answer = await searched(context, arrange.adapter.searchBody(asked))
  if (!succeeded(answer)) return expect(answer, clause).not.toSucceed()
  const search = await arrange.adapter.follow(await arrange.actor(), asked)
  const found = search.hotels.map(({ id_hotel }) => id_hotel)
  expect(search.last, clause).toHaveNo(`hotels for ${said(rooms)}`, found)
}

/** Returns a room with some rooms before and after it. */
const placed = (room: V1Room, before: number, after: number): readonly V1Room[] => [
  ...Array.from({ length: before }, () => COUPLE),
  room,
  ...Array.from({ length: after }, () => COUPLE),
]

const places = { before: fc.nat(2), after: fc.nat(1) }

describe('the guests of a room', () => {
  for (const [clause, within, beyond, more] of [
    ['V1-HOTEL-SEARCH-ADULTS-LEAST', 1, 0, fc.integer({ min: -3, max: 0 })],
    ['V1-HOTEL-SEARCH-ADULTS-MOST', 20, 21, fc.integer({ min: 21, max: 200 })],
  ] as const) {
    test(`can be ${within} adults, but not ${beyond}`, {
      tags: [clause],
      kinds,
    }, async context => {
      // The limit is per room, not in total.
      for (const before of context.arrange.trafficIsFree ? [0, 1] : [0])
        await taken(context, clause, placed({ adults: within }, before, 0))
      const each = { adults: within, childrenAges: [0, 17] }
      await taken(context, clause, [each, { adults: within }])
      const where = await placeFor(context, { adults: within })
      await context.holds(
        fc.record({ adults: more, ...places, children: fc.boolean() }),
        async ({ adults, before, after, children }) =>
          // Children do not count as adults.
          limited(
            context,
            clause,
            placed({ adults, ...(children && { childrenAges: [9] }) }, before, after),
            where,
          ),
        {
          runs: 6,
          live: 2,
          examples: [
            { adults: beyond, before: 0, after: 0, children: false },
            { adults: beyond, before: 1, after: 0, children: true },
            { adults: beyond, before: 2, after: 0, children: false },
            { adults: beyond, before: 1, after: 1, children: false },
            { adults: beyond, before: 0, after: 1, children: true },
            // Also a fraction beyond the limit, which a service may round.
            { adults: (within + beyond) / 2, before: 0, after: 0, children: false },
          ],
        },
      )
    })
  }

  for (const [clause, within, beyond, more] of [
    ['V1-HOTEL-SEARCH-CHILD-AGE-LEAST', 0, -1, fc.integer({ min: -3, max: -1 })],
    ['V1-HOTEL-SEARCH-CHILD-AGE-MOST', 17, 18, fc.integer({ min: 18, max: 99 })],
  ] as const) {
    test(`can include a child of ${within}, but not of ${beyond}`, {
      tags: [clause],
      kinds,
    }, async context => {
      // In any room, and for any child of it.
      await taken(context, clause, [
        { adults: 2, childrenAges: [within] },
        { adults: 1, childrenAges: [5, within] },
        { adults: 1, childrenAges: [0, 17] },
      ])
      const where = await placeFor(context, { adults: 1, childrenAges: [within] })
      await context.holds(
        fc.record({ age: more, first: fc.boolean(), ...places }),
        async ({ age, first, before, after }) => {
          const childrenAges = first ? [age] : [5, age]
          await limited(context, clause, placed({ adults: 1, childrenAges }, before, after), where)
        },
        {
          runs: 6,
          live: 2,
          examples: [
            { age: beyond, first: true, before: 0, after: 0 },
            { age: beyond, first: false, before: 2, after: 0 },
            { age: beyond, first: false, before: 1, after: 1 },
            { age: beyond, first: true, before: 0, after: 1 },
            { age: (within + beyond) / 2, first: true, before: 0, after: 0 },
          ],
        },
      )
    })
  }

  test('can be adults only, without childrenAges', {
    tags: ['V1-HOTEL-SEARCH-CHILDREN-AGES-OPTIONAL'],
    kinds,
  }, async context => {
    const clause = 'V1-HOTEL-SEARCH-CHILDREN-AGES-OPTIONAL'
    const { arrange } = context
    const ask = await searching(context)
    const empty = await ask([{ adults: 2, childrenAges: [] }])
    const without = await ask([COUPLE])
    if (!succeeded(without)) assume.accepted(empty, 'a search with an empty list of childrenAges')
    context.expect(without, clause).toSucceed()
    await taken(context, clause, [{ adults: 1, childrenAges: [8] }, COUPLE])
    const search = await arrange.adapter.follow(await arrange.actor(), await askOf(context))
    const children = search.hotels.flatMap(({ occupancies }) =>
      (Array.isArray(occupancies) ? occupancies : []).filter(
        room => Array.isArray(room?.childrenAges) && room.childrenAges.length > 0,
      ),
    )
    context.expect(search.last, clause).toHaveNo('rooms with children', children)
  })
})
