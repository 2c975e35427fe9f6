import { describe, story } from '../../fixtures/test.ts'

describe('what the offer of a ticket carries', () => {
  story('find, check, book the checked offer, book', {
    for: [
      'V2-OFFER-CARRIES-PRODUCT',
      'V2-OFFER-CARRIES-DATE',
      'V2-OFFER-CARRIES-PAX',
      'V2-OFFER-CARRIES-PRICE',
      'V2-OFFER-CARRIES-CURRENCY',
    ],
    over: { people: ['one', 'children', 'family'] },
    kinds: ['parkA', 'parkB'],
  })

  // Only operator B's tickets show slots.
  story('find a later slot, check, check, book, book the checked offer, again, read, read', {
    for: [
      'V2-OFFER-CHECK-OK',
      'V2-OFFER-CHECK-ORIGINAL-BOOKABLE',
      'V2-OFFER-CHECK-CHECKED-BOOKABLE',
      'V2-OFFER-CARRIES-TIME',
      'V2-IDEM-REPLAY-SAME-BOOKING',
    ],
    kinds: ['parkB'],
  })

  // Two slots of one booking must not be confused.
  story('find a later slot, book once', {
    for: ['V2-OFFER-CARRIES-TIME'],
    over: { items: ['1', '2'] },
    kinds: ['parkB'],
  })

  story('find a later slot, [price rises], book, check, book the current offer', {
    for: ['V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-BOOK'],
    kinds: ['parkB'],
  })

  story('find, [price rises], book, check, book the current offer', {
    for: ['V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-BOOK'],
    over: { people: ['children', 'family'] },
    kinds: ['parkA', 'parkB'],
  })
})
