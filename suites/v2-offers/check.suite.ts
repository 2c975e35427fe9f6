import { book, check, describe, EVERY_KIND, EVERY_SORT, find, story, test } from '../../fixtures/test.ts'

const PEOPLE = { people: ['one', 'children', 'infants'] } as const

/** What every kind of product promises of a checked offer, and of the booking of it. */
const OF_EACH = [
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
  'V2-OFFER-CARRIES-DATE',
  'V2-OFFER-CARRIES-PRICE',
  'V2-OFFER-CARRIES-CURRENCY',
  'CACHE-V2-OFFER-CHECK',
] as const

/** What the item of a room shows decides about its people and product. */
const OF_A_DAY = [
  'FORMAT-V2-TIMESTAMP-CHECKED-EXPIRES-AT',
  'V2-OFFER-CARRIES-PRODUCT',
  'V2-OFFER-CARRIES-PAX',
] as const

describe('the checked offer', () => {
  story([find, check, check('the checked offer'), check, book, book('the checked offer')], {
    for: [
      ...OF_EACH,
      ...OF_A_DAY,
      'V2-OFFER-CHECK-ALTERNATIVES-TRANSFER',
      'V2-BOOKING-PRODUCT-TYPE-TRANSFER',
      'V2-BOOKING-LOGISTICS',
    ],
    over: PEOPLE,
    kinds: ['transfers'],
  })

  story([find, check, check('the checked offer'), check, book, book('the checked offer')], {
    for: [...OF_EACH, ...OF_A_DAY, 'V2-OFFER-CHECK-ALTERNATIVES-TICKET'],
    over: PEOPLE,
    kinds: ['parkA', 'parkB'],
  })

  // Of hotels, those of resorts alone need to tell when they expire.
  story([find, check, check('the checked offer'), check, book, book('the checked offer')], {
    for: OF_EACH,
    kinds: ['hotels', 'resortHotels'],
  })

  story([find, check], { for: ['FORMAT-V2-TIMESTAMP-CHECKED-EXPIRES-AT'], kinds: ['resortHotels'] })

  story([find, check('each')], {
    for: ['FORMAT-V2-KEYS-OFFER-CHECK', 'FORMAT-V2-AMOUNT-OFFER-CHECK', 'FORMAT-V2-CURRENCY-OFFER-CHECK'],
    over: { items: ['2'] },
    kinds: EVERY_KIND,
  })

  test('an offer_id in the URL is ignored', {
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

describe('an offer booked without a check', () => {
  story([find, book], { for: ['V2-BOOK-UNCHECKED'], over: PEOPLE, kinds: EVERY_KIND })
})

describe('several offers booked without a check', () => {
  story([find, book], {
    for: ['V2-OFFER-CARRIES-DATE', 'V2-OFFER-CARRIES-PRICE'],
    over: { items: ['2', '3'] },
    kinds: EVERY_SORT,
  })
})
