import { listed } from '../../fixtures/check/buying/index.ts'
import { requirementsIn } from '../../fixtures/checkers/index.ts'
import { describe, test } from '../../fixtures/test.ts'

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
})
