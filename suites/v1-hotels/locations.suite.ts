import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { type HotelCheck, notLimited, type V1Location } from '../../fixtures/check/v1/index.ts'
import { type JsonObject, rowsOf, textOf } from '../../fixtures/contracts/index.ts'
import { assume, describe, type Exchange, test } from '../../fixtures/test.ts'

const FIELDS = ['id', 'country_id', 'division_id'] as const
const FIELD_CLAUSES = [
  'V1-HOTEL-LOCATION-ID',
  'V1-HOTEL-LOCATION-COUNTRY-ID',
  'V1-HOTEL-LOCATION-DIVISION-ID',
] as const

async function read({ arrange }: HotelCheck, query: JsonObject): Promise<Exchange> {
  const { v1 } = await arrange.actor()
  const send = () => v1.hotels.locations(query)
  return notLimited(arrange.offered(await untilSupplierAnswers(send, 'the tree of locations')))
}

/** Returns whether an id names a country or division. */
const stands = (id: unknown): boolean =>
  id !== null && id !== undefined && id !== 0 && id !== '0' && id !== ''

/** The number of rows of a level below which there are others, and the most that are searched for them. */
const TRIES = 3
const MOST = { free: 40, live: 10 }

/** The steps down the tree. */
const LEVELS = {
  country: ['V1-HOTEL-LOCATIONS-COUNTRY', 'V1-HOTEL-LOCATION-COUNTRY-ROW', 'countryId', 'country_id'],
  division: ['V1-HOTEL-LOCATIONS-DIVISION', 'V1-HOTEL-LOCATION-DIVISION-ROW', 'divisionId', 'division_id'],
} as const

/** Requests the locations below some rows of a level, and returns them. */
async function drill(
  check: HotelCheck,
  level: keyof typeof LEVELS,
  rows: readonly V1Location[],
  above: (row: V1Location) => JsonObject,
): Promise<V1Location[]> {
  const { arrange, expect } = check
  const [clause, rowClause, field, query] = LEVELS[level]
  const below: V1Location[] = []
  const answers: Exchange[] = []
  const most = MOST[arrange.trafficIsFree ? 'free' : 'live']
  let full = 0
  for (const row of rows.slice(0, most)) {
    if (full === TRIES) break
    const answer = await read(check, { ...above(row), [query]: row.id })
    answers.push(answer)
    expect(answer, rowClause).toSucceed()
    const found = arrange.adapter.shapes.locations(answer.response.json)
    // Rows may name their parent by either id.
    const names = [row.id, row[field]].filter(stands).map(String)
    // A row of the same level need not name itself again.
    const isSibling = (other: V1Location) => other.level === level && other.id !== row.id
    const strangers = found.filter(
      other => isSibling(other) || (stands(other[field]) && !names.includes(textOf(other[field]))),
    )
    // If there is only one parent, no answer can have rows of another.
    if (rows.length > 1) expect(answer, clause).toHaveNo(`rows with another ${query}`, strangers)
    // Each level may count its ids separately.
    const own = found.filter(other => other.level !== level)
    if (own.length > 0) full++
    below.push(...own)
  }
  // A country or division without content may have no rows, but not each of them.
  if (full === 0) assume(rows.length <= most, `a ${level} with content among the first ${most}`)
  expect(answers.at(-1)!, rowClause).toGive(`rows below any ${level}`, below.length > 0, 'none')
  return below
}

const ofLevel = (rows: readonly V1Location[], wanted: V1Location['level']) =>
  rows.filter(({ level }) => level === wanted)

describe('content/locations', () => {
  test('lists rows with id, country_id and division_id, and may be cached for an hour', {
    tags: ['V1-HOTEL-LOCATIONS-OPTIONAL', ...FIELD_CLAUSES, 'CACHE-V1-LOCATIONS'],
    kinds: ['v1-hotels'],
  }, async context => {
    const answer = await read(context, {})
    context.expect(answer, 'V1-HOTEL-LOCATIONS-OPTIONAL').toSucceed()
    assume(rowsOf(answer.response.json, FIELDS).length > 0, 'locations with rows')
  })

  test('leads from a country to its divisions, and from those to destinations', {
    tags: [
      'V1-HOTEL-LOCATION-COUNTRY-ROW',
      ...FIELD_CLAUSES,
      'V1-HOTEL-LOCATIONS-COUNTRY',
      'V1-HOTEL-LOCATION-DIVISION-ROW',
      'V1-HOTEL-LOCATIONS-DIVISION',
    ],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange } = context
    const top = assume.accepted(await read(context, {}), 'the tree of locations')
    const rows = arrange.adapter.shapes.locations(top.response.json)
    const countries = ofLevel(rows, 'country')
    assume(countries.length > 0, 'rows of countries (shapes.v1Hotels.locations in the definition)')
    const below = await drill(context, 'country', countries, () => ({}))
    const divisions = ofLevel(below, 'division')
    assume(divisions.length > 0, 'a country with divisions (shapes.v1Hotels.locations in the definition)')
    const countryOf = ({ countryId }: V1Location): JsonObject => {
      const country = countries.find(
        ({ id, countryId: own }) => textOf(id) === textOf(countryId) || (stands(own) && own === countryId),
      )
      return country === undefined ? {} : { country_id: country.id }
    }
    await drill(context, 'division', divisions, countryOf)
    assume(countries.length > 1 && divisions.length > 1, 'several countries and several divisions')
  })
})
