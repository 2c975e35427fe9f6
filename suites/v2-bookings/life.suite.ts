import { describe, EVERY_KIND, tellAtRandom, test } from '../../fixtures/test.ts'

describe('the life of a booking', () => {
  test(
    'every random sequence of calls gets the answers of its state',
    {
      tags: ['V2-BOOK-CREATED-STATUS'],
      opportunistic: [
        'V2-BOOK-READ-SAME',
        'V2-IDEM-REPLAY-STATUS',
        'V2-IDEM-REPLAY-SAME-BOOKING',
        'V2-IDEM-PENDING-STATUS',
        'V2-IDEM-PENDING-SAME-BOOKING',
        'V2-CANCEL-ACCEPTED',
        'V2-CANCEL-AGAIN-STATUS',
        'V2-CANCEL-DEADLINE',
        'V2-CANCEL-REJECTED',
        'V2-CANCEL-PARTIAL',
        'V2-PENDING-STATUS',
        'V2-PENDING-CANCEL',
        'V2-PENDING-VOUCHER',
        'V2-PENDING-SETTLES-CONFIRMED',
        'V2-PENDING-SETTLES-FAILED',
        'V2-FAILED-CANCEL',
        'V2-FAILED-REBOOK-SAME-KEY',
        'V2-VOUCHER-CANCELLED',
        'V2-VOUCHER-NONE',
        'V2-VOUCHER-PENDING',
        'V2-VOUCHER-PUBLISHED',
        'V2-VOUCHER-READY',
        'V2-OFFER-CHECK-OK',
        'V2-OFFER-GONE-CHECK',
        'V2-OFFER-PRICE-CHECK',
      ],
      kinds: EVERY_KIND,
    },
    tellAtRandom,
  )
})
