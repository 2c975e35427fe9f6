import {
  askOf,
  datesAfter,
  type HotelCheck,
  passesMonth,
  saysTooClose,
  searched,
  sentSearch,
  stayIn,
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
  stay: { by: Actor; nights?: number },
  checkIn: string,
  more: JsonObject = {},
): Promise<Exchange> => {
  const ask = await askOf(context, { ...stay, checkIn })
  return sentSearch(context, { ...context.arrange.adapter.searchBody(ask), ...more }, stay.by)
}

/** The number of later days among which one is found on which a stay is like another. */
const LIKE = 62

/**
 * Searches a check-in that is far enough ahead for most services, for a stay that is like that of an early one: a refusal
 * of the stay says nothing about its check-in.
 */
async function acceptsLater(context: HotelCheck, by: Actor, early: Exchange): Promise<void> {
  const { nights, passesMonth: isPast } = stayIn(early)
  const ask = await askOf(context, { by })
  const days = Array.from({ length: LIKE }, (_, ahead) => addDays(ask.checkIn, ahead))
  const checkIn = days.find(day => passesMonth(day, addDays(day, nights)) === isPast) ?? ask.checkIn
  const body = context.arrange.adapter.searchBody({ ...ask, checkIn, nights })
  const later = stayIn(assume.sold(await searched(context, body, by), 'a search of a later check-in'))
  const isLike = later.nights === nights && later.passesMonth === isPast
  assume(isLike, 'a later check-in for as many nights that is accepted')
}

/**
 * Searches a check-in today (in the morning, if the clock can be moved). Late in the day, searches tomorrow unless today is
 * refused as too close.
 */
async function tooClose(context: HotelCheck) {
  const { arrange, control } = context
  const by = await arrange.actor('standard', { modes: {} })
  if (hourOf(by.now()) >= LATE && control.offers('advanceClock') && control.offers('mint'))
    await control.advanceClock(by, (25 - hourOf(by.now())) * HOUR)
  const morning = hourOf(by.now()) < LATE
  const today = dateOf(by.now())
  const refused = await withCheckIn(context, { by }, today)
  assume(!succeeded(refused), 'a deployment that refuses a check-in today')
  const isToday = morning || saysTooClose(refused)
  const tooEarly = isToday ? today : addDays(today, 1)
  const answer = isToday ? refused : await withCheckIn(context, { by }, tooEarly)
  assume(!succeeded(answer), 'a check-in that is too close but not past in any time zone')
  await acceptsLater(context, by, answer)
  return { stay: { by, nights: stayIn(answer).nights }, answer, tooEarly }
}

describe('a check-in that is too close', () => {
  test('is refused with the earliest possible date, which can be searched', {
    tags: ['V1-HOTEL-ERR-DATE', 'V1-HOTEL-ERR-DATE-MESSAGE', 'V1-HOTEL-SEARCH-EARLIEST-DATE'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { expect } = context
    const { stay, answer, tooEarly } = await tooClose(context)
    expect.claim('V1-HOTEL-ERR-DATE', saysTooClose(answer), {
      tried: `Searching a check-in of ${tooEarly}, which is refused where a later one is not`,
      expected: '400 "Date not bookable"',
      answer,
    })
    // The message may repeat dates of the request: the earliest one is the first that is not too close.
    const named = datesAfter(tooEarly, answer)
    const isFar = async (date: string) => !saysTooClose(await withCheckIn(context, stay, date))
    for (const date of named) if (await isFar(date)) break
    // The minimum can change, so it is asked for again: rows judge all of them.
    await withCheckIn(context, stay, tooEarly)
    await withCheckIn(context, stay, tooEarly, { mode: 'full' })
  })
})
