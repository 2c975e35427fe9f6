import { listed } from '../../fixtures/check/buying/index.ts'
import { askForTransfers, spread } from '../../fixtures/check/products/index.ts'
import { requirementsIn } from '../../fixtures/checkers/index.ts'
import { objectsIn, problemFields } from '../../fixtures/contracts/index.ts'
import { addDays, assume, describe, test } from '../../fixtures/test.ts'

const kinds = ['transfers'] as const

describe('GET /api/v2/transfers/products', () => {
  test('returns the catalog as JSON with booking_requirements, and may be cached for an hour', {
    tags: [
      'V2-TRANSFER-CATALOG-OK',
      'V2-TRANSFER-CATALOG-REQUIREMENTS',
      'CACHE-V2-TRANSFER-CATALOG',
      'FORMAT-V2-KEYS-TRANSFER-CATALOG',
      'V2-JSON-CONTENT-TYPE',
    ],
    kinds,
  }, async context => {
    const { v2, arrange, expect } = context
    const read = () => v2.transferProducts()
    const catalog = await listed(context, 'V2-TRANSFER-CATALOG-OK', 'the transfer catalog', read)
    const { stated, missing } = requirementsIn(catalog.response.json)
    // They belong to products: a credential that can sell none sees none.
    if (!stated) await arrange.adapter.productIds(await arrange.actor())
    const without = stated ? missing : ['any']
    expect(catalog, 'V2-TRANSFER-CATALOG-REQUIREMENTS').toHaveNo('products without requirements', without)
  })

  test('logistics listed in booking_requirements are required for a booking', {
    tags: ['V2-BOOK-LOGISTICS', 'V2-VALIDATION-PATH'],
    kinds,
  }, async ({ v2, act, arrange, expect }) => {
    const catalog = assume.accepted(arrange.offered(await v2.transferProducts()), 'the transfer catalog')
    const required = JSON.stringify(
      [...objectsIn(catalog.response.json)].map(({ object }) => object.booking_requirements ?? null),
    )
    const body = arrange.anyBody([await arrange.offer()])
    const [item] = body.items as { logistics?: Record<string, unknown> }[]
    const listed = Object.keys(item?.logistics ?? {}).filter(field => required.includes(`"${field}"`))
    assume(listed.length > 0, 'booking_requirements that list logistics fields')
    for (const field of listed) {
      const { [field]: _, ...logistics } = item!.logistics!
      const items = [{ ...item, logistics }]
      const answer = await v2.book({ key: arrange.key(), body: { ...body, items } })
      expect(answer).toBeRefused()
      // An entry may be about the whole of logistics; one that names the field must have its path.
      const isNamed = problemFields(answer).some(path => path.split('.').at(-1) === field)
      if (isNamed) expect(answer, 'V2-VALIDATION-PATH').toReportField(`items[0].logistics.${field}`)
    }
    await act.booked('a booking with all of them')
  })

  test('every product of the catalog is accepted by availability', {
    tags: ['V2-TRANSFER-CATALOG-SELLABLE'],
    kinds,
  }, async ({ v2, arrange, expect }) => {
    const productIds = await arrange.adapter.productIds(await arrange.actor())
    const from = arrange.adapter.day()
    for (const productId of arrange.drawn(spread(productIds), 1)) {
      const pax = await arrange.adapter.fewest(await arrange.actor())
      const ask = { product_ids: [productId!], from, to: addDays(from, 6), pax }
      expect(await askForTransfers({ v2 }, ask)).toHaveStatus(200, 201)
    }
  })
})
