import {
  book,
  by,
  cancel,
  describe,
  EVERY_KIND,
  getVoucher,
  read,
  repeat,
  story,
} from '../../fixtures/test.ts'

describe('the life of a booking', () => {
  story([book, repeat, repeat, read, cancel, read, read, repeat], {
    for: [
      'V2-IDEM-REPLAY-STATUS',
      'V2-IDEM-REPLAY-FLAG',
      'V2-IDEM-REPLAY-SAME-BOOKING',
      'V2-IDEM-READ-NOT-REPLAY',
      'V2-BOOK-READ-SAME',
      'V2-CANCEL-ACCEPTED',
      'V2-CANCEL-ANSWER',
      'V2-CANCEL-NOT-ALREADY',
      'V2-CANCEL-READ',
      'V2-CANCEL-ITEMS-KEPT',
      'V2-BOOKING-STATUS',
      'V2-IDEM-REPLAY-CANCELLED',
      'CACHE-V2-CANCEL',
      'CACHE-V2-READ',
      'CACHE-V2-BOOK',
    ],
    opportunistic: ['V2-BOOKING-REFERENCE'],
    over: {
      items: ['1', '2', '3'],
      checked: ['as-found', 'checked'],
      mode: ['test', 'live'],
      people: ['one', 'several', 'children'],
      reference: ['none', 'given'],
    },
  })

  story(
    [
      book,
      cancel,
      cancel,
      repeat,
      cancel({}),
      repeat,
      cancel({ reason: 'Avión cancelado' }),
      read,
      getVoucher,
    ],
    {
      for: [
        'V2-CANCEL-AGAIN-STATUS',
        'V2-CANCEL-AGAIN-FLAG',
        'V2-CANCEL-AGAIN-UNCHANGED',
        'V2-VOUCHER-CANCELLED',
        'V2-IDEM-REPLAY-CANCELLED',
        'V2-CANCEL-ITEMS-KEPT',
        'CACHE-V2-CANCEL',
      ],
      over: { items: ['1', '2', '3'], mode: ['test', 'live'] },
    },
  )

  story(
    [
      book,
      by('another company', read, getVoucher, cancel),
      by('an anonymous client', read, getVoucher),
      read,
      repeat,
    ],
    {
      for: [
        'TENANCY-V2-READ',
        'TENANCY-V2-VOUCHER',
        'TENANCY-V2-CANCEL',
        'TENANCY-V2-CANCEL-UNCHANGED',
        'AUTH-V2-READ',
        'AUTH-V2-VOUCHER',
      ],
      needs: ['role:otherCompany'],
      kinds: EVERY_KIND,
    },
  )

  story([book, cancel, read], {
    for: ['V2-CANCEL-ITEMS-OVER', 'V2-CANCEL-ITEMS-KEPT'],
    over: { items: ['3'] },
  })

  story([book, repeat('with another reference'), repeat], {
    for: ['V2-IDEM-REUSED-REFERENCE', 'V2-IDEM-REUSED-KEEPS', 'V2-ERR-STATUS-IDEMPOTENCY-KEY-REUSED'],
    over: { items: ['1', '2'], mode: ['test', 'live'], reference: ['given'] },
  })
})
