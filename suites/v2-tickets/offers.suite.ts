import { book, bookOnce, check, describe, find, price, read, repeat, story } from '../../fixtures/test.ts'

// Only operator B's tickets show slots.
describe('the offer of a ticket for a later time slot', () => {
  story(
    [find('a later time slot'), check, check, book, book('the checked offer'), repeat, read, read, read],
    {
      for: [
        'V2-OFFER-CHECK-OK',
        'V2-OFFER-CHECK-ORIGINAL-BOOKABLE',
        'V2-OFFER-CHECK-CHECKED-BOOKABLE',
        'V2-OFFER-CARRIES-TIME',
        'V2-IDEM-REPLAY-SAME-BOOKING',
      ],
      kinds: ['parkB'],
    },
  )

  // Two slots of one booking must not be confused.
  story([find('a later time slot'), bookOnce], {
    for: ['V2-OFFER-CARRIES-TIME'],
    over: { items: ['2'] },
    kinds: ['parkB'],
  })

  story([find('a later time slot'), price('rises'), book, check, book('the current offer')], {
    for: ['V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-BOOK', 'V2-OFFER-CARRIES-TIME'],
    kinds: ['parkB'],
  })
})
