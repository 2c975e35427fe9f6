import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { HotelSeen, Room } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { assume, describe, type Exchange, type ProductCheck, test } from '../../fixtures/test.ts'

const COUPLE: Room = { adults: 2, childAges: [] }

const said = (rooms: readonly Room[]) =>
  rooms
    .map(({ adults, childAges }) => `${adults} adults and children of [${childAges.join(', ')}]`)
    .join('; ')

/** The number of places searched if the first has nothing. */
const TRIES = 3

/** Where rooms are searched. */
interface Place {
  destination: string | number
  /** The day of the search: on another day there may be other hotels. */
  day: string
  /** Whether a similar search within the limits finds a hotel there. */
  hasHotels: boolean
  /** Two rooms within the limits that differ in the limited value. */
  alike: readonly [Room, Room]
}

/** Starts a search for those rooms, which may be refused. */
async function ask(
  { arrange }: ProductCheck<'hotels'>,
  destination: Place['destination'],
  rooms: readonly Room[],
  checkIn: string,
) {
  return arrange.adapter.try(await arrange.actor(), { destination, checkIn, rooms })
}

const covering = (hotels: readonly HotelSeen[]): readonly HotelSeen[] =>
  hotels.filter(hotel => hotel.rooms.every(room => room.length > 0))

/** Decides that rooms within the limits are accepted, whether or not any hotel has them. */
async function taken(
  context: ProductCheck<'hotels'>,
  clause: ClauseId,
  { destination, day }: Place,
  rooms: readonly Room[],
): Promise<Exchange> {
  const { started } = await ask(context, destination, rooms, day)
  if (!succeeded(started)) {
    const couples = rooms.map(() => COUPLE)
    const { started: ordinary } = await ask(context, destination, couples, day)
    assume.sold(ordinary, 'a search of that day for two adults in each room')
  }
  context.expect(started, clause).toSucceed()
  return started
}

/** Decides that rooms beyond the limits are refused or never found. */
async function limited(
  context: ProductCheck<'hotels'>,
  clause: ClauseId,
  { destination, day, hasHotels, alike }: Place,
  rooms: readonly Room[],
): Promise<void> {
  const { started, toItsEnd } = await ask(context, destination, rooms, day)
  const polls = succeeded(started) ? await toItsEnd() : undefined
  const offered = covering(polls?.hotels ?? [])
  // Finding nothing says nothing if nobody finds anything.
  assume(polls === undefined || offered.length > 0 || hasHotels, 'a destination with hotels')
  assume(
    offered.length === 0 || (await minds(context, destination, alike)),
    'a search that considers the guests of a room: state their field names in shapes.hotels.search',
  )
  const ids = offered.map(({ hotelId }) => hotelId)
  context.expect(polls?.polls.at(-1) ?? started, clause).toHaveNo(`hotels for ${said(rooms)}`, ids)
}

/** Returns the numbers that an answer echoes about the occupancy of a room. */
function echoes(value: unknown, about: boolean): unknown[] {
  if (Array.isArray(value)) return value.flatMap(entry => echoes(entry, about))
  if (typeof value === 'number') return about ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, entry]) => echoes(entry, about || WHO_SLEEPS.test(name)))
}

const WHO_SLEEPS = /adult|child|kid|guest|occupan|person|people|party|pax|(^|_)ages?($|_)|Ages?$/

/**
 * Returns whether searches within the limits that differ only in occupancy have different answers: fields with guessed names
 * may be ignored. Each room is searched twice, alternately and for one day, so that a market change is not taken for a
 * difference.
 */
async function minds(
  context: ProductCheck<'hotels'>,
  destination: Place['destination'],
  [one, other]: Place['alike'],
): Promise<boolean> {
  const day = context.arrange.adapter.day()
  const shown = async (room: Room) => {
    const { started, toItsEnd } = await ask(context, destination, [room], day)
    assume.accepted(started, 'a hotel search within the limits')
    const { polls, hotels } = await toItsEnd()
    const found = hotels.map(({ hotelId, rooms }) => [
      hotelId,
      rooms.map(seen => seen.map(({ total }) => total)),
    ])
    return {
      found,
      said: echoes(
        [started, polls.at(-1)].map(answer => answer?.response.json),
        false,
      ),
    }
  }
  const [first, second, third, fourth] = [
    await shown(one),
    await shown(other),
    await shown(one),
    await shown(other),
  ]
  const tells = (part: 'found' | 'said') =>
    isDeepStrictEqual(first[part], third[part]) &&
    isDeepStrictEqual(second[part], fourth[part]) &&
    !isDeepStrictEqual(first[part], second[part])
  return tells('found') || tells('said')
}

/** Returns the room alone, or as the second of two. */
const placed = (room: Room, second: boolean): readonly Room[] => (second ? [COUPLE, room] : [room])

describe('the guests of a room', () => {
  test('can be 1 to 20 adults, and no other number', {
    tags: ['LIMIT-V2-HOTEL-ADULTS'],
    kinds: ['hotels'],
  }, async context => {
    const clause = 'LIMIT-V2-HOTEL-ADULTS'
    const place = await placeFor(context, [COUPLE, COUPLE], [COUPLE, { adults: 1, childAges: [] }])
    // The limit is per room, not in total.
    for (const second of [false, true]) {
      for (const adults of [1, 20])
        await taken(context, clause, place, placed({ adults, childAges: [] }, second))
    }
    await context.holds(
      fc.record({
        adults: fc.oneof(fc.integer({ min: 21, max: 200 }), fc.integer({ min: -3, max: 0 })),
        second: fc.boolean(),
      }),
      async ({ adults, second }) =>
        limited(context, clause, place, placed({ adults, childAges: [] }, second)),
      {
        runs: 8,
        live: 3,
        examples: [
          { adults: 21, second: false },
          { adults: 0, second: false },
          { adults: 21, second: true },
          // Also fractions beyond the limits, which a service may round.
          { adults: 20.5, second: false },
          { adults: 0.5, second: false },
        ],
      },
    )
  })

  test('can be children aged 0 to 17, and no other age', {
    tags: ['LIMIT-V2-HOTEL-CHILD-AGE'],
    kinds: ['hotels'],
  }, async context => {
    const clause = 'LIMIT-V2-HOTEL-CHILD-AGE'
    const place = await placeFor(
      context,
      [COUPLE, { adults: 1, childAges: [5, 5] }],
      [COUPLE, { adults: 2, childAges: [3, 11] }],
    )
    for (const childAges of [
      [0, 17],
      [17, 0],
    ])
      await taken(context, clause, place, [{ adults: 2, childAges }])
    await context.holds(
      fc.record({
        age: fc.oneof(fc.integer({ min: 18, max: 99 }), fc.integer({ min: -3, max: -1 })),
        first: fc.boolean(),
        second: fc.boolean(),
      }),
      async ({ age, first, second }) => {
        const childAges = first ? [age] : [5, age]
        await limited(context, clause, place, placed({ adults: 1, childAges }, second))
      },
      {
        runs: 8,
        live: 3,
        examples: [
          { age: 18, first: true, second: false },
          { age: -1, first: true, second: false },
          { age: 18, first: false, second: true },
          { age: 17.5, first: true, second: false },
          { age: -0.5, first: true, second: false },
        ],
      },
    )
  })
})

/**
 * Returns a place where those rooms are found, otherwise the first place. Requires that the search is accepted: a body that
 * is refused anyway says nothing about its rooms.
 */
async function placeFor(
  context: ProductCheck<'hotels'>,
  rooms: readonly Room[],
  alike: Place['alike'],
): Promise<Place> {
  const { act, arrange } = context
  const places = await arrange.adapter.destinations(await arrange.actor(), TRIES)
  const day = arrange.adapter.day()
  for (const destination of places.slice(0, TRIES)) {
    const { started, toItsEnd } = await ask(context, destination, rooms, day)
    // An ordinary search shows whether hotels are sold at all.
    if (!succeeded(started)) await act.check(() => arrange.offer(), { judged: false })
    assume.sold(started, 'a hotel search within the limits')
    const { hotels } = await toItsEnd()
    if (covering(hotels).length > 0) return { destination, day, hasHotels: true, alike }
  }
  return { destination: places[0]!, day, hasHotels: false, alike }
}
