import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { everyPlace, type HotelCheck, notLimited, searched } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { type JsonObject, rowsOf, textOf } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  independently,
  orOrdinary,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/** The number of entries of type hotel that are searched. */
const SINGLE = 3
/** The number of stays tried before none is sold because of the places. */
const STAYS = 3

const entriesOf = ({ response }: Exchange): JsonObject[] => rowsOf(response.json, ['id', 'type'])

/** Reads a page of the destination list. */
const read = async (query: JsonObject, by: Actor): Promise<Exchange> =>
  notLimited(await untilSupplierAnswers(() => by.v1.hotels.destinations(query), 'the list of destinations'))

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
    const { arrange, expect } = context
    const by = await arrange.actor()
    const { adapter } = arrange
    const single = (await adapter.places(by)).filter(({ type }) => type === 'hotel').slice(0, SINGLE)
    let seen = 0
    for (const { id: place } of single) {
      const { hotels, last } = await adapter.follow(by, { place, checkIn: adapter.day() })
      seen += hotels.length
      const ids = [...new Set(hotels.map(({ id_hotel }) => textOf(id_hotel ?? null)))]
      expect(last, 'V1-HOTEL-SEARCH-ONE-HOTEL').toHaveNo('hotels beside the one searched', ids.slice(1))
      if (seen > 0 && !arrange.trafficIsFree) break
    }
    assume(seen > 0, 'a destination of the type hotel with a room on sale')
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
    const first = arrange.trafficIsFree ? 2 : 1
    const ends = [places, hotels].flatMap(all => [...all.slice(0, first), ...all.slice(-1)])
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
    const list = assume.accepted(arrange.offered(await read({}, by)), 'the list of destinations')
    const entries = entriesOf(list)
    // Texts other than names may find nothing or be refused.
    const isJudged = isNamed(entries)
    const typed = wordsOf(entries)
    const answers: Exchange[] = []
    const typing = async (q: string): Promise<Exchange> => {
      const answer = await read({ q }, by)
      if (isJudged) expect(answer, 'V1-HOTEL-DESTINATIONS-QUERY').toSucceed()
      answers.push(answer)
      return answer
    }
    let isFound = false
    for (const q of typed) if (!isFound) isFound = entriesOf(await typing(q)).length > 0
    if (isJudged && typed.length === TYPED) {
      expect(answers.at(-1)!, 'V1-HOTEL-DESTINATIONS-QUERY').toGive('entries', isFound, 'none')
      isFound = true
    }
    // Judged wherever an entry of either type appears; that it is found by its name is not promised.
    const page = { page: await arrange.adapter.firstPage(by), limit: MOST_ENTRIES }
    const more = Map.groupBy([...entries, ...entriesOf(await read(page, by))], ({ type }) => type)
    const ofEach = [...more.values()].flatMap(alike => wordsOf(alike).slice(0, 1)).slice(0, 2)
    // Type-ahead also gets more than one word, and letters of any alphabet.
    const whole = namesOf(entries)
    const spaced = whole.find(name => name.includes(' '))
    const foreign = whole.find(name => /[^ -~]/.test(name))
    for (const q of new Set([...ofEach, spaced, foreign].filter(name => name !== undefined))) await typing(q)
    await independently(
      () => holdsWhatIsFound(context, by, answers),
      () => {
        assume(isJudged, 'destinations with a field called name')
        assume(isFound, `${TYPED} entries whose names begin otherwise`)
      },
    )
  })
})

/** Decides that the whole list contains what q finds, unless the list has changed meanwhile. */
async function holdsWhatIsFound(context: HotelCheck, by: Actor, answers: readonly Exchange[]): Promise<void> {
  const { places } = context.arrange.adapter.shapes
  const found = answers.filter(succeeded).flatMap(({ response }) => places(response.json))
  assume(found.length > 0, 'entries that are found by q')
  const ids = async () => new Set((await everyPlace(context, by)).map(({ id }) => id))
  const before = await ids()
  const strange = found.filter(({ id }) => !before.has(id))
  const after = strange.length === 0 ? before : await ids()
  const missing = strange.filter(({ id }) => !after.has(id))
  assume(missing.length === 0 || after.size === before.size, 'a list that does not change while it is read')
  const last = answers.at(-1)!
  context.expect(last, 'V1-HOTEL-DESTINATIONS-WHOLE').toHaveNo('entries that are on no page', missing)
}

describe('content/destinations by q', () => {
  for (const [role, others] of [
    ['restricted', 'standard'],
    ['standard', 'resort'],
  ] as const) {
    test(`shows a ${role} account no entry that only a ${others} account may see`, {
      tags: ['V1-HOTEL-DESTINATIONS-QUERY-LISTED'],
      kinds,
    }, async context => {
      const { arrange, expect } = context
      const [by, other] = [await arrange.actor(role), await arrange.actor(others)]
      const idsOf = async (actor: Actor) => new Set((await everyPlace(context, actor)).map(({ id }) => id))
      const [own, theirs] = [await idsOf(by), await idsOf(other)]
      const isTheirs = ({ id }: JsonObject) => theirs.has(Number(id)) && !own.has(Number(id))
      const page = { page: await arrange.adapter.firstPage(other), limit: 500 }
      const listed = entriesOf(await read(page, other)).filter(isTheirs)
      const typed = wordsOf(listed)
      assume(typed.length > 0, 'destinations with a name that only the other account is shown')
      for (const q of typed) {
        const answer = await read({ q }, by)
        if (isNamed(listed)) assume.accepted(answer, 'the list of destinations by q')
        const wrong = entriesOf(answer).filter(isTheirs)
        expect(answer, 'V1-HOTEL-DESTINATIONS-QUERY-LISTED').toHaveNo('entries of another account', wrong)
      }
    })
  }
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

const isNamed = (entries: readonly JsonObject[]): boolean => textsIn(entries, NAMED).length > 0

/** Returns the names of entries; any of their texts if no field looks like a name. */
const namesOf = (entries: readonly JsonObject[]): string[] => textsIn(entries, isNamed(entries) ? NAMED : /./)

/** Returns the beginnings of the names of entries. */
const wordsOf = (entries: readonly JsonObject[]): string[] =>
  [...new Set(namesOf(entries).flatMap(name => /^\p{L}{4,}/u.exec(name) ?? []))].slice(0, TYPED)

const SMALL = 3
/** The number of full pages, and the maximum if pages are not full. Small and large pages may be cut differently. */
const PARTS = [5, 1.5]
const FEW_PARTS = [3]
const MOST_PAGES = 12
/** After this many empty pages in a row a list has ended. Entries hidden from an account may leave one page empty. */
const EMPTY = 2
/** The maximum page size used, half of the documented one. */
const MOST_ENTRIES = 250

describe('a page of content/destinations', () => {
  test('holds no more entries than its limit, and no entry of another page', {
    tags: ['V1-HOTEL-DESTINATIONS-PAGES', 'V1-HOTEL-DESTINATIONS-PAGE-SIZE'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor()
    const firstPage = await arrange.adapter.firstPage(by)
    const known = await arrange.adapter.places(by)
    const pages: Exchange[] = []
    const readPage = (page: number, limit: number, actor = by) => read({ page, limit }, actor)
    for (const page of [firstPage, firstPage + 1, firstPage + 2]) {
      const answer = await readPage(page, SMALL)
      pages.push(answer)
      // The answer for a page past the end is not shown.
      if (page >= firstPage + known.length / SMALL) continue
      expect(answer, 'V1-HOTEL-DESTINATIONS-PAGES').toSucceed()
      assume.accepted(answer, 'a page of destinations')
    }
    // The first page with other sizes, and as other accounts.
    for (const limit of arrange.drawn([SMALL - 1, 1], 1)) await readPage(firstPage, limit)
    for (const role of arrange.trafficIsFree ? (['restricted', 'resort', 'live'] as const) : [])
      await orOrdinary(
        async () => void (await readPage(firstPage, 1, await arrange.actor(role))),
        async () => {},
      )
    const held = pages
      .slice(0, Math.ceil(known.length / SMALL))
      .map(page => entriesOf(page).map(({ id, type }) => JSON.stringify([type, id])))
    assume(held.length > 1 && held[0]!.length > 0 && held[1]!.length > 0, 'two pages with entries')
    const twice = held.flatMap((ids, at) =>
      ids.filter(id => held.some((other, n) => n < at && other.includes(id))),
    )
    expect(pages.at(-1)!, 'V1-HOTEL-DESTINATIONS-PAGES').toHaveNo('entries that stand on two pages', twice)
  })

  test('together with the other pages holds the whole list', {
    tags: ['V1-HOTEL-DESTINATIONS-WHOLE', 'V1-HOTEL-DESTINATIONS-PAGE-FULL', 'V1-HOTEL-DESTINATIONS-PAGES'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor()
    const firstPage = await arrange.adapter.firstPage(by)
    const whole = await everyPlace(context, by)
    for (const most of arrange.trafficIsFree ? PARTS : FEW_PARTS) {
      const parts = Math.min(most, whole.length - 1)
      const limit = Math.min(MOST_ENTRIES, Math.ceil((whole.length + 1) / parts))
      assume(parts > 1, 'a list of several pages')
      const pages: Exchange[] = []
      const held = new Set<unknown>()
      const missing = () => whole.filter(({ id }) => !held.has(id))
      let [empty, twice] = [0, 0]
      /** A page that was not full, and a later page with entries. */
      let short: Exchange | undefined
      let follows: Exchange | undefined
      // One page more than the list needs: if large pages are cut, it has more entries.
      for (let more = 1; more >= 0 && empty < EMPTY && pages.length < MOST_PAGES; ) {
        const page = firstPage + pages.length
        const answer = await read({ page, limit }, by)
        if (pages.length * limit < whole.length) assume.accepted(answer, 'a page of destinations')
        const entries = succeeded(answer) ? entriesOf(answer) : []
        pages.push(answer)
        // The content of a page past the end is open, so the last one may come again.
        if (short !== undefined && entries.some(({ id }) => !held.has(id))) follows ??= answer
        if (entries.length < limit) short ??= answer
        if (missing().length > 0) twice += entries.filter(({ id }) => held.has(id)).length
        for (const { id } of entries) held.add(id)
        empty = entries.length === 0 ? empty + 1 : 0
        if (missing().length === 0) more--
      }
      const lost = missing()
      assume(lost.length === 0 || empty === EMPTY, `a list that ends within ${MOST_PAGES} pages`)
      // Pages of a list that changes meanwhile need not fit together.
      assume(
        (lost.length === 0 && twice === 0) || textOf(await everyPlace(context, by)) === textOf(whole),
        'a list that does not change while it is read',
      )
      const last = pages.at(-1)!
      expect(last, 'V1-HOTEL-DESTINATIONS-WHOLE').toHaveNo('entries that are on no page', lost)
      const beyond = held.size - whole.length
      expect.claim('V1-HOTEL-DESTINATIONS-PAGE-FULL', follows === undefined && beyond <= 0, {
        tried: `Reading the list of destinations by pages of ${limit}, and of 500`,
        expected: 'full pages, but for the last',
        observed:
          beyond > 0
            ? `a page of ${whole.length} where 500 were asked for, of a list of ${held.size} or more`
            : `a page of ${entriesOf(short!).length}, and others after it`,
        exchanges: pages,
      })
      expect(last, 'V1-HOTEL-DESTINATIONS-PAGES').toTell('the number of entries on two pages', twice, 0)
    }
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
    assume(
      !succeeded(more) || entriesOf(more).length > 500 || entriesOf(most).length >= 500,
      'more than 500 destinations, or a refusal of that limit',
    )
    const beyond = succeeded(more) ? entriesOf(more).slice(500) : []
    expect(more, 'LIMIT-V1-DESTINATIONS-MOST').toHaveNo('entries beyond 500', beyond)
  })
})
