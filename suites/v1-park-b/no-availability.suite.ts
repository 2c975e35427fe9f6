import { hasBrokenDown, isLimited } from '../../fixtures/check/buying/index.ts'
import {
  attempt,
  attemptAtAnyTotal,
  claimRefused,
  claimShownAsNone,
  offerWanted,
  type ParkBCheck,
  type ParkBOffer,
} from '../../fixtures/check/v1/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { addDays, assume, describe, test } from '../../fixtures/test.ts'

/** The number of days around an offer searched for one without rows. */
const AROUND = 35
/** The number of days after which a visit is certainly over. */
const LONG_AGO = 800

/** Returns days without a row between days with rows: the operator is closed or sold out. */
async function daysWithout(check: ParkBCheck, { productData, date }: ParkBOffer): Promise<string[]> {
  const { arrange } = check
  const by = await arrange.actor()
  const last = addDays(date, AROUND)
  const days = [
    ...arrange.adapter.rowsOf(await arrange.adapter.price(by, productData.plu, date, last)).keys(),
  ]
  const latest = days.toSorted().at(-1) ?? date
  const between = Array.from({ length: AROUND }, (_, index) => addDays(date, index + 1))
  return between.filter(day => day < latest && !days.includes(day))
}

const UNSOLD = 'Asking for the price of a day on which a ticket is not sold, between days on which it is'

describe('POST /api/v1/parkB/ticketConfirm', () => {
  test('is refused for a day without availability', {
    tags: ['V1-PARK-B-CONFIRM-NO-AVAILABILITY', 'V1-PARK-B-PRICE-ROW-AVAILABLE'],
    // Only if a day between two others is not sold.
    opportunistic: ['V1-PARK-B-PRICE-NONE'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { arrange, act, expect } = check
    const by = await arrange.actor()
    const offer = await arrange.offer()
    const [closed] = await daysWithout(check, offer)
    // A ticket with time slots may be closed on other days.
    const inSlots = (_: JsonObject, { productData }: ParkBOffer) => productData.eventTime !== undefined
    const slot = arrange.trafficIsFree
      ? await offerWanted(check, by, inSlots, 'a ticket with times').catch(() => undefined)
      : undefined
    const [closedSlot] = slot === undefined ? [] : await daysWithout(check, slot)
    let shown = 0
    const over = addDays(offer.date, -LONG_AGO)
    const past = await arrange.adapter.price(by, offer.productData.plu, over, over)
    const rows = arrange.adapter.rowsOf(past).get(over) ?? []
    expect(past, 'V1-PARK-B-PRICE-ROW-AVAILABLE').toHaveNo(`rows of ${over}, a day that is over`, rows)
    for (const [date, one] of [
      [over, offer],
      [closed, offer],
      [closedSlot, slot],
    ] as const) {
      if (date === undefined || one === undefined) continue
      const body = { ...arrange.anyBody(one), date }
      const answer = await attemptAtAnyTotal(
        total_amount => attempt(check, { ...body, total_amount }),
        one.total,
      )
      // A day may come on sale at any time. The answer may include the next day.
      const now = await arrange.adapter.priceOn(by, one.productData.plu, date)
      const rows = arrange.adapter.rowsOf(now)
      if (rows.has(date)) continue
      shown++
      const isEmpty = rows.size === 0 && !isLimited(now) && !hasBrokenDown(now)
      if (date !== over && isEmpty) claimShownAsNone(check, UNSOLD, now)
      const tried = `Confirming a ticket for ${date}, a day without availability`
      claimRefused(check, 'V1-PARK-B-CONFIRM-NO-AVAILABILITY', { tried, answer })
    }
    assume(shown > 0, 'a day without availability')
    await act.booked('a ticket for a day on which it is sold')
  })
})
