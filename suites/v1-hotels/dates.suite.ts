import {
  askOf,
  datesAfter,
  type HotelCheck,
  saysTooClose,
  searched,
  sentSearch,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { type Actor, addDays, assume, describe, type Exchange, test } from '../../fixtures/test.ts'

const HOUR = 3600
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const hourOf = (time: number): number => new Date(time).getUTCHours()

/** From this hour of UTC on, the day has ended in some time zones: there, its check-in is past and not too close. */
const LATE = 10

const withCheckIn = async (
  context: HotelCheck,
  by: Actor,
  checkIn: string,
  more: JsonObject = {},
): Promise<Exchange> => {
  const ask = { ...(await askOf(context, { by })), checkIn }
  return sentSearch(context, { ...context.arrange.adapter.searchBody(ask), ...more }, by)
}

/** Searches a check-in that is far enough ahead for most services. */
async function acceptsLater(context: HotelCheck, by: Actor): Promise<void> {
  const body = context.arrange.adapter.searchBody(await askOf(context, { by }))
  assume.sold(await searched(context, body, by), 'a search of a later check-in')
}

/**
 * Searches a check-in today (in the morning, if the clock can be moved). Late in the day, searches tomorrow unless today is
 * refused as too close.
 */
async function tooClose(context: HotelCheck) {
  const { arrange, control, now } = context
  const by = await arrange.actor('standard', { modes: {} })
  if (hourOf(now(by)) >= LATE && control.offers('advanceClock') && control.offers('mint'))
    await control.advanceClock(by, (25 - hourOf(now(by))) * HOUR)
  const morning = hourOf(now(by)) < LATE
  await acceptsLater(context, by)
  const today = dateOf(now(by))
  const answer = await withCheckIn(context, by, today)
  assume(!succeeded(answer), 'a deployment that sells no check-in of today')
  if (morning || saysTooClose(answer)) return { by, answer, tooEarly: today }
  const tomorrow = addDays(today, 1)
  const next = await withCheckIn(context, by, tomorrow)
  assume(!succeeded(next), 'a check-in that is not past anywhere, and too close')
  return { by, answer: next, tooEarly: tomorrow }
}

describe('a check-in that is too close', () => {
  test('is refused with the earliest date, which can be searched', {
    tags: ['V1-HOTEL-ERR-DATE', 'V1-HOTEL-ERR-DATE-MESSAGE', 'V1-HOTEL-SEARCH-EARLIEST-DATE'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, expect, claim } = context
    const { by, answer, tooEarly } = await tooClose(context)
    const tried = `Searching a check-in of ${tooEarly}, which is refused where a later one is not`
    claim('V1-HOTEL-ERR-DATE', saysTooClose(answer), { tried, expected: '400 "Date not bookable"', answer })
    const [earliest] = datesAfter(tooEarly, answer)
    // The minimum can change, at midnight or for good, so it is requested again.
    const stands = async () => datesAfter(tooEarly, await withCheckIn(context, by, tooEarly))[0] === earliest
    // The number of rooms, and a single hotel as location, must make no difference.
    const single = (await arrange.adapter.places(by)).find(({ type }) => type === 'hotel')
    const rooms = { occupancies: [{ adults: 2 }, { adults: 1 }], ...(single && { id_location: single.id }) }
    const full = await withCheckIn(context, by, tooEarly, { mode: 'full', ...rooms })
    const isSold = async () => succeeded(await withCheckIn(context, by, earliest!, rooms))
    // Each hotel may have its own lead time.
    const isItsOwn = async () =>
      single !== undefined && succeeded(await withCheckIn(context, by, tooEarly, { id_location: single.id }))
    const holds = saysTooClose(full) || (await isItsOwn()) || !(await isSold()) || !(await stands())
    expect(full, 'V1-HOTEL-ERR-DATE').toGive('400 "Date not bookable", as in pages', holds)
    for (const refusal of [answer, ...(saysTooClose(full) ? [full] : [])]) {
      const isTold = datesAfter(tooEarly, refusal).length > 0
      expect(refusal, 'V1-HOTEL-ERR-DATE-MESSAGE').toGive('the earliest date in message', isTold)
    }
    const next = await withCheckIn(context, by, earliest!)
    const isSearched = !saysTooClose(next) || !(await stands())
    expect(next, 'V1-HOTEL-SEARCH-EARLIEST-DATE').toGive('another answer than for earlier ones', isSearched)
    const before = addDays(earliest!, -1)
    if (before <= tooEarly) return
    const closer = await withCheckIn(context, by, before)
    const isRefused = !succeeded(closer) || !(await stands())
    expect(closer, 'V1-HOTEL-ERR-DATE').toGive('a refusal, as for today', isRefused)
  })

  test('is any that is past', { tags: ['V1-HOTEL-SEARCH-PAST'], kinds: ['v1-hotels'] }, async context => {
    const { arrange, expect, now } = context
    const by = await arrange.actor()
    await acceptsLater(context, by)
    // Yesterday may still be today in some time zones.
    const past = addDays(dateOf(now(by)), -2)
    const ask = { ...(await askOf(context, { by })), checkIn: past }
    const first = await sentSearch(context, arrange.adapter.searchBody(ask), by)
    const search = succeeded(first) ? await arrange.adapter.follow(by, ask) : undefined
    const hotels = search?.hotels.length ?? 0
    expect(search?.last ?? first, 'V1-HOTEL-SEARCH-PAST').toTell('the number of hotels', hotels, 0)
  })
})
