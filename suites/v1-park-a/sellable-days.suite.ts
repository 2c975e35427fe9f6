import fc from 'fast-check'
import {
  attempt,
  claimConfirmedAsQuoted,
  forFamily,
  isRefusedOrder,
  offerAmong,
  offerWithChild,
  type ParkACheck,
  type ParkAOffer,
  PLENTY,
  quoteOf,
  refusedBeyondStock,
  refusedSoldOut,
  type V1Family,
} from '../../fixtures/check/v1/index.ts'
import { textOf } from '../../fixtures/contracts/index.ts'
import { addDays, assume, describe, ifHad, independently, orOrdinary, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

const UNSOLD = ['Date not available', 'No availability for the selected date.']
/** The refusals of a product that is listed with a price and sold on no day. */
const UNSALEABLE = [...UNSOLD, 'Ticket not found.', 'Invalid request']

/** The number of consecutive days tried. */
const WEEK = 7

/** Well within 366 days. */
const A_YEAR = 360

/** Decides that what control has sold out has no price, and is refused. */
async function claimSoldOut(
  context: ParkACheck,
  offer: ParkAOffer,
  groups?: Parameters<typeof refusedSoldOut>[3],
): Promise<void> {
  const { arrange, control, expect } = context
  const by = await arrange.actor()
  await control.setStock(by, offer.productId, 0)
  const answer = await attempt(context, arrange.anyBody(offer))
  const day = { from: offer.date, to: offer.date }
  const listed = await arrange.adapter.between(by, offer.productData.family, offer.people, day)
  // Control may have had no effect.
  assume(isRefusedOrder(answer) || listed.length === 0, 'control.setStock that makes a ticket sell out')
  await independently(
    () => refusedSoldOut(context, offer, 'V1-PARK-A-ERR-NO-AVAILABILITY', groups),
    async () => {
      expect(listed[0]?.exchange ?? answer, 'V1-PARK-A-PRICE-SELLABLE-DAYS').toHaveNo(
        'prices of a day that is sold out',
        listed.map(({ total }) => total),
      )
    },
  )
}

describe('the days listed with prices by operator A', () => {
  test('are days on which the ticket can be sold', {
    tags: ['V1-PARK-A-PRICE-SELLABLE-DAYS'],
    kinds,
  }, async context => {
    const { arrange } = context
    const by = await arrange.actor()
    const today = new Date(by.now()).toISOString().slice(0, 10)
    const families = await arrange.adapter.families(by)
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
    const families = (await arrange.adapter.families(by)).filter(({ adult }) => adult !== undefined)
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

  test('do not include days that are sold out, for everybody or for children only', {
    tags: ['V1-PARK-A-PRICE-SELLABLE-DAYS', 'V1-PARK-A-ERR-NO-AVAILABILITY'],
    kinds,
    forReal: true,
  }, async context => {
    const { arrange, act, control } = context
    control.require('setStock')
    await act.booked('a ticket that is not sold out')
    // The child's price is requested while it is on sale.
    const withChild = await orOrdinary(
      () => offerWithChild(context),
      () => arrange.offer(),
    )
    const { date, exchange, productData } = withChild
    const { family, adultPrice: adult, childPrice: child } = productData
    const people = arrange.adapter.people()
    const offer = arrange.adapter.offerOf(family, date, people, { adult, child, exchange }) ?? withChild
    await claimSoldOut(context, offer)
    await refusedBeyondStock(context, offer, 'V1-PARK-A-ERR-NO-AVAILABILITY')
    if (arrange.trafficIsFree) {
      const event = { what: 'an event on sale', suits: ({ eventDate }: V1Family) => eventDate !== undefined }
      await ifHad(offerAmong(context, event).then(one => claimSoldOut(context, one)))
    }
    const ofChild = textOf(family.child?.product_id)
    if (!arrange.trafficIsFree || child === undefined || ofChild === offer.productId) return
    await control.setStock(await arrange.actor(), offer.productId, PLENTY)
    // Control may have one stock for both types.
    await ifHad(claimSoldOut(context, { ...withChild, productId: ofChild }, [forFamily]))
  })
})
