import { listed } from '../../fixtures/check/buying/index.ts'
import { requirementsIn } from '../../fixtures/checkers/index.ts'
import { cacheDirectives } from '../../fixtures/contracts/index.ts'
import { assume, describe, header, test } from '../../fixtures/test.ts'

describe('GET /api/v2/tickets/brands', () => {
  test('returns the brands as JSON, each with its requirements for travelers', {
    tags: ['V2-TICKET-BRANDS-OK', 'V2-TICKET-BRANDS-REQUIREMENTS', 'CACHE-V2-TICKET-BRANDS'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { v2, expect } = context
    const brands = await listed(context, 'V2-TICKET-BRANDS-OK', 'the ticket brands', () => v2.ticketBrands())
    const { stated, missing, otherwise } = requirementsIn(brands.response.json)
    assume(stated || !otherwise, 'booking_requirements in the records of brands (their shape is open)')
    const without = stated ? missing : ['any']
    expect(brands, 'V2-TICKET-BRANDS-REQUIREMENTS').toHaveNo('brands without booking_requirements', without)
  })

  test('is cacheable for everybody or for nobody', {
    tags: ['CACHE-V2-TICKET-BRANDS'],
    kinds: ['parkA', 'parkB'],
  }, async ({ v2, arrange, control, expect }) => {
    control.require('mint')
    const { tenant: companyOf, modes, features } = await arrange.actor()
    const colleague = await arrange.actor('otherCompany', { companyOf, modes, features })
    const answers = [await v2.ticketBrands(), await colleague.v2.ticketBrands()]
    for (const answer of answers) assume.accepted(answer, 'the ticket brands')
    const [first, other] = answers.map(({ response }) => header(response.headers, 'cache-control'))
    const [isKept, isKeptThen] = [first, other].map(value =>
      cacheDirectives(value ?? null).includes('max-age=3600'),
    )
    const holds = isKept === isKeptThen
    expect(answers[1]!, 'CACHE-V2-TICKET-BRANDS').toGive(
      `Cache-Control: ${first}, for both`,
      holds,
      other ?? 'none',
    )
  })
})
