import fc from 'fast-check'
import { outcomeOf } from '../../fixtures/check/outcome.ts'
import type { Room } from '../../fixtures/check/products/hotels.ts'
import { succeeded } from '../../fixtures/checkers/endpoint.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { assume, describe, type ProductCheck, test } from '../../fixtures/test.ts'

const COUPLE: Room = { adults: 2, childAges: [] }

const said = (rooms: readonly Room[]) =>
  rooms
    .map(({ adults, childAges }) => `${adults} adults and children of [${childAges.join(', ')}]`)
    .join('; ')

/** Starts a search for those rooms, refused or not. */
async function ask(context: ProductCheck<'hotels'>, rooms: readonly Room[]) {
  const { arrange } = context
  const hotels = arrange.adapter
  const actor = await arrange.actor()
  const [destination] = await hotels.destinations(actor)
  return hotels.try(actor, { destination: destination!, checkIn: hotels.day(), rooms })
}

/** Rooms within the limits have to be taken: whether any hotel has them is another matter. */
async function taken(
  context: ProductCheck<'hotels'>,
  clause: ClauseId,
  rooms: readonly Room[],
): Promise<Exchange> {
  const { started } = await ask(context, rooms)
  context.claim(clause, succeeded(started), {
    tried: `Searching rooms for ${said(rooms)}`,
    expected: 'the search to be started',
    observed: outcomeOf(started),
    exchanges: [started],
  })
  return started
}

/** Rooms beyond the limits have to be refused, or not be had anywhere. */
async function limited(
  context: ProductCheck<'hotels'>,
  clause: ClauseId,
  rooms: readonly Room[],
): Promise<void> {
  const { started, toItsEnd } = await ask(context, rooms)
  const polls = succeeded(started) ? await toItsEnd() : undefined
  const offered = polls?.hotels.filter(hotel => hotel.rooms.every(room => room.length > 0)) ?? []
  context.claim(clause, offered.length === 0, {
    tried: `Searching rooms for ${said(rooms)}`,
    expected: 'a refusal, or no hotel',
    observed: `${offered.length} hotels`,
    exchanges: [started, ...(polls?.polls ?? [])],
  })
}

/** The same room alone, and as the second of two. */
const placed = (room: Room, second: boolean): readonly Room[] => (second ? [COUPLE, room] : [room])

describe('who sleeps in a room', () => {
  test('a room is searched for 1 to 20 adults, and for no others', {
    tags: ['LIMIT-V2-HOTEL-ADULTS'],
    kinds: ['hotels'],
  }, async context => {
    const clause = 'LIMIT-V2-HOTEL-ADULTS'
    await usable(context)
    for (const adults of [1, 20]) await taken(context, clause, [{ adults, childAges: [] }])
    await context.holds(
      fc.record({
        adults: fc.oneof(fc.integer({ min: 21, max: 200 }), fc.integer({ min: -3, max: 0 })),
        second: fc.boolean(),
      }),
      async ({ adults, second }) => limited(context, clause, placed({ adults, childAges: [] }, second)),
      {
        runs: 8,
        live: 3,
        examples: [
          { adults: 21, second: false },
          { adults: 0, second: false },
          { adults: 21, second: true },
        ],
      },
    )
  })

  test('a room is searched for children of 0 to 17, and for no others', {
    tags: ['LIMIT-V2-HOTEL-CHILD-AGE'],
    kinds: ['hotels'],
  }, async context => {
    const clause = 'LIMIT-V2-HOTEL-CHILD-AGE'
    await usable(context)
    for (const childAges of [[0], [17]]) await taken(context, clause, [{ adults: 2, childAges }])
    await context.holds(
      fc.record({
        age: fc.oneof(fc.integer({ min: 18, max: 99 }), fc.integer({ min: -3, max: -1 })),
        first: fc.boolean(),
        second: fc.boolean(),
      }),
      async ({ age, first, second }) => {
        const childAges = first ? [age] : [5, age]
        await limited(context, clause, placed({ adults: 1, childAges }, second))
      },
      {
        runs: 8,
        live: 3,
        examples: [
          { age: 18, first: true, second: false },
          { age: -1, first: true, second: false },
          { age: 18, first: false, second: true },
        ],
      },
    )
  })
})

/** Insists that an ordinary search is taken: a body that is refused anyway says nothing of its rooms. */
async function usable(context: ProductCheck<'hotels'>): Promise<void> {
  const { started } = await ask(context, [COUPLE])
  assume.accepted(started, 'a hotel search for two adults')
}
