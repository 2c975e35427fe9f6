import { hasBrokenDown, isLimited } from '../../fixtures/check/buying/index.ts'
import {
  attempt,
  attemptAtAnyTotal,
  claimRefused,
  claimShownAsNone,
  type ParkBCheck,
  type ParkBOffer,
} from '../../fixtures/check/v1/index.ts'
import { addDays, assume, describe, test } from '../../fixtures/test.ts'

/** Days around an offer among which one without rows is looked for. */
const AROUND = 21
/** Days after which a visit is over, whenever it was offered. */
const LONG_AGO = 800

/** Returns days on which a ticket has no row, between days on which it has: the operator is closed, or sold out. */
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
  test('is refused for a day on which no availability is shown', {
    tags: ['V1-PARK-B-CONFIRM-NO-AVAILABILITY', 'V1-PARK-B-PRICE-ROW-AVAILABLE'],
    // Only where a day between two others is not sold.
    opportunistic: ['V1-PARK-B-PRICE-NONE'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { arrange, act, claim } = check
    const by = await arrange.actor()
    const offer = await arrange.offer()
    const [closed] = await daysWithout(check, offer)
    let shown = 0
    const over = addDays(offer.date, -LONG_AGO)
    const past = await arrange.adapter.price(by, offer.productData.plu, over, over)
    claim('V1-PARK-B-PRICE-ROW-AVAILABLE', !arrange.adapter.rowsOf(past).has(over), {
      tried: `Asking for the price of ${over}, a day that is over`,
      expected: 'no row, since each is an available date',
      observed: 'a row for it',
      exchanges: [past],
    })
    for (const date of [over, closed]) {
      if (date === undefined) continue
      const body = { ...arrange.anyBody(offer), date }
      const answer = await attemptAtAnyTotal(
        total_amount => attempt(check, { ...body, total_amount }),
        offer.total,
      )
      // A day may come on sale at any time.
      const now = await arrange.adapter.priceOn(by, offer.productData.plu, date)
      if (arrange.adapter.rowsOf(now).size > 0) continue
      shown++
      if (date === closed && !isLimited(now) && !hasBrokenDown(now)) claimShownAsNone(check, UNSOLD, now)
      const tried = `Confirming a ticket for ${date}, a day without availability`
      claimRefused(check, 'V1-PARK-B-CONFIRM-NO-AVAILABILITY', { tried, answer })
    }
    assume(shown > 0, 'a day without availability')
    await act.booked('a ticket for a day on which it is sold')
  })
})
