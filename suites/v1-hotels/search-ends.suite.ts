import {
  found,
  type HotelCheck,
  placeOfMost,
  type V1Room,
  type V1Search,
  type V1SearchAsk,
} from '../../fixtures/check/v1/index.ts'
import { assume, describe, orOrdinary, test } from '../../fixtures/test.ts'

type Mode = 'paged' | 'full'

/** The number of rounds, each on another day, in which one mode must find less before the market is ruled out. */
const ROUNDS = 6
/** The number of pairs of searches that may find at most one hotel, which proves nothing. */
const SPARE = { free: 6, live: 2 }

const FAMILY: V1Room = { adults: 2, childrenAges: [9] }

/** Searches in both modes to the end. The order changes from round to round. */
async function inBothModes(
  { arrange }: HotelCheck,
  { place, rooms }: V1SearchAsk,
  round: number,
): Promise<Record<Mode, V1Search>> {
  const by = await arrange.actor()
  const ask = { place, checkIn: arrange.adapter.day(), ...(rooms && { rooms }) }
  const search = (mode: Mode) => arrange.adapter.follow(by, { ...ask, mode })
  if (round % 2 === 0) return { paged: await search('paged'), full: await search('full') }
  return { full: await search('full'), paged: await search('paged') }
}

/** Returns how many hotels one search found that the other did not. */
function more(one: V1Search, other: V1Search): number {
  const known = new Set(other.hotels.map(({ id_hotel }) => id_hotel))
  return one.hotels.filter(({ id_hotel }) => !known.has(id_hotel)).length
}

describe('finish: true', () => {
  test('is sent only when all hotels were found, in both modes', {
    tags: ['V1-HOTEL-SEARCH-FULL-EVERYTHING', 'V1-HOTEL-SEARCH-FINISH-LAST'],
    kinds: ['v1-hotels'],
  }, async context => {
    // A family in two rooms: other checks cover one room, and adults only.
    const { ask } = await orOrdinary(
      () => found(context, [FAMILY, { adults: 1 }]),
      () => found(context, [FAMILY]),
    )
    const { arrange } = context
    const others = (await arrange.adapter.places(await arrange.actor())).filter(({ id }) => id !== ask.place)
    await claimAgreed(context, ask, others)
    const most = await placeOfMost(context, others)
    if (most !== undefined) await claimAgreed(context, { ...ask, place: most }, [])
  })
})

/** Decides that both modes find the same hotels of a place, or that neither mode always finds fewer. */
async function claimAgreed(context: HotelCheck, ask: V1SearchAsk, others: { id: number }[]): Promise<void> {
  const { arrange } = context
  let spare = SPARE[arrange.trafficIsFree ? 'free' : 'live']
  let round = 1
  // Hotels come and go on a market, but not always to the disadvantage of the same mode.
  const less: Record<Mode, number> = { paged: 0, full: 0 }
  while (round <= ROUNDS && spare > 0) {
    const { paged, full } = await inBothModes(context, ask, round)
    const missing: Record<Mode, number> = { full: more(paged, full), paged: more(full, paged) }
    if (missing.full + missing.paged === 0 && full.hotels.length < 2) {
      spare--
      // A mode that found fewer is compared again on another day.
      if (round === 1) ask.place = others.shift()?.id ?? ask.place
      continue
    }
    if (missing.full > 0 && missing.paged === 0) less.full++
    if (missing.paged > 0 && missing.full === 0) less.paged++
    for (const [mode, clause] of [
      ['full', 'V1-HOTEL-SEARCH-FULL-EVERYTHING'],
      ['paged', 'V1-HOTEL-SEARCH-FINISH-LAST'],
    ] as const) {
      if (less[mode] === round && round < ROUNDS) continue
      context.expect.claim(clause, less[mode] < round, {
        tried: `A ${mode} search to its end, and the same in the other mode, on ${ROUNDS} days`,
        expected: 'the same hotels, or a difference that is not always to the disadvantage of one mode',
        observed: `each time it missed hotels that the other found, the last time ${missing[mode]}`,
        exchanges: [full.last, paged.last],
      })
    }
    if (less.full < round && less.paged < round) return
    round++
  }
  assume(round > ROUNDS, 'a destination with several hotels for these rooms')
}
