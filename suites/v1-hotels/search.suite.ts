import { randomUUID } from 'node:crypto'
import {
  askOf,
  finished,
  type HotelCheck,
  hotelsIn,
  placeOfMost,
  ratesOf,
  searched,
  type V1Room,
  type V1SearchAsk,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at } from '../../fixtures/contracts/index.ts'
import { clausesAbout, HotelSearchAnswer, V1Rate } from '../../fixtures/service/index.ts'
import { type Actor, assume, describe, type Exchange, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/** Two different rooms, so that order and occupancy are recognisable. */
const FAMILY: readonly V1Room[] = [{ adults: 2, childrenAges: [7, 0] }, { adults: 1 }]

/**
 * The number of polls after which a search must have ended: one per second, ten times what the document calls typical; fewer
 * if each moves the clock by several seconds.
 */
const SURELY_ENDED = { live: 300, free: 100 } as const

const idsIn = (exchange: Exchange): unknown[] => hotelsIn(exchange).map(({ id_hotel }) => id_hotel)

/** Continues a paged search by its id, and judges each answer. */
async function walk(
  context: HotelCheck,
  by: Actor,
  ask: V1SearchAsk,
): Promise<readonly [Exchange, ...Exchange[]]> {
  const { arrange, expect } = context
  const most = SURELY_ENDED[arrange.trafficIsFree ? 'free' : 'live']
  const body = arrange.adapter.searchBody({ ...ask, mode: 'paged' })
  const first = await searched(context, body, by)
  // How many rooms one search may have is not shown.
  const { rooms, ...ofOneRoom } = ask
  if (!succeeded(first) && rooms !== undefined) return walk(context, by, ofOneRoom)
  expect(first, 'V1-HOTEL-SEARCH-PAGED').toSucceed()
  const answers: [Exchange, ...Exchange[]] = [first]
  let last = first
  for (let poll = 1; !finished(last); poll++) {
    const id_search = at(last.response.json, 'id_search')
    // Other checks judge the form of these fields.
    if (typeof id_search !== 'string' || typeof at(last.response.json, 'finish') !== 'boolean') return answers
    await arrange.adapter.progress(by, poll)
    const next = await searched(context, { ...body, id_search }, by)
    expect(next, 'V1-HOTEL-SEARCH-CONTINUE').toSucceed()
    last = next
    answers.push(next)
    // Each may have several megabytes.
    if (answers.length > 3) answers.splice(1, 1)
    const endsInTime = finished(last) || poll < most
    expect(last, 'V1-HOTEL-SEARCH-ENDS').toGive(`finish: true within ${most} calls`, endsInTime)
  }
  return answers
}

describe('a paged hotelSearch', () => {
  test('continues by its id, keeps all hotels found so far, and ends', {
    tags: [
      'V1-HOTEL-SEARCH-PAGED',
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
      'V1-HOTEL-SEARCH-EVERY-ROOM',
      'V1-HOTEL-SEARCH-REQUEST-ID-OWN',
      ...clausesAbout(HotelSearchAnswer, V1Rate),
    ],
    kinds,
    opportunistic: ['V1-HOTEL-SEARCH-ADULTS-ONLY'],
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor()
    let answers: readonly Exchange[] = []
    const places = await arrange.adapter.places(by)
    // A long search shows losses in later answers.
    const longest = await placeOfMost(context, places)
    if (longest !== undefined) await walk(context, by, { place: longest, checkIn: arrange.adapter.day() })
    for (const { id } of places.slice(0, 3)) {
      const ask = { place: id, checkIn: arrange.adapter.day(), rooms: FAMILY }
      answers = await walk(context, by, ask)
      const last = answers.at(-1)!
      if (finished(last)) {
        expect(last, 'V1-HOTEL-SEARCH-ENDS').toShow('finish', true)
      }
      // A loss is only visible if an earlier answer had several hotels.
      if (idsIn(last).length > 0 && answers.slice(0, -1).some(answer => idsIn(answer).length > 1)) break
    }
    const rates = answers.flatMap(answer => hotelsIn(answer).flatMap(hotel => ratesOf(hotel).flat()))
    assume(rates.length > 0, 'a destination with hotels for these rooms')
    assume(answers.length > 1, 'a search that takes more than one answer')
    const charged = rates.some(({ cancelation_fees: fees }) => Array.isArray(fees) && fees.length > 0)
    assume(charged, 'a rate with cancelation_fees')
  })
})

/** The number of pairs after which two modes that always answer differently are no coincidence. */
const PAIRS = 6

describe('the mode of a hotelSearch', () => {
  test('is paged if the request does not state one', {
    tags: ['V1-HOTEL-SEARCH-MODE-DEFAULT'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const exchanges: Exchange[] = []
    const start = async (mode: { mode?: 'paged' }) => {
      const body = arrange.adapter.searchBody({ ...(await askOf(context)), ...mode })
      const answer = await searched(context, body)
      exchanges.push(answer)
      return answer
    }
    // A first answer may be the last if the same search was made before, so one pair proves nothing.
    let holds = false
    for (let pair = 0; pair < PAIRS && !holds; pair++) {
      const paged = assume.accepted(await start({ mode: 'paged' }), 'a v1 hotel search')
      const answer = await start({})
      const isAccepted = succeeded(answer)
      assume(!isAccepted || !finished(paged), 'paged searches that take more than one answer')
      holds = isAccepted && !finished(answer)
    }
    expect.claim('V1-HOTEL-SEARCH-MODE-DEFAULT', holds, {
      tried: `Starting ${PAIRS} searches without mode, and as many with the mode paged`,
      expected: 'first answers alike',
      observed: 'a refusal or finish: true without mode every time, and neither with paged',
      exchanges,
    })
  })
})

/** Returns a similar id that does not exist. A short one might exist. */
const alike = (id: unknown): string | undefined =>
  typeof id === 'string' && id.length >= 16
    ? `${id.slice(0, -4)}${id.at(-4) === '7' ? '4' : '7'}${id.slice(-3)}`
    : undefined

describe('an id_search', () => {
  test('that was never issued is refused as unknown', {
    tags: ['V1-HOTEL-SEARCH-UNKNOWN-ID', 'V1-HOTEL-ERR-SEARCH-ID'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const body = arrange.adapter.searchBody(await askOf(context))
    const issued = assume.accepted(await searched(context, body), 'the same search without id_search')
    const unlike = [
      { id_search: alike(at(issued.response.json, 'id_search')) ?? `tss-${randomUUID()}` },
      { id_search: randomUUID() },
    ]
    for (const fields of [
      ...unlike,
      // A refused id was never issued.
      ...(arrange.trafficIsFree ? unlike : []),
    ]) {
      const answer = await searched(context, { ...body, ...fields })
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
    const body = arrange.adapter.searchBody(await askOf(context, { by }))
    const first = assume.accepted(await searched(context, body, by), 'a v1 hotel search')
    const id_search = at(first.response.json, 'id_search')
    assume(typeof id_search === 'string', 'a search that returns an id_search')
    let had = hotelsIn(first).length
    for (let look = 1; look <= LOOKS && had === 0; look++) {
      await arrange.adapter.progress(by, look)
      had = hotelsIn(await searched(context, { ...body, id_search }, by)).length
    }
    await control.advanceClock(by, EXPIRED)
    const answer = await searched(context, { ...body, id_search }, by)
    // A known search shows everything found so far.
    const isLost = had > 0 && hotelsIn(answer).length === 0
    assume(!succeeded(answer) || isLost, 'an id_search that expires within a day')
    expect(answer).toRefuseAsStated()
  })
})

/** The number of polls in which something is found, if anything is. */
const LOOKS = 8

/** Seconds after which a short-lived search has expired. */
const EXPIRED = 20 * 3600
