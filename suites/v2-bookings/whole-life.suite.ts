import {
  book,
  by,
  cancel,
  check,
  describe,
  EVERY_KIND,
  getVoucher,
  pass,
  read,
  repeat,
  settled,
  story,
  supplier,
  useAnotherKind,
  voucherIsReady,
} from '../../fixtures/test.ts'

const OTHERS = [by('another company', read, getVoucher, cancel), by('an anonymous client', read, getVoucher)]
const COLLEAGUE = [by('colleague', read, getVoucher)]
const REPEATS = [
  repeat,
  repeat,
  useAnotherKind,
  repeat,
  check,
  useAnotherKind,
  repeat('with another reference'),
  useAnotherKind,
  repeat,
  repeat,
]
const READS = [read, useAnotherKind, read, useAnotherKind, getVoucher, ...COLLEAGUE]
const GONE = [cancel, read, getVoucher, useAnotherKind, cancel, read, getVoucher]
const AFTERWARDS = [
  ...COLLEAGUE,
  by('colleague', cancel),
  ...OTHERS,
  repeat('with another reference'),
  repeat,
  by('colleague', repeat),
]
const LATER = [
  pass({ hours: 26 }),
  by('another company', pass({ hours: 26 })),
  cancel,
  read,
  getVoucher,
  ...OTHERS,
]

/** All that can happen to a booking, once it is confirmed. */
const LIFE = [
  voucherIsReady,
  ...OTHERS,
  ...REPEATS,
  pass({ minutes: 11 }),
  by('another company', pass({ minutes: 11 })),
  ...READS,
  cancel([]),
  supplier('refuses the cancellation'),
  cancel,
  read,
  useAnotherKind,
  getVoucher,
  cancel,
  ...GONE,
  ...AFTERWARDS,
  ...LATER,
]

const ASKED = [read, by('another company', read, getVoucher), getVoucher]

/** Clauses that hold for every booking, whatever its product and owner. */
const WHOLE_LIFE = [
  'V2-BOOK-READ-SAME',
  'V2-CANCEL-NOT-OBJECT',
  'V2-CANCEL-AGAIN-STATUS',
  'V2-CANCEL-AGAIN-FLAG',
  'V2-CANCEL-AGAIN-UNCHANGED',
  'V2-VOUCHER-CANCELLED',
  'V2-IDEM-REPLAY-STATUS',
  'V2-IDEM-REPLAY-FLAG',
  'V2-IDEM-REPLAY-SAME-BOOKING',
  'V2-IDEM-REPLAY-CANCELLED',
  'V2-IDEM-REUSED-REFERENCE',
  'V2-IDEM-REUSED-KEEPS',
  'AUTH-V2-READ',
  'AUTH-V2-VOUCHER',
  'TENANCY-V2-READ',
  'TENANCY-V2-CANCEL',
  'TENANCY-V2-VOUCHER',
  'REQUEST-ALIKE-V2',
] as const
const OF_SOME_LIVES = ['V2-VOUCHER-READY', 'V2-OFFER-CHECK-OK', 'V2-IDEM-COMPANY-SHARED'] as const

describe('the whole life of a booking', () => {
  story([book, ...LIFE], {
    title: 'made of checked offers, with a live credential',
    for: WHOLE_LIFE,
    opportunistic: OF_SOME_LIVES,
    needs: ['control:mint', 'control:clock', 'control:outcome'],
    over: { items: ['3'], checked: ['checked'], mode: ['live'], reference: ['given'] },
  })

  story([supplier('does not answer, booked'), book, settled, read, ...LIFE], {
    title: 'made of two items, with an unknown result at first',
    for: [
      'V2-PENDING-CURRENCY',
      'V2-PENDING-TOTAL',
      'V2-PENDING-ITEMS',
      'V2-PENDING-VOUCHER-STATUS',
      'V2-PENDING-SETTLES-FULL',
      'V2-IDEM-PENDING-THEN-REPLAY',
      ...WHOLE_LIFE.filter(clause => clause !== 'V2-IDEM-REPLAY-STATUS'),
    ],
    opportunistic: OF_SOME_LIVES,
    needs: ['control:mint', 'control:clock', 'control:outcome'],
    kinds: EVERY_KIND,
    over: { items: ['2'], mode: ['live'], reference: ['given'] },
  })

  story(
    [
      book,
      pass({ hours: 26 }),
      by('another company', pass({ hours: 26 })),
      ...ASKED,
      pass({ days: 200 }),
      by('another company', pass({ days: 200 })),
      ...ASKED,
    ],
    {
      title: 'a day later, and after its own date',
      for: ['V2-BOOK-READ-SAME', 'V2-BOOKING-STATUS', 'TENANCY-V2-READ', 'TENANCY-V2-VOUCHER'],
      needs: ['control:mint', 'control:clock'],
      kinds: EVERY_KIND,
    },
  )
})
