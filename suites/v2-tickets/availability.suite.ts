import { claimFormats, claimSameInRanges, untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { type Offer, spread } from '../../fixtures/check/products/index.ts'
import { isTicketExcuse, sharedOffer } from '../../fixtures/checkers/index.ts'
import { textOf } from '../../fixtures/contracts/index.ts'
import { addDays, assume, describe, type ProductCheck, test } from '../../fixtures/test.ts'

/** The number of products tried before nothing counts as on sale. */
const TRIES = 4
/** The number of products on sale that is enough if requests are limited. */
const ENOUGH = 2
/** The number of products whose ranges of days are tried if requests are free. */
const MOST_STRETCHES = 8

/** Finds tickets of the check's operator, and returns how they were requested. */
async function ticketsOnSale({ arrange }: ProductCheck<'parkA' | 'parkB'>) {
  const adapter = arrange.adapter
  const products = await adapter.products(await arrange.actor())
  return { adapter, products: arrange.trafficIsFree ? spread(products) : products.slice(0, TRIES) }
}

describe('POST /api/v2/tickets/availability', () => {
  test('has an offer for each product and day, and may be cached for five minutes', {
    tags: [
      'V2-TICKET-AVAILABILITY-OFFERS',
      'CACHE-V2-TICKET-AVAILABILITY',
      'FORMAT-V2-KEYS-TICKETS',
      'FORMAT-V2-AMOUNT-TICKETS',
      'FORMAT-V2-CURRENCY-TICKETS',
      'FORMAT-V2-TIMESTAMP-TICKETS',
    ],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { v2, arrange, expect } = context
    const { adapter, products } = await ticketsOnSale(context)
    const from = adapter.day()
    const offers: Offer[] = []
    for (const product of products) {
      const [first, last] = [product.days?.from ?? from, product.days?.to ?? addDays(from, 2)]
      const answer = await untilSupplierAnswers(
        () => v2.ticketAvailability(adapter.ask(product, first, last)),
        'availability of tickets',
      )
      // The shape of the request is open: if it never succeeds, the kit may be at fault.
      if (offers.length === 0) assume.sold(answer, 'availability of tickets')
      if (isTicketExcuse(answer)) continue
      expect(answer).toHaveStatus(200, 201)
      offers.push(...adapter.read(answer, product))
      if (!arrange.trafficIsFree && new Set(offers.map(({ productId }) => productId)).size === ENOUGH) break
    }
    // Without any offer, ends the check because nothing is on sale.
    if (offers.length === 0) await arrange.offer()
    claimFormats(expect, 'TICKETS', offers)
    assume(offers.length > 1, 'two ticket offers in one answer')
    const [one, other] = sharedOffer(offers) ?? []
    expect.claim('V2-TICKET-AVAILABILITY-OFFERS', one === undefined, {
      tried: 'Asking for several products and days',
      expected: 'an offer_id of its own for each',
      observed: `one for ${named(one)} and for ${named(other)}`,
      exchanges: [...new Set([one, other].flatMap(offer => offer?.exchange ?? []))],
    })
  })

  test('a day on sale when requested alone is on sale in a range, at the same price', {
    tags: ['V2-TICKET-AVAILABILITY-OFFERS'],
    kinds: ['parkA', 'parkB'],
    forReal: false,
  }, async context => {
    const { v2, arrange, expect } = context
    const { adapter, products } = await ticketsOnSale(context)
    const plain = products.filter(({ days }) => days === undefined)
    assume(plain.length > 0, 'a ticket on sale on more than one day')
    const some = arrange.trafficIsFree ? spread(plain, MOST_STRETCHES) : plain.slice(0, 1)
    for (const [turn, product] of some.entries()) {
      const asked = { first: adapter.day(), trafficIsFree: arrange.trafficIsFree, turn }
      await claimSameInRanges(expect, 'V2-TICKET-AVAILABILITY-OFFERS', asked, async (from, to) => {
        const answer = await untilSupplierAnswers(
          () => v2.ticketAvailability(adapter.ask(product, from, to)),
          'availability of tickets',
        )
        assume(!isTicketExcuse(answer), `availability from ${from} to ${to}`)
        const { status } = answer.response
        // The maximum length of a range, and whether its last day is included, are not shown.
        assume(to === addDays(from, 1) || status < 400 || status >= 500, `availability from ${from} to ${to}`)
        if (status !== 200) expect(answer).toHaveStatus(200, 201)
        const offers = adapter.read(answer, product)
        assume(
          offers.every(({ date }) => date !== undefined),
          'ticket offers that show their days',
        )
        const named = offers.map(
          ({ date, timeSlot = '', total = null }) => [`${date} ${timeSlot}`, textOf(total)] as const,
        )
        return { answer, prices: new Map(named) }
      })
    }
  })
})

const named = (offer: Offer | undefined) =>
  [offer?.productId, offer?.date, offer?.timeSlot].filter(part => part !== undefined).join(' ')
