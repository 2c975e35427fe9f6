import { listed, untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { firstWithTickets } from '../../fixtures/check/products/index.ts'
import { objectsIn, problemFields } from '../../fixtures/contracts/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

const statesOptions = (value: unknown): boolean =>
  [...objectsIn(value)].some(({ object }) => object.booking_options != null)

/** The number of products tried if the first ones need no options. */
const TRIES = 3

describe('GET /api/v2/tickets/products', () => {
  test('returns the catalog as JSON, with the options of its products, and may be cached for an hour', {
    tags: [
      'V2-TICKET-CATALOG-OK',
      'V2-TICKET-CATALOG-OPTIONS',
      'CACHE-V2-TICKET-CATALOG',
      'FORMAT-V2-KEYS-TICKETS',
    ],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { v2, arrange, expect } = context
    const read = () => v2.ticketProducts()
    const catalog = await listed(context, 'V2-TICKET-CATALOG-OK', 'the ticket catalog', read)
    const stated = statesOptions(catalog.response.json)
    // They belong to products: a credential that can sell none sees none.
    if (!stated) await firstWithTickets(arrange.adapter.both(), await arrange.actor())
    expect(catalog, 'V2-TICKET-CATALOG-OPTIONS').toGive('booking_options', stated)
  })

  test('a product that cannot be booked without an option lists its options', {
    tags: ['V2-TICKET-CATALOG-OPTIONS'],
    kinds: ['parkA', 'parkB'],
  }, async ({ v2, arrange, expect }) => {
    const by = await arrange.actor()
    const adapter = arrange.adapter
    const catalog = assume.accepted(
      await untilSupplierAnswers(() => v2.ticketProducts(), 'the ticket catalog'),
      'the ticket catalog',
    )
    const listed = new Map(adapter.listed(catalog).map(({ id, record }) => [id, record]))
    let needed = 0
    for (const product of (await adapter.products(by)).slice(0, arrange.trafficIsFree ? 20 : TRIES)) {
      const day = product.days?.from ?? adapter.day()
      const [offer] = await adapter.between(by, product, day, product.days?.to ?? day)
      if (offer === undefined) continue
      const body = arrange.anyBody([offer])
      for (const item of body.items as Record<string, unknown>[]) delete item.options
      const answer = await v2.book({ key: arrange.key(), body })
      const missing = problemFields(answer).filter(field => /^items\[0\]\.options\b/.test(field))
      if (missing.length === 0) continue
      needed++
      // The record as first seen and as it is now. If the definition names no record, the whole catalog is searched.
      const records = [product.record, listed.get(product.id)].map(record => record ?? catalog.response.json)
      const isStated = records.every(statesOptions)
      expect(answer, 'V2-TICKET-CATALOG-OPTIONS').toGive('booking_options in the catalog too', isStated)
      if (!arrange.trafficIsFree) break
    }
    assume(needed !== 0, 'a ticket that cannot be booked without options')
  })
})
