import { attempt } from '../../fixtures/check/v1/index.ts'
import { v1ErrorsOf } from '../../fixtures/contracts/index.ts'
import { assume, describe, type Exchange, test } from '../../fixtures/test.ts'

/** The number of tickets left for a day: few enough for one order. */
const LEFT = 3
/**
 * The number of refused orders for all that is left, each beside an accepted order for less, before that is no coincidence.
 */
const ROUNDS = 4
const SOLD_OUT = 'No availability for the selected date.'

describe('capacityAvailable of a row', () => {
  test('is the number of tickets that can be bought together', {
    tags: ['V1-PARK-B-PRICE-CAPACITY-SOLD'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { arrange, control, expect } = check
    const { adapter } = arrange
    const by = await arrange.actor()
    const { date, productId, productData } = await arrange.offer()
    /** Returns an offer for all that is left. */
    const rest = async () => {
      const exchange = await adapter.priceOn(by, productId, date)
      const adults = Number(adapter.rowsOf(exchange).get(date)?.[0]?.capacity)
      const isFew = Number.isInteger(adults) && adults > 0 && adults <= 2 * LEFT
      assume(isFew, 'control.setStock that can leave a few tickets for a day')
      const offers = adapter.offersOf(productData.ticket, { adults, children: 0 }, exchange)
      return offers.find(one => one.date === date)
    }
    const refused: Exchange[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      await control.setStock(by, productId, LEFT)
      let all = await rest()
      // The number of requests grows from round to round, so that a market that refuses every nth request does not stay in
      // step.
      for (let asked = 1; asked < round; asked++) all = await rest()
      assume(all !== undefined, 'a price for all tickets that are left')
      const answer = await attempt(check, arrange.anyBody(all))
      if (answer.response.status < 400) break
      assume(v1ErrorsOf(answer).includes(SOLD_OUT), 'either an order or "No availability"')
      // Other buyers may leave fewer tickets.
      assume((await rest())?.people.adults === all.people.adults, 'no sales by others during the check')
      await control.setStock(by, productId, 100)
      const few = await attempt(check, arrange.anyBody(await arrange.offer()))
      assume(few.response.status < 400, 'fewer tickets than are left to be accepted')
      refused.push(answer)
    }
    await control.setStock(by, productId, 100)
    expect.claim('V1-PARK-B-PRICE-CAPACITY-SOLD', refused.length < ROUNDS, {
      tried: `Confirming as many tickets as capacityAvailable says, ${ROUNDS} times`,
      expected: 'an order',
      observed: SOLD_OUT,
      exchanges: refused,
    })
  })
})
