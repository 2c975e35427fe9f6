import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import {
  attempt,
  cents,
  claimRefused,
  type ParkBCheck,
  type ParkBOffer,
  passengers,
  type V1Offer,
} from '../../fixtures/check/v1/index.ts'
import { amountOf, at, isSameAmount, type JsonObject, sumOf, textOf } from '../../fixtures/contracts/index.ts'
import { addDays, assume, describe, type Exchange, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-park-b')

const PRICE_CHANGED = 'Price changed.'

/** Confirmations at the quoted price that have to be refused in a row, with the same price before and after each. */
const REFUSALS = 5
/** Tickets that are priced at most to find two that differ. */
const MOST_RECORDS = 6

/** Returns whether an answer says that the price has changed. */
const saysChanged = ({ response }: Exchange): boolean =>
  response.status >= 400 && [at(response.json, 'error'), at(response.json, 'message')].includes(PRICE_CHANGED)

/** A confirmation at the prices of now. */
interface Priced {
  body: JsonObject
  total: number
}

/**
 * Decides that the sum of quoted prices is accepted: it is not where it is refused as a changed price time after time
 * while the price stays as it is.
 */
async function claimTotal(
  check: ParkBCheck,
  clause: 'V1-PARK-B-CONFIRM-TOTAL' | 'V1-PARK-B-PRICE-PER-TICKET',
  tried: string,
  priced: () => Promise<Priced>,
): Promise<void> {
  const { claim } = check
  const refusals: Exchange[] = []
  for (let sent = 0; sent < 3 * REFUSALS; sent++) {
    const before = await priced()
    const answer = await attempt(check, before.body)
    if (answer.response.status < 300) {
      claim(clause, true, { tried, expected: 'an order', observed: 'one', exchanges: [answer] })
      return
    }
    const stayed = isSameAmount((await priced()).total, before.total)
    if (saysChanged(answer) && stayed) refusals.push(answer)
    else refusals.length = 0
    if (refusals.length < REFUSALS) continue
    claim(clause, false, {
      tried,
      expected: 'an order: the price was the same before and after',
      observed: `${PRICE_CHANGED} ${REFUSALS} times in a row`,
      exchanges: refusals.slice(-2),
    })
  }
  assume(false, 'tickets that are sold at a price that stays for a moment')
}

/** Prices one ticket for these people on a day of its own, the same day every time. */
async function tickets({ arrange }: ParkBCheck, people: V1Offer['people']): Promise<() => Promise<Priced>> {
  const by = await arrange.actor()
  let offer = await arrange.offer({ people })
  return async () => {
    const now = arrange.adapter.quotedAs(offer, await arrange.adapter.quote(by, offer))
    assume(now !== undefined, 'a ticket that is still sold')
    offer = now
    return { body: arrange.anyBody(now), total: now.total }
  }
}

/** Prices one ticket for the second or the last of several rows of a day, the same one every time. */
async function laterRow({ arrange }: ParkBCheck, place: 1 | -1): Promise<() => Promise<Priced>> {
  const by = await arrange.actor()
  const { adapter } = arrange
  const from = adapter.day()
  const people = { adults: 1, children: 0 }
  for (const record of (await adapter.tickets(by)).slice(0, MOST_RECORDS)) {
    const exchange = await adapter.price(by, record.plu, from, addDays(from, 6))
    for (const [date, rows] of adapter.rowsOf(exchange)) {
      const row = rows.at(place)
      if (row === undefined || rows.length < 2) continue
      let offer = adapter.offerOf(record, people, row, { date, rows: rows.length, exchange })
      if (offer?.productData.eventTime === undefined) continue
      return async () => {
        offer = adapter.quotedAs(offer!, await adapter.quote(by, offer!))
        assume(offer !== undefined, 'a row that stays for a moment')
        return { body: arrange.anyBody(offer), total: offer.total }
      }
    }
  }
  assume(false, 'a day with several rows, each at a time of its own')
}

/** Two tickets of different prices on one day, delivered alike: for two adults and a child. */
async function twoCodes({ arrange }: ParkBCheck): Promise<() => Promise<Priced>> {
  const by = await arrange.actor()
  const { adapter } = arrange
  const date = adapter.day()
  const quote = async (record: JsonObject): Promise<ParkBOffer | undefined> => {
    const exchange = await adapter.price(by, record.plu, date, date)
    const [rows = []] = [...adapter.rowsOf(exchange).values()]
    const people = { adults: 1, children: 0 }
    const offer = rows[0] && adapter.offerOf(record, people, rows[0], { date, rows: rows.length, exchange })
    return offer?.productData.eventTime === undefined ? offer : undefined
  }
  const found: ParkBOffer[] = []
  for (const record of (await adapter.tickets(by)).slice(0, MOST_RECORDS)) {
    const one = await quote(record)
    if (one === undefined) continue
    const other = found.find(
      ({ productData, total }) =>
        productData.method === one.productData.method && !isSameAmount(total, one.total),
    )
    found.push(one)
    if (other === undefined) continue
    return async () => {
      const [adult, child] = [await quote(other.productData.ticket), await quote(record)]
      assume(adult !== undefined && child !== undefined, 'two tickets that are still sold')
      const { plu: _, ...body } = arrange.anyBody(adult)
      const total = sumOf([adult.total, adult.total, child.total])
      return {
        total,
        body: {
          ...body,
          plu_ad: adult.productData.plu,
          plu_ch: child.productData.plu,
          adults: 2,
          children: 1,
          total_amount: total,
          pax: passengers(2, 1),
        },
      }
    }
  }
  assume(false, 'two tickets with different prices on one day')
}

/** A total that is a cent off, for so many adults. */
interface CentOff {
  adults: number
  by: 0.01 | -0.01
}

/**
 * A cent above and a cent below, one of them where the two differ by less than a cent as binary fractions, if there is
 * one for such a price.
 */
function centsOff(price: number): CentOff[] {
  const cases = [1, 2, 3, 4, 5].flatMap(adults =>
    ([0.01, -0.01] as const).map((by): CentOff => ({ adults, by })),
  )
  const hard = cases.find(({ adults, by }) => {
    const total = cents(price * adults)
    return Math.abs(cents(total + by) - total) < 0.01
  })
  const first = hard ?? cases[0]!
  return [first, { adults: 1, by: first.by === 0.01 ? -0.01 : 0.01 }]
}

const isWholeCents = (amount: number): boolean =>
  isSameAmount(cents(amount), amount) && Math.abs(cents(amount) - amount) < 1e-9

describe('total_amount of POST /api/v1/parkB/ticketConfirm', () => {
  test('is the price of a row for one ticket, and its double for two', {
    tags: ['V1-PARK-B-PRICE-PER-TICKET'],
  }, async check => {
    for (const [what, adults] of [
      ['one ticket at totalPriceWithTax', 1],
      ['two tickets at twice totalPriceWithTax', 2],
    ] as const) {
      const priced = await tickets(check, { adults, children: 0 })
      await claimTotal(check, 'V1-PARK-B-PRICE-PER-TICKET', `Confirming ${what}`, priced)
    }
  })

  test('is the price of the row whose time is booked, later ones as well', {
    tags: ['V1-PARK-B-PRICE-PER-TICKET'],
  }, async check => {
    for (const [name, place] of [
      ['second', 1],
      ['last', -1],
    ] as const) {
      const tried = `Confirming a ticket for the ${name} of several rows of a day, at its price`
      await claimTotal(check, 'V1-PARK-B-PRICE-PER-TICKET', tried, await laterRow(check, place))
    }
  })

  test('is the sum for adults and children', { tags: ['V1-PARK-B-CONFIRM-TOTAL'] }, async check => {
    for (const [adults, children] of [
      [2, 1],
      [1, 2],
    ] as const) {
      const priced = await tickets(check, { adults, children })
      const tried = `Confirming tickets for ${adults} adults and ${children} children at the sum of their prices`
      await claimTotal(check, 'V1-PARK-B-CONFIRM-TOTAL', tried, priced)
    }
  })

  test('is the sum of two prices where adults and children have codes of their own', {
    tags: ['V1-PARK-B-CONFIRM-TOTAL'],
  }, async check => {
    const tried = 'Confirming plu_ad for two adults and plu_ch for a child at the sum of their prices'
    await claimTotal(check, 'V1-PARK-B-CONFIRM-TOTAL', tried, await twoCodes(check))
  })

  test('that is a cent off is refused, says so, and books nothing', {
    tags: ['V1-PARK-B-CONFIRM-TOTAL-CENT', 'V1-PARK-B-ERR-PRICE', 'V1-PARK-B-CONFIRM-TOTAL-NOTHING'],
  }, async check => {
    const { arrange, act, control, expect, claim } = check
    const actor = await arrange.actor()
    const { productData } = await arrange.offer()
    assume(isWholeCents(productData.price), 'a price of whole cents')
    for (const { adults, by } of centsOff(productData.price)) {
      const people = { adults, children: 0 }
      const reference = arrange.reference()
      const before = await control.counted(actor)
      const { answer } = await act.book({
        async body() {
          const offer = await arrange.offer({ people })
          return { ...arrange.anyBody(offer), total_amount: cents(offer.total + by) }
        },
        key: reference,
        expecting: [PRICE_CHANGED],
      })
      claimRefused(check, 'V1-PARK-B-CONFIRM-TOTAL-CENT', {
        tried: `Confirming ${adults} tickets with a total_amount that is ${by} off`,
        answer,
      })
      expect(answer, 'V1-PARK-B-ERR-PRICE').toRefuseAsStated()
      const after = await control.counted(actor)
      claim('V1-PARK-B-CONFIRM-TOTAL-NOTHING', before === after, {
        tried: 'Counting orders before and after a confirmation that was refused for its total_amount',
        expected: `${before}`,
        observed: `${after}`,
        exchanges: [answer],
      })
      const { answer: right } = await act.book({
        body: arrange.body(await arrange.offer({ people })),
        key: reference,
      })
      claim('V1-PARK-B-CONFIRM-TOTAL-NOTHING', at(right.response.json, 'idempotent_replay') !== true, {
        tried: 'Confirming at the right price with the reference of a confirmation that was refused',
        expected: 'a new order',
        observed: 'a replay: the refused one had made an order',
        exchanges: [answer, right],
      })
      assume.accepted(right, 'the same at the right price')
    }
  })

  test('that is far off is refused as well, and says so', { tags: ['V1-PARK-B-ERR-PRICE'] }, async check => {
    const { arrange, act, expect } = check
    for (const by of [25, -1]) {
      const { answer } = await act.book({
        async body() {
          const offer = await arrange.offer()
          return { ...arrange.anyBody(offer), total_amount: cents(offer.total + by) }
        },
        expecting: [PRICE_CHANGED],
      })
      expect(answer).toRefuseAsStated()
    }
    await act.booked('the same at the right price')
  })

  test('is held against the price of now, not that which was read', {
    tags: ['V1-PARK-B-CONFIRM-TOTAL-NEW-QUOTE', 'V1-PARK-B-ERR-PRICE'],
  }, async check => {
    const { arrange, act, control, expect, v1 } = check
    const actor = await arrange.actor()
    const offer = await arrange.offer()
    await control.changePrice(actor, offer.productId, 5)
    const now = arrange.adapter.quotedAs(offer, await arrange.adapter.quote(actor, offer))
    assume(
      now !== undefined && isSameAmount(amountOf(now.total), sumOf([offer.total, 5])),
      'a price that was moved',
    )
    const answer = await v1.parkB.confirm({
      ...arrange.anyBody(offer),
      external_reference: arrange.reference(),
    })
    claimRefused(check, 'V1-PARK-B-CONFIRM-TOTAL-NEW-QUOTE', {
      tried: `Confirming at ${textOf(offer.total)}, which was the price before it moved`,
      answer,
    })
    // What was sold out meanwhile is refused for that, whatever its price.
    const isOther = isMarketRefusal(answer) && !saysChanged(answer)
    assume(!isOther, 'a ticket that is still on sale')
    expect(answer, 'V1-PARK-B-ERR-PRICE').toSay(PRICE_CHANGED)
    await act.booked('the same at the price of now', { body: arrange.body(now) })
  })
})
