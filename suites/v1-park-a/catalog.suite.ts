import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import type { ParkACheck } from '../../fixtures/check/v1/index.ts'
import { type JsonObject, objects, textOf } from '../../fixtures/contracts/index.ts'
import { clausesAbout, ParkAProduct } from '../../fixtures/service/index.ts'
import { assume, describe, type Exchange, independently, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-park-a')

const list = ({ v1 }: ParkACheck, body: JsonObject) =>
  untilSupplierAnswers(() => v1.parkA.catalog(body), 'the catalog of operator A')

const productsOf = ({ response }: Exchange): JsonObject[] => objects(response.json)

const idsOf = (answer: Exchange) => productsOf(answer).map(({ product_id }) => textOf(product_id))

const isSame = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort())

const isEmptyList = ({ response: { status, json } }: Exchange) =>
  status === 200 && Array.isArray(json) && json.length === 0

const TYPES = ['ThemePark', 'SpecialEvent']

const listed = (ids: readonly unknown[]) => ids.slice(0, 5).join(', ') || 'none'

describe('POST /api/v1/parkA/getTickets', () => {
  test('lists the products of one brand, the first where none is named', {
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
  }, async context => {
    const { arrange, claim } = context
    const { brands } = arrange.adapter
    const unnamed = assume.accepted(await list(context, {}), 'a catalog')
    const stated = productsOf(unnamed).map(product => product.brand)
    const catalogs: { brand: string; answer: Exchange }[] = []
    for (const brand of brands) {
      const answer = await list(context, { brand })
      // If the first code is the documented one, so is the second: an account without it gets an empty list.
      const isKnown = stated.includes(brand) || stated.includes(brands[0])
      claim('V1-PARK-A-CATALOG-BRAND', answer.response.status !== 400 || !isKnown, {
        tried: `Listing ${brand}, one of the two brands`,
        expected: 'products of that brand, or none',
        exchanges: [unnamed, answer],
      })
      catalogs.push({ brand, answer: assume.accepted(arrange.offered(answer), 'a catalog') })
    }
    for (const { brand, answer } of catalogs) {
      const others = productsOf(answer).filter(product => product.brand !== brand)
      const unknown = others.filter(product => !brands.includes(textOf(product.brand)))
      claim('V1-PARK-A-PRODUCT-BRAND', unknown.length === 0, {
        tried: `Listing ${brand}`,
        expected: `${brands.join(' or ')} as brand of each product`,
        observed: listed(unknown.map(product => product.brand)),
        answer,
      })
      claim('V1-PARK-A-CATALOG-BRAND', others.length === 0, {
        tried: `Listing ${brand}`,
        expected: 'products of that brand alone',
        observed: listed(others.map(product => product.brand)),
        answer,
      })
    }
    const all = catalogs.flatMap(({ answer }) => [...new Set(idsOf(answer))])
    const shared = all.filter((id, at) => all.indexOf(id) !== at)
    claim('V1-PARK-A-PRODUCT-ONE-BRAND', shared.length === 0, {
      tried: 'Listing every brand',
      expected: 'each product_id under one of them',
      observed: listed(shared),
      exchanges: catalogs.map(({ answer }) => answer),
    })
    const { brand, answer } = catalogs[0]!
    if (!isSame(idsOf(unnamed), idsOf(answer))) {
      // Unless the catalog changed meanwhile.
      assume(isSame(idsOf(answer), idsOf(await list(context, { brand }))), 'a catalog that stays the same')
    }
    claim('V1-PARK-A-CATALOG-BRAND-DEFAULT', isSame(idsOf(unnamed), idsOf(answer)), {
      tried: 'Listing products without a brand',
      expected: `those of ${brand}: ${listed(idsOf(answer))}`,
      observed: listed(idsOf(unnamed)),
      exchanges: [answer, unnamed],
    })
  })

  test('lists the parks of a product as text where it lists them', {
    tags: ['V1-PARK-A-PRODUCT-PARKS'],
  }, async context => {
    const { brands } = context.arrange.adapter
    for (const brand of brands) {
      const answer = assume.accepted(await list(context, { brand }), 'a catalog')
      if (productsOf(answer).some(({ parks }) => parks != null)) return
    }
    assume(false, 'a product of operator A that lists its parks')
  })

  test('lists the products of one type, or of both', {
    tags: [
      'V1-PARK-A-CATALOG-TYPE',
      'V1-PARK-A-CATALOG-TYPE-BOTH',
      'V1-PARK-A-CATALOG-BRAND',
      'V1-PARK-A-CATALOG-BRAND-DEFAULT',
    ],
  }, async context => {
    const { arrange, claim } = context
    const { brands } = arrange.adapter
    const found = new Set<string>()
    const judge = async (brand?: string) => {
      const both = assume.accepted(await list(context, { brand }), 'a catalog')
      for (const product_type of TYPES) {
        const asked = await list(context, { brand, product_type })
        const isListed = productsOf(both).some(product => product.product_type === product_type)
        claim('V1-PARK-A-CATALOG-TYPE', asked.response.status !== 400 || !isListed, {
          tried: `Listing ${product_type}, a type that is listed`,
          expected: 'products of that type',
          exchanges: [both, asked],
        })
        const answer = assume.accepted(asked, 'a catalog')
        if (productsOf(answer).length === 0) continue
        found.add(product_type)
        const [expected, clause] =
          brand === undefined
            ? ([brands[0], 'V1-PARK-A-CATALOG-BRAND-DEFAULT'] as const)
            : ([brand, 'V1-PARK-A-CATALOG-BRAND'] as const)
        const strange = productsOf(answer).filter(product => product.brand !== expected)
        claim(clause, strange.length === 0, {
          tried: `Listing products of type ${product_type} ${brand === undefined ? 'without a brand' : `of ${brand}`}`,
          expected: `products of ${expected} alone`,
          observed: listed(strange.map(product => product.brand)),
          answer,
        })
        const others = productsOf(answer).filter(product => product.product_type !== product_type)
        claim('V1-PARK-A-CATALOG-TYPE', others.length === 0, {
          tried: `Listing products of type ${product_type}`,
          expected: 'products of that type alone',
          observed: listed(others.map(product => product.product_type)),
          answer,
        })
        const lacking = (whole: Exchange) => idsOf(answer).filter(id => !idsOf(whole).includes(id))
        // Products added meanwhile are in a later catalog.
        const whole = lacking(both).length === 0 ? both : await list(context, { brand })
        const missing = lacking(assume.accepted(whole, 'a catalog'))
        claim('V1-PARK-A-CATALOG-TYPE-BOTH', missing.length === 0, {
          tried: 'Listing products without a type',
          expected: `those of type ${product_type} among them`,
          observed: `without ${listed(missing)}`,
          exchanges: [answer, whole],
        })
      }
    }
    const named = arrange.drawn(brands, 1)
    await independently(() => judge(), ...named.map(brand => () => judge(brand)))
    const none = TYPES.filter(type => !found.has(type))
    assume(none.length === 0, `a product of type ${none.join(' and one of type ')}`)
  })

  test('lists nothing for a brand without catalog', { tags: ['V1-PARK-A-CATALOG-EMPTY'] }, async context => {
    const { arrange, claim } = context
    const [, brand] = arrange.adapter.brands
    const ordinary = assume.accepted(await list(context, { brand }), 'a catalog of the second brand')
    const by = await arrange.actor('standard', { features: { secondBrand: false } })
    const answer = await untilSupplierAnswers(
      () => by.v1.parkA.catalog({ brand }),
      'the catalog of operator A',
    )
    // If no account without the brand can be made, this one has the others' catalog.
    assume(productsOf(answer).length === 0, 'an account without a catalog of one of the brands')
    claim('V1-PARK-A-CATALOG-EMPTY', isEmptyList(answer), {
      tried: `Listing ${brand} as an account that has no catalog of it`,
      expected: '200 with []',
      exchanges: [ordinary, answer],
    })
  })
})
