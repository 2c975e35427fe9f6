import fc from 'fast-check'
import {
  askOf,
  finished,
  type HotelCheck,
  hotelsIn,
  ratesOf,
  searched,
  type V1Room,
  type V1Search,
  type V1SearchAsk,
} from '../../fixtures/check/v1/index.ts'
import { at, type JsonObject } from '../../fixtures/contracts/index.ts'
import { type Actor, assume, describe, type Exchange, test } from '../../fixtures/test.ts'

const room = fc.record({
  adults: fc.integer({ min: 1, max: 4 }),
  childrenAges: fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 3 }),
})

/** An occupancy that hardly any hotel has. */
const LARGEST = 20

const idsOf = (hotels: readonly JsonObject[]): unknown[] => hotels.map(({ id_hotel: id }) => id)

/** Decides that hotels found for several rooms are also found for the largest room alone, since they must cover each. */
async function judgeCovered(
  context: HotelCheck,
  by: Actor,
  ask: V1SearchAsk,
  search: V1Search,
): Promise<void> {
  const { rooms = [] } = ask
  const largest = rooms.filter(({ adults }) => adults === LARGEST)
  if (largest.length !== 1 || search.hotels.length === 0) return
  const found = async (searched: readonly V1Room[]) =>
    context.arrange.adapter.follow(by, { ...ask, rooms: searched })
  const isLacking = ({ finished, hotels }: V1Search) => {
    const ids = idsOf(hotels)
    return (id: unknown) => finished && !ids.includes(id)
  }
  const alone = await found(largest)
  let uncovered = idsOf(search.hotels).filter(isLacking(alone))
  const exchanges = [search.last, alone.last]
  // A hotel may sell out meanwhile, and become available again.
  for (let time = 1; time <= 2 && uncovered.length > 0; time++) {
    const [together, again] = [await found(rooms), await found(largest)]
    uncovered = idsOf(together.hotels).filter(id => uncovered.includes(id) && isLacking(again)(id))
    exchanges.push(together.last, again.last)
  }
  context.expect.claim('V1-HOTEL-SEARCH-EVERY-ROOM', uncovered.length === 0, {
    tried: `Searching several rooms, one of them for ${LARGEST} adults, and that one alone`,
    expected: 'hotels that are found for all rooms to be found for that one',
    observed: `${uncovered.length} that are not, time and again`,
    exchanges,
  })
}

describe('a search for any combination of rooms', () => {
  test('returns the rooms in the order requested, each with rates, identical rooms grouped', {
    tags: [
      'V1-HOTEL-ENTRY-OCCUPANCIES',
      'V1-HOTEL-ENTRY-OCCUPANCIES-ORDER',
      'V1-HOTEL-ENTRY-ADULTS-ECHO',
      'V1-HOTEL-ENTRY-CHILDREN-AGES-ECHO',
      'V1-HOTEL-SEARCH-EVERY-ROOM',
    ],
    opportunistic: [
      'V1-HOTEL-ENTRY-ROOM-OWN',
      'V1-HOTEL-SEARCH-ADULTS-ONLY',
      'V1-HOTEL-GROUP-SAME-KEY',
      'V1-HOTEL-GROUP-SAME-RATE',
      'V1-HOTEL-GROUP-IDENTICAL-ROOMS',
      'V1-HOTEL-GROUP-PRICE',
    ],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, holds } = context
    const by = await arrange.actor()
    let any = false
    await holds(
      fc.array(room, { minLength: 2, maxLength: 4 }),
      async rooms => {
        const ask = await askOf(context, { rooms })
        const search = await arrange.adapter.follow(by, ask)
        any ||= search.hotels.length > 0
        await judgeCovered(context, by, ask, search)
      },
      {
        runs: 7,
        live: 3,
        examples: [
          // Few hotels have such a large room: the others must not be listed, whichever room it is.
          [
            { adults: 2, childrenAges: [] },
            { adults: 2, childrenAges: [] },
            { adults: 20, childrenAges: [] },
          ],
          [
            { adults: 2, childrenAges: [] },
            { adults: 1, childrenAges: [4] },
            { adults: 2, childrenAges: [] },
          ],
          [
            { adults: 1, childrenAges: [] },
            { adults: 1, childrenAges: [] },
            { adults: 2, childrenAges: [9, 0] },
          ],
          // Twins are two children.
          [
            { adults: 1, childrenAges: [7, 7, 0] },
            { adults: 2, childrenAges: [17, 0] },
          ],
          [
            { adults: 1, childrenAges: [] },
            { adults: 1, childrenAges: [1, 9, 4, 6] },
          ],
          [
            { adults: 20, childrenAges: [] },
            { adults: 2, childrenAges: [] },
          ],
        ],
      },
    )
    assume(any, 'a destination with hotels for these rooms')
  })
})

/** A search in a walk. */
interface Walked {
  body: JsonObject
  by: Actor
  answers: Exchange[]
}

async function begin(context: HotelCheck, by: Actor): Promise<Walked> {
  const body = context.arrange.adapter.searchBody(await askOf(context, { by }))
  return { body, by, answers: [assume.accepted(await searched(context, body, by), 'a v1 hotel search')] }
}

/** Continues a search that has not ended. */
async function goOn(context: HotelCheck, { body, by, answers }: Walked): Promise<void> {
  const before = answers.at(-1)!
  const id_search = at(before.response.json, 'id_search')
  if (finished(before) || typeof id_search !== 'string') return
  const answer = await searched(context, { ...body, id_search }, by)
  context.expect(answer, 'V1-HOTEL-SEARCH-CONTINUE').toSucceed()
  answers.push(answer)
}

const keysOf = ({ answers }: Walked): unknown[] =>
  answers.flatMap(answer =>
    hotelsIn(answer).flatMap(hotel => ratesOf(hotel).flatMap(rates => rates.map(({ rate_key }) => rate_key))),
  )

/** Decides that searches do not mix: each is for different days, and a key belongs to a rate of these days. */
function holdsApart({ expect }: HotelCheck, searches: readonly Walked[]): void {
  const seen = new Map<unknown, Walked>()
  for (const search of searches) {
    for (const key of new Set(keysOf(search))) {
      const other = seen.get(key)
      expect.claim('V1-HOTEL-SEARCH-CONTINUE', other === undefined, {
        tried: 'Continuing searches for different days by turns',
        expected: 'each under its own id_search',
        observed: 'the same rate_key in two of them',
        exchanges: other === undefined ? [] : [other.answers.at(-1)!, search.answers.at(-1)!],
      })
      seen.set(key, search)
    }
  }
}

describe('parallel searches', () => {
  test('can each be continued by its own id, in any order', {
    tags: ['V1-HOTEL-SEARCH-CONTINUE'],
    opportunistic: ['V1-HOTEL-SEARCH-CUMULATIVE'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, holds } = context
    let continued = false
    const step = fc.record({
      act: fc.constantFrom('start', 'go on', 'go on', 'go on', 'wait'),
      which: fc.nat(5),
    })
    await holds(
      fc.array(step, { minLength: 3, maxLength: 7 }),
      async steps => {
        const by = await arrange.actor('standard', { modes: {} })
        const searches = await Promise.all([begin(context, by), begin(context, by)])
        for (const { act, which } of steps) {
          if (act === 'start') searches.push(await begin(context, by))
          else if (act === 'wait') await arrange.adapter.progress(by, 1)
          else await goOn(context, searches[which % searches.length]!)
        }
        holdsApart(context, searches)
        continued ||= searches.some(({ answers }) => answers.length > 1)
      },
      {
        runs: 4,
        live: 1,
        examples: [
          [
            { act: 'wait', which: 0 },
            { act: 'go on', which: 1 },
            { act: 'go on', which: 0 },
            { act: 'go on', which: 0 },
            { act: 'go on', which: 1 },
          ],
        ],
      },
    )
    assume(continued, 'searches that take more than one answer')
  })
})
