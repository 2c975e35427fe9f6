import {
  book,
  bookOnce,
  bookWithItsReference,
  describe,
  find,
  getVoucher,
  read,
  story,
} from '../../fixtures/test.ts'

describe('POST /api/v2/bookings', () => {
  story([find, book], {
    for: [
      'V2-BOOK-CREATED-STATUS',
      'V2-BOOK-CREATED-CONFIRMED',
      'V2-IDEM-FIRST-NOT-REPLAY',
      'V2-BOOKING-WRAPPED-CREATE',
      'V2-BOOKING-REQUEST-ID-CREATE',
      'V2-BOOKING-ID',
      'V2-BOOKING-STATUS',
      'V2-BOOKING-CREATED-AT',
      'V2-BOOKING-CURRENCY',
      'V2-BOOKING-TOTAL',
      'V2-BOOKING-TOTAL-ITEM',
      'V2-BOOKING-ITEMS',
      'V2-BOOKING-ITEMS-COMPLETE',
      'V2-BOOKING-ITEM-ID',
      'V2-BOOKING-ITEM-TIME-SLOT',
      'V2-BOOKING-VOUCHER',
      'V2-BOOKING-VOUCHER-STATUS',
      'V2-BOOKING-TEST-MODE',
      'FORMAT-V2-TIMESTAMP-CREATED-AT',
      'V2-BOOKING-CREATED-NOW',
      'FORMAT-V2-AMOUNT-BOOKING-TOTAL',
      'FORMAT-V2-CURRENCY-BOOKING',
      'CACHE-V2-BOOK',
      'V2-BOOK-REFERENCE-OPTIONAL',
      'V2-BOOKING-REFERENCE',
    ],
    // The market may leave a booking pending, and items other than transfers need not show who leads them.
    opportunistic: [
      'V2-PENDING-CANCEL',
      'V2-PENDING-CANCEL-UNCHANGED',
      'V2-PENDING-VOUCHER',
      'V2-BOOKING-LEAD-TRAVELER-SENT',
    ],
    over: { reference: ['none'] },
  })

  story([find, book, read], {
    title: 'a booked transfer shows all that is written out about it',
    for: [
      'V2-BOOKING-PRODUCT',
      'V2-BOOKING-PRODUCT-TYPE',
      'V2-BOOKING-PRODUCT-ID',
      'V2-BOOKING-PRODUCT-NAME',
      'V2-BOOKING-ITEM-DATE',
      'V2-BOOKING-ITEM-PAX',
      'V2-BOOKING-ITEM-TOTAL',
      'V2-BOOKING-ITEM-STATUS',
      'V2-BOOKING-CANCELLATION',
      'V2-BOOKING-CANCELLATION-ALLOWED',
      'V2-BOOKING-CANCELLATION-DEADLINE',
      'V2-BOOKING-CANCELLATION-PENALTY',
      'V2-BOOKING-LEAD-TRAVELER',
      'V2-BOOKING-LEAD-TRAVELER-FIELDS',
      'V2-BOOKING-LEAD-TRAVELER-SENT',
      'V2-OFFER-CARRIES-DATE',
      'V2-OFFER-CARRIES-PRODUCT',
    ],
    over: { items: ['2'] },
    kinds: ['transfers'],
  })

  story([find('for one adult and for more people'), book], {
    for: ['V2-OFFER-CARRIES-PAX'],
    kinds: ['transfers', 'parkA', 'parkB'],
  })

  story([find, book, read], {
    for: [
      'V2-BOOK-CREATED-STATUS',
      'V2-BOOKING-ITEMS-COMPLETE',
      'V2-BOOKING-ITEM-ID',
      'V2-BOOKING-ITEM-ID-APART',
      'V2-BOOKING-TOTAL-SUM',
      'V2-BOOK-READ-SAME',
      'FORMAT-V2-DATE-ITEM',
      'FORMAT-V2-AMOUNT-ITEM-TOTAL',
      'FORMAT-V2-TIMESTAMP-DEADLINE',
    ],
    opportunistic: ['REQUEST-ALIKE-V2'],
    over: { items: ['2', '3'] },
  })

  story([bookOnce, read], { for: ['V2-BOOKING-ITEM-SHAPED'], kinds: ['parkA', 'parkB', 'hotels'] })

  story([book, read], { for: ['FORMAT-V2-AMOUNT-PENALTY'], kinds: ['hotels', 'resortHotels'] })

  // Several reads: a cached one may be incomplete.
  story([book, read, read, read, getVoucher], {
    for: [
      'V2-BOOK-READ-SAME',
      'V2-BOOKING-WRAPPED-READ',
      'V2-BOOKING-REQUEST-ID-READ',
      'V2-BOOKING-ID',
      'FORMAT-V2-KEYS-BOOKING',
      'CACHE-V2-READ',
      'TEST-MODE-V2-READS',
    ],
    over: { reference: ['given'], mode: ['test'] },
  })

  story([book, bookWithItsReference, read], {
    for: ['V2-BOOK-REFERENCE-REPEATS'],
    over: { reference: ['given'] },
  })
})
