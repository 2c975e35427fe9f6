import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { everyPlace, found, type HotelCheck, notLimited, searched } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { type JsonObject, rowsOf } from '../../fixtures/contracts/index.ts'
import { type Actor, assume, describe, type Exchange, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

const entriesOf = ({ response }: Exchange): JsonObject[] => rowsOf(response.json, ['id', 'type'])

/** Reads a page of the destination list. */
const read = async (query: JsonObject, by: Actor): Promise<Exchange> =>
  notLimited(await untilSupplierAnswers(() => by.v1.hotels.destinations(query), 'the list of destinations'))

/** The number of stays tried before none is sold because of the places. */
const STAYS = 3

describe('content/destinations', () => {
  test('lists entries with an id and a type, and may be cached for an hour', {
    tags: [
      'V1-HOTEL-DESTINATIONS-LIST',
      'V1-HOTEL-DESTINATION-ID',
      'V1-HOTEL-DESTINATION-TYPE',
      'CACHE-V1-DESTINATIONS',
    ],
    kinds,
  }, async context => {
    const answer = context.arrange.offered(await read({}, await context.arrange.actor()))
    context.expect(answer, 'V1-HOTEL-DESTINATIONS-LIST').toSucceed()
    assume(entriesOf(answer).length > 0, 'a list of destinations with entries')
  })

  test('lists single hotels, and a search for one finds only that hotel', {
    tags: ['V1-HOTEL-SEARCH-ONE-HOTEL'],
    kinds,
  }, async context => {
    const places = await everyPlace(context, await context.arrange.actor())
    const single = places.filter(({ type }) => type === 'hotel').map(({ id }) => id)
    await found(context, undefined, { places: single, what: 'a destination of the type hotel on sale' })
  })

  test('lists destinations that hotelSearch accepts', {
    tags: ['V1-HOTEL-DESTINATION-ID-SEARCHABLE'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor()
    const { adapter } = arrange
    const places = await adapter.places(by)
    const hotels = places.filter(({ type }) => type === 'hotel')
    const ends = [places, hotels].flatMap(all => [...all.slice(0, 1), ...all.slice(-1)])
    // All for one stay, and for another one if nobody is sold the first anywhere.
    let answers: Exchange[] = []
    for (let stay = 1; stay <= STAYS && !answers.some(succeeded); stay++) {
      const body = adapter.searchBody({ place: places[0]!.id, checkIn: adapter.day() })
      answers = []
      for (const { id } of new Set(ends))
        answers.push(await searched(context, { ...body, id_location: id }, by))
    }
    for (const answer of answers) expect(answer, 'V1-HOTEL-DESTINATION-ID-SEARCHABLE').toSucceed()
  })
})

/** The number of names typed before none is found. */
const TYPED = 4

/** Field names that suggest a name. Which field is the name is not shown. */
const NAMED = /name|label|title/i

const textsIn = (entries: readonly JsonObject[], field: RegExp): string[] =>
  entries.flatMap(entry =>
    Object.entries(entry).flatMap(([key, text]) =>
      key !== 'type' && field.test(key) && typeof text === 'string' ? [text] : [],
    ),
  )

/** Returns the beginnings of names, and whether they are: any texts if no field looks like a name. */
function typedOf(entries: readonly JsonObject[]) {
  const named = textsIn(entries, NAMED)
  const words = (named.length > 0 ? named : textsIn(entries, /./)).flatMap(
    name => /^\p{L}{4,}/u.exec(name) ?? [],
  )
  return { isNamed: named.length > 0, typed: [...new Set(words)].slice(0, TYPED) }
}

/** Types names, and reads the list before and after: rows judge what is found beside it. */
async function typing(context: HotelCheck, by: Actor, typed: readonly string[]): Promise<Exchange[]> {
  const answers: Exchange[] = []
  await everyPlace(context, by)
  for (const q of typed) answers.push(await read({ q }, by))
  await everyPlace(context, by)
  return answers
}

describe('content/destinations by q', () => {
  test('finds entries by the beginning of a name', {
    tags: [
      'V1-HOTEL-DESTINATIONS-QUERY',
      'V1-HOTEL-DESTINATION-ID',
      'V1-HOTEL-DESTINATION-TYPE',
      'V1-HOTEL-DESTINATIONS-WHOLE',
    ],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor()
    const page = { page: await arrange.adapter.firstPage(by), limit: 250 }
    const entries = entriesOf(
      assume.accepted(arrange.offered(await read(page, by)), 'the list of destinations'),
    )
    const { isNamed, typed } = typedOf(entries)
    const [spaced, foreign] = [/ /, /[^ -~]/].map(has => textsIn(entries, NAMED).find(name => has.test(name)))
    // Type-ahead also gets more than one word, and letters of any alphabet.
    const answers = await typing(context, by, [
      ...typed,
      ...[spaced, foreign].filter(one => one !== undefined),
    ])
    // Texts other than names may find nothing or be refused.
    assume(isNamed, 'destinations with a field called name')
    for (const answer of answers) expect(answer, 'V1-HOTEL-DESTINATIONS-QUERY').toSucceed()
    const isFound = answers.some(answer => entriesOf(answer).length > 0)
    assume(isFound || typed.length === TYPED, `${TYPED} entries whose names begin otherwise`)
    expect(answers.at(-1)!, 'V1-HOTEL-DESTINATIONS-QUERY').toGive('entries', isFound, 'none')
  })

  for (const [role, others] of [
    ['restricted', 'standard'],
    ['standard', 'resort'],
  ] as const)
    test(`shows a ${role} account no entry that only a ${others} account may see`, {
      tags: ['V1-HOTEL-DESTINATIONS-QUERY-LISTED'],
      kinds,
    }, async context => {
      const { arrange } = context
      const [by, other] = [await arrange.actor(role), await arrange.actor(others)]
      const own = new Set((await everyPlace(context, by)).map(({ id }) => id))
      const page = { page: await arrange.adapter.firstPage(other), limit: 500 }
      const theirs = entriesOf(await read(page, other)).filter(({ id }) => !own.has(Number(id)))
      const { typed } = typedOf(theirs)
      assume(typed.length > 0, 'destinations with a name that only the other account is shown')
      await typing(context, by, typed)
    })
})

/** The number of full pages. Small and large pages may be cut differently. */
const PARTS = [5, 1.5]
const FEW_PARTS = [3]
const MOST_PAGES = 12

describe('a page of content/destinations', () => {
  test('is a part of the whole list', {
    tags: [
      'V1-HOTEL-DESTINATIONS-WHOLE',
      'V1-HOTEL-DESTINATIONS-PAGE-FULL',
      'V1-HOTEL-DESTINATIONS-PAGES',
      'V1-HOTEL-DESTINATIONS-PAGE-SIZE',
    ],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor()
    const first = await arrange.adapter.firstPage(by)
    const { length } = await everyPlace(context, by)
    for (const most of arrange.trafficIsFree ? PARTS : FEW_PARTS) {
      const limit = Math.min(250, Math.ceil((length + 1) / Math.min(most, length - 1)))
      assume(limit < length, 'a list of several pages')
      for (let page = 0, empty = 0; page < MOST_PAGES && empty < 2; page++) {
        const answer = await read({ page: first + page, limit }, by)
        if (page * limit < length) expect(answer, 'V1-HOTEL-DESTINATIONS-PAGES').toSucceed()
        empty = entriesOf(answer).length === 0 ? empty + 1 : 0
      }
    }
    await everyPlace(context, by)
  })

  test('accepts a limit of 500 and holds no more', {
    tags: ['LIMIT-V1-DESTINATIONS-500', 'LIMIT-V1-DESTINATIONS-MOST'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor()
    const page = await arrange.adapter.firstPage(by)
    const most = arrange.offered(await read({ page, limit: 500 }, by))
    expect(most, 'LIMIT-V1-DESTINATIONS-500').toSucceed()
    const more = await read({ page, limit: 1000 }, by)
    const isBeyond = [entriesOf(more).length > 500, entriesOf(most).length >= 500].some(Boolean)
    assume(!succeeded(more) || isBeyond, 'more than 500 destinations, or a refusal of that limit')
    const beyond = succeeded(more) ? entriesOf(more).slice(500) : []
    expect(more, 'LIMIT-V1-DESTINATIONS-MOST').toHaveNo('entries beyond 500', beyond)
  })
})
