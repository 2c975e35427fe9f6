import fc from 'fast-check'
import {
  attempt,
  claimConfirmedAsQuoted,
  isRefusedOrder,
  offerAmong,
  quoteOf,
  type V1Ticket,
} from '../../fixtures/check/v1/index.ts'
import { addDays, assume, describe, ifHad, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

const UNSOLD = ['Date not available', 'No availability for the selected date.']
/** The refusals of a product that is listed with a price and sold on no day. */
const UNSALEABLE = [...UNSOLD, 'Ticket not found.', 'Invalid request']

/** The number of consecutive days tried. */
const WEEK = 7

/** Well within 366 days. */
const A_YEAR = 360

describe('the days listed with prices by operator A', () => {
  test('are days on which the ticket can be sold', {
    tags: ['V1-PARK-A-PRICE-SELLABLE-DAYS'],
    kinds,
  }, async context => {
    const { arrange } = context
    const by = await arrange.actor()
    const today = new Date(by.now()).toISOString().slice(0, 10)
    const families = await arrange.adapter.tickets(by)
    const find = async (round: number) => {
      const family = families[(round - 1) % families.length]!
      const from = family.eventDate ?? today
      const to = family.eventDate ?? addDays(today, 13)
      const people = family.adult === undefined ? { adults: 0, children: 1 } : arrange.adapter.people()
      const [first] = await arrange.adapter.between(by, family, people, { from, to })
      return quoteOf(context, first ?? (await offerAmong(context, { what: 'a ticket on sale' })))
    }
    const tried = 'Confirming a ticket for the first day from today on that has a price'
    await claimConfirmedAsQuoted(context, 'V1-PARK-A-PRICE-SELLABLE-DAYS', { tried, telling: UNSOLD, find })
    const family = families.find(one => one.adult !== undefined && one.eventDate === undefined)
    if (!arrange.trafficIsFree || family === undefined) return
    const [from, to] = [arrange.adapter.day(), addDays(arrange.adapter.day(), 27)]
    const people = arrange.adapter.people()
    // A whole week: some parks are closed on one weekday.
    for (let day = 0; day < WEEK; day++) {
      await claimConfirmedAsQuoted(context, 'V1-PARK-A-PRICE-SELLABLE-DAYS', {
        tried: `Confirming a ticket for day ${day + 1} of the days in a row that have a price`,
        telling: UNSOLD,
        async find() {
          const listed = await arrange.adapter.between(by, family, people, { from, to })
          return quoteOf(context, listed[day] ?? (await offerAmong(context, { what: 'a ticket on sale' })))
        },
      })
    }
  })

  test('are days on which the ticket can be sold, however far ahead', {
    tags: ['V1-PARK-A-PRICE-SELLABLE-DAYS'],
    kinds,
  }, async context => {
    const { arrange, holds } = context
    const by = await arrange.actor()
    const tomorrow = addDays(new Date(by.now()).toISOString().slice(0, 10), 1)
    const families = (await arrange.adapter.tickets(by)).filter(({ adult }) => adult !== undefined)
    const event = families.findIndex(({ eventDate }) => eventDate !== undefined)
    const park = families.findIndex(({ eventDate }) => eventDate === undefined)
    // The last day and the first one; a special event has only one.
    const ends = [-1, 0].map(day => ({ family: park, day }))
    const examples = [...ends, { family: event, day: 0 }].filter(({ family }) => family !== -1)
    await holds(
      fc.record({ family: fc.nat({ max: 9 }), day: fc.nat({ max: A_YEAR }) }),
      async chosen => {
        const family = families[chosen.family % families.length]
        assume(family !== undefined, 'a ticket for adults')
        const from = family.eventDate ?? tomorrow
        const to = family.eventDate ?? addDays(tomorrow, A_YEAR)
        const find = async () => {
          const people = arrange.adapter.people()
          const offers = await arrange.adapter.between(by, family, people, { from, to })
          const offer = offers.at(chosen.day % offers.length)
          assume(offer !== undefined, 'a ticket on sale')
          return quoteOf(context, offer)
        }
        const tried = 'Confirming a ticket for one of the days that have a price'
        await claimConfirmedAsQuoted(context, 'V1-PARK-A-PRICE-SELLABLE-DAYS', {
          tried,
          telling: UNSALEABLE,
          find,
        })
      },
      { runs: 6, live: 1, examples },
    )
  })

  test('do not include days that are sold out', {
    tags: ['V1-PARK-A-PRICE-SELLABLE-DAYS'],
    kinds,
    forReal: true,
  }, async context => {
    const { arrange, control, expect } = context
    const by = await arrange.actor()
    const event = { what: 'an event on sale', suits: ({ eventDate }: V1Ticket) => eventDate !== undefined }
    for (const offer of [await arrange.offer(), await ifHad(offerAmong(context, event))]) {
      if (offer === undefined) continue
      await control.setStock(by, offer.productId, 0)
      const answer = await attempt(context, arrange.anyBody(offer))
      const listed = await arrange.adapter.offersOn(by, offer.productData.ticket, offer.people, offer.date)
      // Control may have had no effect.
      assume(isRefusedOrder(answer) || listed.length === 0, 'control.setStock that makes a ticket sell out')
      expect(listed[0]?.exchange ?? answer).toHaveNo(
        'prices of a day that is sold out',
        listed.map(({ total }) => total),
      )
    }
  })
})
