import { describe, EVERY_KIND, EVERY_SORT, story, test } from '../../fixtures/test.ts'

const PEOPLE = ['one', 'several', 'children', 'infants'] as const
const OF_A_DAY = ['transfers', 'parkA', 'parkB'] as const

describe('POST /api/v2/offers/check', () => {
  story('find, check, check the checked offer, check, book, book the checked offer', {
    for: [
      'V2-OFFER-CHECK-OK',
      'V2-OFFER-CHECK-NEW',
      'V2-OFFER-CHECK-STAGE',
      'V2-OFFER-CHECK-OFFER-ID',
      'V2-OFFER-CHECK-EXPIRES-AT',
      'V2-OFFER-CHECK-POLICY',
      'V2-OFFER-CHECK-CONDITIONS',
      'V2-OFFER-CHECK-ALTERNATIVES',
      'V2-OFFER-CHECK-REQUEST-ID',
      'V2-OFFER-CHECK-ORIGINAL-BOOKABLE',
      'V2-OFFER-CHECK-CHECKED-BOOKABLE',
      'CACHE-V2-OFFER-CHECK',
    ],
    over: { people: PEOPLE },
    kinds: EVERY_SORT,
  })

  for (const [kinds, clause] of [
    [['transfers'], 'V2-OFFER-CHECK-ALTERNATIVES-TRANSFER'],
    [['parkA', 'parkB'], 'V2-OFFER-CHECK-ALTERNATIVES-TICKET'],
  ] as const)
    story('find, check, check', { for: [clause], over: { people: ['one', 'children'] }, kinds })

  story('find, check each', {
    for: ['FORMAT-V2-KEYS-OFFER-CHECK', 'FORMAT-V2-AMOUNT-OFFER-CHECK', 'FORMAT-V2-CURRENCY-OFFER-CHECK'],
    over: { items: ['1', '2'] },
    kinds: EVERY_KIND,
  })

  // Of hotels, those of resorts alone need to have one.
  story('find, check', {
    for: ['FORMAT-V2-TIMESTAMP-CHECKED-EXPIRES-AT'],
    kinds: [...OF_A_DAY, 'resortHotels'],
  })

  story('find, book', { for: ['V2-BOOK-UNCHECKED'], over: { people: PEOPLE }, kinds: EVERY_KIND })

  test('an offer_id in the URL is not taken', {
    tags: ['V2-OFFER-CHECK-NOT-IN-URL'],
    kinds: 'any',
  }, async ({ send, act, arrange, expect }) => {
    const offer = await arrange.offer()
    await act.checked('the same offer in the body', offer)
    const answer = await send({
      method: 'POST',
      path: `/api/v2/offers/check?offer_id=${encodeURIComponent(offer.offerId)}`,
      body: '{}',
    })
    expect(answer).toFailWith('VALIDATION_ERROR')
  })
})

describe('what an offer carries', () => {
  for (const [kinds, more] of [
    [OF_A_DAY, ['V2-OFFER-CARRIES-PRODUCT', 'V2-OFFER-CARRIES-PAX']],
    // What the item of a room shows decides about its people and product.
    [['hotels'], []],
  ] as const)
    story('find, check, book, book the checked offer', {
      for: ['V2-OFFER-CARRIES-DATE', 'V2-OFFER-CARRIES-PRICE', 'V2-OFFER-CARRIES-CURRENCY', ...more],
      over: { people: PEOPLE },
      kinds,
    })

  story('find, check, book', {
    for: ['V2-BOOKING-PRODUCT-TYPE-TRANSFER', 'V2-BOOKING-LOGISTICS'],
    over: { people: PEOPLE },
    kinds: ['transfers'],
  })

  story('find, book', {
    for: ['V2-OFFER-CARRIES-DATE', 'V2-OFFER-CARRIES-PRICE'],
    over: { items: ['2', '3'], checked: ['as-found', 'checked'] },
    kinds: EVERY_SORT,
  })
})
