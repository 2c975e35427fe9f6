import fc from 'fast-check'
import { isInProgress, v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  ADULT,
  amountsIn,
  assumeSoldTo,
  attempt,
  claimConfirmedAsQuoted,
  claimRefused,
  hasChildFare,
  isRefusedOrder,
  offerAmong,
  type ParkACheck,
  type ParkAOffer,
} from '../../fixtures/check/v1/index.ts'
import { at, isObject, isSameAmount, textOf } from '../../fixtures/contracts/index.ts'
import { addDays, assume, describe, independently, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-park-a')

const CHANGED = ['Price changed.']
const UNSOLD = ['Date not available', 'No availability for the selected date.']

/** Well within 366 days. */
const A_YEAR = 360

/** A cent more or less, without the error of binary fractions. */
const byCents = (total: number, cents: number) => Math.round(total * 100 + cents) / 100

/** As binary fractions, a cent more is less than 0.01 more for about every second price. */
const slips = ({ total }: ParkAOffer) => byCents(total, 1) - total < 0.01

/** An offer whose total whoever compares binary fractions gets wrong, if there is one within two weeks. */
async function offerThatSlips(context: ParkACheck, people: ParkAOffer['people']): Promise<ParkAOffer> {
  const { arrange } = context
  const offer = await offerAmong(context, { what: 'a ticket on sale', people })
  assume(Number.isInteger(Math.round(offer.total * 1e6) / 1e4), 'a price in cents')
  if (slips(offer)) return offer
  const stretch = { from: offer.date, to: addDays(offer.date, 13) }
  const by = await arrange.actor()
  const others = await arrange.adapter.between(by, offer.productData.family, people, stretch)
  return others.find(slips) ?? offer
}

describe('total_amount of an order of operator A', () => {
  test('is what the tickets cost that day', {
    tags: ['V1-PARK-A-CONFIRM-TOTAL', 'V1-PARK-A-PRICE-PER-TICKET'],
  }, async context => {
    const { arrange } = context
    const families = await arrange.adapter.families(await arrange.actor())
    const withChild = families.some(hasChildFare)
    const find = (adults: number, children: number) => () =>
      offerAmong(context, {
        what: 'a ticket on sale',
        suits: withChild ? hasChildFare : () => true,
        people: { adults, children },
      })
    await independently(
      async () => {
        const tried = 'Confirming two tickets for twice the price of one'
        await claimConfirmedAsQuoted(context, 'V1-PARK-A-PRICE-PER-TICKET', {
          tried,
          telling: CHANGED,
          find: find(2, 0),
        })
      },
      async () => {
        const tried = 'Confirming tickets for three adults and two children for the sum of their prices'
        await claimConfirmedAsQuoted(context, 'V1-PARK-A-CONFIRM-TOTAL', {
          tried,
          telling: CHANGED,
          find: withChild ? find(3, 2) : find(3, 0),
        })
      },
      async () => {
        const by = await arrange.actor()
        await claimConfirmedAsQuoted(context, 'V1-PARK-A-CONFIRM-TOTAL', {
          tried: 'Confirming two tickets at the price of the last of several days',
          telling: CHANGED,
          async find() {
            const first = await find(2, 0)()
            const days = { from: first.date, to: addDays(first.date, 13) }
            const offers = await arrange.adapter.between(by, first.productData.family, first.people, days)
            return offers.at(-1) ?? first
          },
        })
      },
    )
  })

  test('that differs by a cent is refused, with the current one in the message', {
    tags: ['V1-PARK-A-CONFIRM-TOTAL-CENT', 'V1-PARK-A-ERR-PRICE', 'V1-PARK-A-ERR-PRICE-MESSAGE'],
  }, async context => {
    const { arrange, act, expect, claim } = context
    await act.booked('the total that was quoted')
    for (const [cents, people] of [
      [1, ADULT],
      // Of one ticket, its price and the total are one amount.
      [-1, { adults: 2, children: 0 }],
    ] as const) {
      const { answer, offer } = await act.book({
        offer: () => offerThatSlips(context, people),
        body: offer => ({ ...arrange.anyBody(offer), total_amount: byCents(offer.total, cents) }),
        expecting: CHANGED,
      })
      const { total, date, productData } = offer
      const tried = `Confirming a ticket of ${total} for ${byCents(total, cents)}`
      claimRefused(context, 'V1-PARK-A-CONFIRM-TOTAL-CENT', { tried, answer })
      if (!v1ErrorsOf(answer).some(error => CHANGED.includes(error))) {
        await assumeSoldTo(context, people, async () =>
          arrange.anyBody(await offerThatSlips(context, people)),
        )
      }
      expect(answer, 'V1-PARK-A-ERR-PRICE').toRefuseAsStated()
      // Where the string itself stands in message, there is no other place for the total.
      const { json } = answer.response
      if (!isObject(json) || json.error !== CHANGED[0]) continue
      const named = amountsIn(textOf(at(json, 'message') ?? ''))
      if (named.some(amount => isSameAmount(amount, total))) {
        claim('V1-PARK-A-ERR-PRICE-MESSAGE', true, { tried, expected: '', observed: '', exchanges: [answer] })
        continue
      }
      const by = await arrange.actor()
      const [now] = await arrange.adapter.between(by, productData.family, people, { from: date, to: date })
      assume(now?.total === total, 'a price that stays the same meanwhile')
      claim('V1-PARK-A-ERR-PRICE-MESSAGE', false, {
        tried,
        expected: `the current total ${total} in message`,
        observed: textOf(at(json, 'message') ?? 'no message').slice(0, 200),
        exchanges: [answer],
      })
    }
  })

  test('that is refused books nothing', { tags: ['V1-PARK-A-CONFIRM-TOTAL-NOTHING'] }, async context => {
    const { v1, arrange, act, control, expect, claim } = context
    const by = await arrange.actor()
    const reference = arrange.reference()
    const offer = await arrange.offer()
    const before = await control.counted(by)
    const body = { ...arrange.anyBody(offer), total_amount: byCents(offer.total, 500) }
    const refused = await v1.parkA.confirm({ ...body, external_reference: reference })
    assume(refused.response.status === 400, 'a wrong total that is refused')
    const after = await control.counted(by)
    if (before !== undefined) {
      claim('V1-PARK-A-CONFIRM-TOTAL-NOTHING', after === before, {
        tried: 'Confirming a ticket for a wrong total',
        expected: `${before} orders as before`,
        observed: `${after}`,
        exchanges: [refused],
      })
    }
    // Had it booked, a repeat would find that.
    const { answer: again } = await act.book({ body: arrange.body(offer), key: reference })
    assume(!isInProgress(again), 'a confirmation whose result is known')
    assume.accepted(again, 'the right total')
    expect(again).not.toBeFlagged('idempotent_replay')
  })

  test('is held against a new quote', { tags: ['V1-PARK-A-CONFIRM-TOTAL-NEW-QUOTE'] }, async context => {
    const { arrange, act, control, expect } = context
    const by = await arrange.actor()
    await act.booked('a price that stays')
    const { answer } = await act.book({
      async body() {
        const offer = await arrange.offer()
        await control.changePrice(by, offer.productId, 3)
        const day = { from: offer.date, to: offer.date }
        const [now] = await arrange.adapter.between(by, offer.productData.family, offer.people, day)
        assume(now !== undefined && now.total !== offer.total, 'control after which a price has risen')
        return arrange.anyBody(offer)
      },
      expecting: CHANGED,
    })
    claimRefused(context, 'V1-PARK-A-CONFIRM-TOTAL-NEW-QUOTE', {
      tried: 'Confirming a ticket at the price of before it rose',
      answer,
    })
    expect(answer).toSay(...CHANGED)
  })
})

describe('the days that prices of operator A are listed for', () => {
  test('are days on which the ticket can be sold', {
    tags: ['V1-PARK-A-PRICE-SELLABLE-DAYS'],
  }, async context => {
    const { arrange, now } = context
    const by = await arrange.actor()
    const today = new Date(now(by)).toISOString().slice(0, 10)
    const families = await arrange.adapter.families(by)
    const find = async (round: number) => {
      const family = families[(round - 1) % families.length]!
      const from = family.eventDate ?? today
      const to = family.eventDate ?? addDays(today, 13)
      const people = family.adult === undefined ? { adults: 0, children: 1 } : ADULT
      const [first] = await arrange.adapter.between(by, family, people, { from, to })
      return first ?? offerAmong(context, { what: 'a ticket on sale' })
    }
    const tried = 'Confirming a ticket for the first day from today on that has a price'
    await claimConfirmedAsQuoted(context, 'V1-PARK-A-PRICE-SELLABLE-DAYS', { tried, telling: UNSOLD, find })
  })

  test('are days on which it can be sold, however far ahead', {
    tags: ['V1-PARK-A-PRICE-SELLABLE-DAYS'],
  }, async context => {
    const { arrange, holds, now } = context
    const by = await arrange.actor()
    const tomorrow = addDays(new Date(now(by)).toISOString().slice(0, 10), 1)
    const families = (await arrange.adapter.families(by)).filter(({ adult }) => adult !== undefined)
    await holds(
      fc.record({ family: fc.nat({ max: 9 }), day: fc.nat({ max: A_YEAR }) }),
      async chosen => {
        const family = families[chosen.family % families.length]
        assume(family !== undefined, 'a ticket for adults')
        const from = family.eventDate ?? tomorrow
        const to = family.eventDate ?? addDays(tomorrow, A_YEAR)
        const find = async () => {
          const offers = await arrange.adapter.between(by, family, ADULT, { from, to })
          const offer = offers[chosen.day % offers.length]
          assume(offer !== undefined, 'a ticket on sale')
          return offer
        }
        const tried = 'Confirming a ticket for one of the days that have a price'
        await claimConfirmedAsQuoted(context, 'V1-PARK-A-PRICE-SELLABLE-DAYS', {
          tried,
          telling: UNSOLD,
          find,
        })
      },
      { runs: 6, live: 1 },
    )
  })

  test('are no days that are sold out', {
    tags: ['V1-PARK-A-PRICE-SELLABLE-DAYS', 'V1-PARK-A-ERR-NO-AVAILABILITY'],
  }, async context => {
    const { arrange, act, control, expect, claim } = context
    const by = await arrange.actor()
    await act.booked('a ticket that is not sold out')
    const offer = await arrange.offer()
    const { family } = offer.productData
    await control.setStock(by, offer.productId, 0)
    const answer = await attempt(context, arrange.anyBody(offer))
    const day = { from: offer.date, to: offer.date }
    const listed = await arrange.adapter.between(by, family, ADULT, day)
    // Control may have been asked in vain.
    assume(isRefusedOrder(answer) || listed.length === 0, 'control after which a ticket is sold out')
    await independently(
      async () => {
        expect(answer, 'V1-PARK-A-ERR-NO-AVAILABILITY').toRefuseAsStated()
      },
      async () => {
        claim('V1-PARK-A-PRICE-SELLABLE-DAYS', listed.length === 0, {
          tried: 'Asking for the price of a ticket that is sold out',
          expected: 'the day to be left out',
          observed: `a price of ${listed[0]?.total}`,
          exchanges: [answer, ...listed.map(({ exchange }) => exchange)],
        })
      },
    )
  })
})
