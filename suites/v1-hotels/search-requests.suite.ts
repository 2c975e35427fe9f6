import fc from 'fast-check'
import { acceptsOrdinary, type HotelCheck, refuses, searchBodyOf } from '../../fixtures/check/v1/searches.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { addDays, describe, test } from '../../fixtures/test.ts'

/** The required fields of a search, each with the clause that says so. */
const REQUIRED = {
  from_date: 'V1-HOTEL-SEARCH-FROM-DATE-REQUIRED',
  to_date: 'V1-HOTEL-SEARCH-TO-DATE-REQUIRED',
  id_location: 'V1-HOTEL-SEARCH-LOCATION-REQUIRED',
  occupancies: 'V1-HOTEL-SEARCH-OCCUPANCIES-REQUIRED',
} as const satisfies Record<string, ClauseId>

/** Forms of a date that are not YYYY-MM-DD. */
const FORMS: readonly ((date: string) => string)[] = [
  date => date.replaceAll('-', '/'),
  date => date.replaceAll('-', ''),
  date => date.split('-').reverse().join('-'),
  date => `${date}T00:00:00`,
  date => `${date} 00:00:00`,
  date => `${date}Z`,
]

describe('a hotelSearch', () => {
  for (const [field, clause] of Object.entries(REQUIRED)) {
    test(`without ${field} is refused`, { tags: [clause], kinds: ['v1-hotels'] }, async context => {
      const body = await searchBodyOf(context)
      const { [field]: _, ...without } = body
      await refuses(context, clause, `Searching without ${field}`, without)
      await acceptsOrdinary(context, body)
    })
  }

  test('that ends on the day it begins, or before, is refused', {
    tags: ['V1-HOTEL-SEARCH-TO-DATE-AFTER'],
    kinds: ['v1-hotels'],
  }, async context => {
    const clause = 'V1-HOTEL-SEARCH-TO-DATE-AFTER'
    const body = await searchBodyOf(context)
    await acceptsOrdinary(context, body)
    await context.holds(
      fc.integer({ min: 0, max: 20 }),
      async days => {
        const to_date = addDays(String(body.from_date), -days)
        await refuses(context, clause, `Searching ${days} days backwards`, { ...body, to_date })
      },
      { runs: 5, live: 2, examples: [0, 1] },
    )
  })

  test('with a date in another form is refused', {
    tags: ['FORMAT-V1-DATE-REFUSED-HOTEL-SEARCH'],
    kinds: ['v1-hotels'],
  }, async context => {
    const clause = 'FORMAT-V1-DATE-REFUSED-HOTEL-SEARCH'
    const body = await searchBodyOf(context)
    await acceptsOrdinary(context, body)
    await context.holds(
      fc.record({ field: fc.constantFrom('from_date', 'to_date'), form: fc.constantFrom(...FORMS) }),
      async ({ field, form }) => {
        const date = form(String(body[field]))
        await refuses(context, clause, `Searching with ${field} ${date}`, { ...body, [field]: date })
      },
      {
        runs: 12,
        live: 4,
        examples: [
          { field: 'from_date', form: FORMS[0] },
          { field: 'to_date', form: FORMS[3] },
          { field: 'to_date', form: FORMS[1] },
          { field: 'from_date', form: FORMS[4] },
        ],
      },
    )
  })

  test('with a value of another type is refused', {
    tags: ['V1-HOTEL-SEARCH-LOCATION-TYPE', 'V1-HOTEL-SEARCH-CHILDREN-COUNT'],
    kinds: ['v1-hotels'],
  }, async context => {
    const body = await searchBodyOf(context)
    await acceptsOrdinary(context, body)
    await refuses(context, 'V1-HOTEL-SEARCH-LOCATION-TYPE', 'Searching an id_location in words', {
      ...body,
      id_location: 'everywhere',
    })
    await childrenAsCount(context, body)
  })
})

async function childrenAsCount(context: HotelCheck, body: Record<string, unknown>): Promise<void> {
  await refuses(context, 'V1-HOTEL-SEARCH-CHILDREN-COUNT', 'Searching with a count of children', {
    ...body,
    occupancies: [{ adults: 2, childrenAges: 2 }],
  })
}
