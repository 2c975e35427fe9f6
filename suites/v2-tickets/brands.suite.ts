import { listed } from '../../fixtures/check/buying/index.ts'
import { requirementsIn } from '../../fixtures/checkers/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

describe('GET /api/v2/tickets/brands', () => {
  test('the brands are returned as JSON, each with what it requires of travelers', {
    tags: ['V2-TICKET-BRANDS-OK', 'V2-TICKET-BRANDS-REQUIREMENTS', 'CACHE-V2-TICKET-BRANDS'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { v2, claim } = context
    const brands = await listed(context, 'V2-TICKET-BRANDS-OK', 'the ticket brands', () => v2.ticketBrands())
    const { stated, missing, otherwise } = requirementsIn(brands.response.json)
    assume(stated || !otherwise, 'booking_requirements in the records of brands, whose shape is open')
    claim('V2-TICKET-BRANDS-REQUIREMENTS', stated && missing.length === 0, {
      tried: 'Looking for booking_requirements in the ticket brands',
      expected: 'to find them with each brand',
      observed: stated ? `none in ${missing.join(', ')}` : 'none',
      answer: brands,
    })
  })
})
