import fc from 'fast-check'
import { checksOf, type V1Requests } from '../../fixtures/check/requests/index.ts'
import {
  acceptsOrdinary,
  type HotelCheck,
  searchBodyOf,
  searched,
  sentSearch,
} from '../../fixtures/check/v1/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { hotelOccupancy, hotelSearch } from '../../fixtures/service/index.ts'
import { addDays, describe, test } from '../../fixtures/test.ts'

const bodies = new WeakMap<object, JsonObject>()

/** Returns a search for some rooms. Those of one check are for one stay, so that they differ in what is under test alone. */
async function searchFor(check: HotelCheck, rooms?: number): Promise<JsonObject> {
  const body = await searchBodyOf(check, rooms)
  const { from_date, to_date } = bodies.get(check) ?? body
  bodies.set(check, { from_date, to_date })
  return { ...body, from_date, to_date }
}

/** Returns searches for some rooms. */
const searches: V1Requests<'v1-hotels'> = {
  kinds: ['v1-hotels'],
  refusal: 'a refusal (400 or higher, not 500)',
  isRefused: ({ response }) => response.status >= 400,
  valid: (check, { adults: rooms }) => searchFor(check, rooms),
  // The full mode may use other code.
  others: (valid, _, { arrange }) => (arrange.trafficIsFree ? [{ ...valid, mode: 'full' }] : []),
  send: sentSearch,
  async proves(check, { adults: rooms }) {
    await acceptsOrdinary(check, await searchFor(check, rooms))
  },
  takes: async (check, make) => searched(check, await make()),
}

for (const table of [hotelSearch, hotelOccupancy]) {
  describe(table.subject, () => {
    for (const { title, body, ...options } of checksOf(table, searches)) test(title, options, body)
  })
}

describe('a hotelSearch', () => {
  test('whose to_date is not after its from_date is refused', {
    tags: ['V1-HOTEL-SEARCH-TO-DATE-AFTER'],
    kinds: ['v1-hotels'],
  }, async context => {
    // Also for several rooms, and with dates that differ in month or year.
    const body = await searchBodyOf(context, 2)
    await acceptsOrdinary(context, body)
    const from = String(body.from_date)
    const lastYear = (Date.parse(from) - Date.parse(`${from.slice(0, 4)}-01-01`)) / 86_400_000 + 1
    await context.holds(
      fc.record({ days: fc.integer({ min: 0, max: 20 }), mode: fc.constantFrom('paged', 'full') }),
      async ({ days, mode }) => {
        const answer = await sentSearch(context, { ...body, to_date: addDays(from, -days), mode })
        context.expect(answer).toBeAnError()
      },
      {
        runs: 6,
        live: 2,
        examples: [
          { days: 0, mode: 'paged' },
          { days: 0, mode: 'full' },
          { days: 1, mode: 'paged' },
          { days: lastYear, mode: 'full' },
        ],
      },
    )
  })
})
