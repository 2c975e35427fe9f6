import { randomUUID } from 'node:crypto'
import { askOf, finished, found, hotelsIn, searched, type V1Room } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at } from '../../fixtures/contracts/index.ts'
import { clausesAbout, HotelSearchAnswer, V1Rate } from '../../fixtures/service/index.ts'
import { assume, describe, type Exchange, orOrdinary, test, untilAgreed } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/** Two different rooms, so that order and occupancy are recognisable. */
const FAMILY: readonly V1Room[] = [{ adults: 2, childrenAges: [7, 0] }, { adults: 1 }]

/** The calls after which searches have ended, of three seconds each: ten times what the document calls typical. */
const CALLS = 100

/** How many searches run beside each other, and how often each is continued. */
const BESIDE = 2
const TIMES = 3

describe('a paged hotelSearch', () => {
  // Rows judge every answer.
  test('continues by its id, keeps all hotels found so far, and ends', {
    tags: [
      'V1-HOTEL-SEARCH-CONTINUE',
      'V1-HOTEL-SEARCH-CUMULATIVE',
      'V1-HOTEL-SEARCH-ENDS',
      'V1-HOTEL-ENTRY-ID',
      'V1-HOTEL-ENTRY-NAME',
      'V1-HOTEL-ENTRY-ADULTS-ONLY',
      'V1-HOTEL-ENTRY-OCCUPANCIES',
      'V1-HOTEL-ENTRY-OCCUPANCIES-ORDER',
      'V1-HOTEL-ENTRY-ROOM',
      'V1-HOTEL-ENTRY-ADULTS-ECHO',
      'V1-HOTEL-ENTRY-CHILDREN-AGES-ECHO',
      'V1-HOTEL-ENTRY-RATES',
      'V1-HOTEL-RATE-SINGLE-TOTAL',
      'V1-HOTEL-RATE-INCLUSIONS-RESORT-ONLY',
      'V1-HOTEL-SEARCH-EVERY-ROOM',
      'V1-HOTEL-SEARCH-REQUEST-ID-OWN',
      ...clausesAbout(HotelSearchAnswer, V1Rate),
    ],
    kinds,
    opportunistic: ['V1-HOTEL-SEARCH-ADULTS-ONLY'],
  }, async context => {
    let calls = 0
    const seen = ({ last }: { last: Exchange }) => {
      calls = finished(last) ? 0 : calls + 1
      if (calls === CALLS) context.expect(last, 'V1-HOTEL-SEARCH-ENDS').toShow('finish', true)
    }
    // A loss is only visible if an earlier answer had several hotels.
    const { answers } = await orOrdinary(
      () =>
        found(context, FAMILY, {
          is: ({ answers }) => hotelsIn(answers.at(-2) ?? answers[0]!).length > 1,
          seen,
        }),
      () => found(context, FAMILY.slice(1), { seen }),
    )
    assume(answers.length > 1, 'a search that takes more than one answer')
  })

  test('is one without mode, too', {
    tags: ['V1-HOTEL-SEARCH-PAGED', 'V1-HOTEL-SEARCH-MODE-DEFAULT'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const start = async (mode: { mode?: 'paged' }) =>
      searched(context, arrange.adapter.searchBody({ ...(await askOf(context)), ...mode }))
    // A first answer may be the last if the same search was made before, so one pair proves nothing.
    const { agrees, exchanges } = await untilAgreed(async () => {
      const [paged, plain] = [await start({ mode: 'paged' }), await start({})]
      expect(paged, 'V1-HOTEL-SEARCH-PAGED').toSucceed()
      assume(!succeeded(plain) || !finished(paged), 'paged searches that take more than one answer')
      return { agrees: succeeded(plain) && !finished(plain), exchanges: [paged, plain] }
    })
    expect.claim('V1-HOTEL-SEARCH-MODE-DEFAULT', agrees, {
      tried: 'Starting searches without mode, and as many with the mode paged',
      expected: 'first answers alike',
      observed: 'a refusal or finish: true without mode every time, and neither with paged',
      exchanges,
    })
  })

  test('runs beside others, each continued by its own id', {
    tags: ['V1-HOTEL-SEARCH-CONTINUE'],
    opportunistic: ['V1-HOTEL-SEARCH-CUMULATIVE'],
    kinds,
  }, async context => {
    const { arrange } = context
    const by = await arrange.actor('standard', { modes: {} })
    const bodies = await Promise.all(
      Array.from({ length: BESIDE }, async () => arrange.adapter.searchBody(await askOf(context, { by }))),
    )
    const last: Exchange[] = []
    for (const body of bodies)
      last.push(assume.accepted(await searched(context, body, by), 'a v1 hotel search'))
    assume(!last.every(finished), 'searches that take more than one answer')
    for (let time = 1; time <= TIMES; time++) {
      await arrange.adapter.progress(by, time)
      for (const [turn, body] of bodies.entries()) {
        const id_search = at(last[turn]!.response.json, 'id_search')
        if (!finished(last[turn]!)) last[turn] = await searched(context, { ...body, id_search }, by)
      }
    }
  })
})

/** Returns a similar id that does not exist. A short one might exist. */
const alike = (id: unknown): string | undefined =>
  typeof id === 'string' && id.length >= 16
    ? `${id.slice(0, -4)}${id.at(-4) === '7' ? '4' : '7'}${id.slice(-3)}`
    : undefined

/** Seconds after which a short-lived search has expired. */
const EXPIRED = 20 * 3600

describe('an id_search', () => {
  test('that was never issued is refused as unknown', {
    tags: ['V1-HOTEL-SEARCH-UNKNOWN-ID', 'V1-HOTEL-ERR-SEARCH-ID'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const body = arrange.adapter.searchBody(await askOf(context))
    const issued = assume.accepted(await searched(context, body), 'the same search without id_search')
    const unlike = [alike(at(issued.response.json, 'id_search')) ?? `tss-${randomUUID()}`, randomUUID()]
    // A refused id was never issued.
    for (const id_search of [...unlike, ...(arrange.trafficIsFree ? unlike : [])]) {
      const answer = await searched(context, { ...body, id_search })
      expect(answer, 'V1-HOTEL-SEARCH-UNKNOWN-ID').toBeAnError()
      expect(answer, 'V1-HOTEL-ERR-SEARCH-ID').toRefuseAsStated()
    }
  })

  test('that has expired is refused with the same error', {
    tags: ['V1-HOTEL-SEARCH-EXPIRED-ID'],
    kinds,
  }, async context => {
    const { arrange, control, expect } = context
    control.require('advanceClock')
    const by = await arrange.actor('standard', { modes: {} })
    const { ask, last } = await found(context, undefined, { by })
    const id_search = at(last.response.json, 'id_search')
    assume(typeof id_search === 'string', 'a search that returns an id_search')
    await control.advanceClock(by, EXPIRED)
    const answer = await searched(context, { ...arrange.adapter.searchBody(ask), id_search }, by)
    // A known search shows everything found so far.
    assume(!succeeded(answer) || hotelsIn(answer).length === 0, 'an id_search that expires within a day')
    expect(answer).toRefuseAsStated()
  })
})
