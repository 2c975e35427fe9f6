import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import type { ParkACheck } from '../../fixtures/check/v1/index.ts'
import { type JsonObject, objects, textOf } from '../../fixtures/contracts/index.ts'
import { clausesAbout, ParkAProduct } from '../../fixtures/service/index.ts'
import { assume, describe, type Exchange, independently, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

const list = ({ v1 }: ParkACheck, body: JsonObject) =>
  untilSupplierAnswers(() => v1.parkA.catalog(body), 'the catalog of operator A')

const productsOf = ({ response }: Exchange): JsonObject[] => objects(response.json)

const valuesOf = (answer: Exchange, field: string) => productsOf(answer).map(product => product[field])

const idsOf = (answer: Exchange) => valuesOf(answer, 'product_id').map(textOf)

const isSame = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort())

const TYPES = ['ThemePark', 'SpecialEvent']

describe('POST /api/v1/parkA/getTickets', () => {
  test('lists the products of one brand, of the first brand by default', {
    tags: [
      'V1-PARK-A-CATALOG-BRAND',
      'V1-PARK-A-CATALOG-BRAND-DEFAULT',
      'V1-PARK-A-PRODUCT-BRAND',
      'V1-PARK-A-PRODUCT-ONE-BRAND',
      'V1-PARK-A-CATALOG-ARRAY',
      'V1-PARK-A-PRODUCT-FAMILY-SHARED',
      'V1-PARK-A-PRODUCT-NO-PRICE',
      'CACHE-V1-PARK-A-CATALOG',
      ...clausesAbout(ParkAProduct),
    ],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const { brands } = arrange.adapter
    const unnamed = assume.accepted(await list(context, {}), 'a catalog')
    const stated = valuesOf(unnamed, 'brand')
    const catalogs: { brand: string; answer: Exchange }[] = []
    for (const brand of brands) {
      const answer = await list(context, { brand })
      // If the first code is the documented one, so is the second: an account without it gets an empty list.
      const isKnown = stated.includes(brand) || stated.includes(brands[0])
      if (isKnown) expect(answer, 'V1-PARK-A-CATALOG-BRAND').not.toHaveStatus(400)
      catalogs.push({ brand, answer: assume.accepted(arrange.offered(answer), 'a catalog') })
    }
    for (const { brand, answer } of catalogs) {
      const others = valuesOf(answer, 'brand').filter(one => one !== brand)
      const unknown = others.filter(one => !brands.includes(textOf(one)))
      expect(answer, 'V1-PARK-A-PRODUCT-BRAND').toHaveNo(`brands beside ${brands.join(' and ')}`, unknown)
      expect(answer, 'V1-PARK-A-CATALOG-BRAND').toHaveNo(`brands beside ${brand}`, others)
    }
    const all = catalogs.flatMap(({ answer }) => [...new Set(idsOf(answer))])
    const shared = all.filter((id, at) => all.indexOf(id) !== at)
    const last = catalogs.at(-1)!.answer
    expect(last, 'V1-PARK-A-PRODUCT-ONE-BRAND').toHaveNo('product_id that another brand lists', shared)
    const { brand, answer } = catalogs[0]!
    if (!isSame(idsOf(unnamed), idsOf(answer))) {
      // Unless the catalog changed meanwhile.
      assume(
        isSame(idsOf(answer), idsOf(await list(context, { brand }))),
        'a catalog that does not change during the check',
      )
    }
    const [shown, wanted] = [unnamed, answer].map(list => idsOf(list).toSorted())
    expect(unnamed, 'V1-PARK-A-CATALOG-BRAND-DEFAULT').toTell(`the products of ${brand}`, shown, wanted)
  })

  test('lists the parks of a product as strings, if at all', {
    tags: ['V1-PARK-A-PRODUCT-PARKS'],
    kinds,
  }, async context => {
    const { brands } = context.arrange.adapter
    for (const brand of brands) {
      const answer = assume.accepted(await list(context, { brand }), 'a catalog')
      if (productsOf(answer).some(({ parks }) => parks != null)) return
    }
    assume(false, 'a product of operator A that lists its parks')
  })

  test('lists the products of the type requested, or of both types', {
    tags: [
      'V1-PARK-A-CATALOG-TYPE',
      'V1-PARK-A-CATALOG-TYPE-BOTH',
      'V1-PARK-A-CATALOG-BRAND',
      'V1-PARK-A-CATALOG-BRAND-DEFAULT',
    ],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const { brands } = arrange.adapter
    const found = new Set<string>()
    const judge = async (brand?: string) => {
      const both = assume.accepted(await list(context, { brand }), 'a catalog')
      for (const product_type of TYPES) {
        const asked = await list(context, { brand, product_type })
        const isListed = valuesOf(both, 'product_type').includes(product_type)
        if (isListed) expect(asked, 'V1-PARK-A-CATALOG-TYPE').not.toHaveStatus(400)
        const answer = assume.accepted(asked, 'a catalog')
        const unlisted = (whole: Exchange, typed: Exchange) =>
          productsOf(whole)
            .filter(one => one.product_type === product_type)
            .flatMap(({ product_id: id }) => (idsOf(typed).includes(textOf(id)) ? [] : textOf(id)))
        if (unlisted(both, answer).length > 0) {
          // Unless the catalog changed meanwhile.
          const again = assume.accepted(await list(context, { brand, product_type }), 'a catalog')
          const still = assume.accepted(await list(context, { brand }), 'a catalog')
          const lost = unlisted(both, again).filter(id => unlisted(still, again).includes(id))
          expect(again, 'V1-PARK-A-CATALOG-TYPE').toHaveNo(`${product_type} that is not listed`, lost)
        }
        if (productsOf(answer).length === 0) continue
        found.add(product_type)
        const [expected, clause] =
          brand === undefined
            ? ([brands[0], 'V1-PARK-A-CATALOG-BRAND-DEFAULT'] as const)
            : ([brand, 'V1-PARK-A-CATALOG-BRAND'] as const)
        const strange = valuesOf(answer, 'brand').filter(one => one !== expected)
        expect(answer, clause).toHaveNo(`brands beside ${expected}`, strange)
        const others = valuesOf(answer, 'product_type').filter(one => one !== product_type)
        expect(answer, 'V1-PARK-A-CATALOG-TYPE').toHaveNo(`types beside ${product_type}`, others)
        const lacking = (whole: Exchange) => idsOf(answer).filter(id => !idsOf(whole).includes(id))
        // Products added meanwhile are in a later catalog.
        const whole = lacking(both).length === 0 ? both : await list(context, { brand })
        const missing = lacking(assume.accepted(whole, 'a catalog'))
        expect(whole, 'V1-PARK-A-CATALOG-TYPE-BOTH').toTell(`what lacks of ${product_type}`, missing, [])
      }
    }
    const named = arrange.drawn(brands, 1)
    await independently(() => judge(), ...named.map(brand => () => judge(brand)))
    const none = TYPES.filter(type => !found.has(type))
    assume(none.length === 0, `a product of type ${none.join(' and one of type ')}`)
  })

  test('answers an empty list for a brand without catalog', {
    tags: ['V1-PARK-A-CATALOG-EMPTY'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const [, brand] = arrange.adapter.brands
    assume.accepted(await list(context, { brand }), 'a catalog of the second brand')
    const by = await arrange.actor('standard', { features: { secondBrand: false } })
    const answer = await untilSupplierAnswers(
      () => by.v1.parkA.catalog({ brand }),
      'the catalog of operator A',
    )
    // If no account without the brand can be made, this one has the others' catalog.
    assume(productsOf(answer).length === 0, 'an account without a catalog of one of the brands')
    expect(answer).toHaveStatus(200)
    expect(answer).toTell('the body', answer.response.json, [])
  })
})
