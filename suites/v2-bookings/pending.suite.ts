import {
  book,
  bookAnother,
  bookOnce,
  bookWith,
  by,
  cancel,
  describe,
  EVERY_KIND,
  find,
  getVoucher,
  pair,
  price,
  read,
  repeat,
  settled,
  story,
  supplier,
  vouchersPublished,
} from '../../fixtures/test.ts'

const needs = ['control:outcome', 'control:clock'] as const

describe('a booking whose result is unknown', () => {
  story(
    [
      supplier('does not answer, booked'),
      book,
      bookAnother,
      read,
      cancel,
      getVoucher,
      repeat,
      repeat,
      read,
      cancel({ reason: 'Avión cancelado' }),
      getVoucher,
      read,
      settled,
      read,
      read,
      repeat,
      repeat('with another reference'),
      repeat,
      vouchersPublished,
      read,
      getVoucher,
      cancel,
      getVoucher,
    ],
    {
      for: [
        'V2-PENDING-STATUS',
        'V2-PENDING-STATE',
        'V2-PENDING-ID',
        'V2-PENDING-CURRENCY',
        'V2-PENDING-TOTAL',
        'V2-PENDING-ITEMS',
        'V2-PENDING-VOUCHER-STATUS',
        'V2-PENDING-READ',
        'V2-PENDING-CANCEL',
        'V2-PENDING-CANCEL-UNCHANGED',
        'V2-PENDING-VOUCHER',
        'V2-PENDING-SETTLES-CONFIRMED',
        'V2-PENDING-SETTLES-FULL',
        'V2-IDEM-PENDING-STATUS',
        'V2-IDEM-PENDING-SAME-BOOKING',
        'V2-IDEM-PENDING-THEN-REPLAY',
        'V2-IDEM-REPLAY-FLAG',
        'V2-IDEM-REUSED-REFERENCE',
        'V2-BOOKING-REFERENCE',
        'V2-VOUCHER-CANCELLED',
        'V2-BOOKING-CREATED-NOW',
        'V2-ERR-STATUS-NOT-CANCELLABLE',
        'V2-ERR-STATUS-VOUCHER-NOT-READY',
      ],
      opportunistic: [
        'V2-CANCEL-ACCEPTED',
        'V2-BOOK-READ-SAME',
        'V2-VOUCHER-READY',
        'V2-VOUCHER-PUBLISHED',
        'V2-VOUCHER-PUBLISHED-DOWNLOAD',
      ],
      needs,
      over: { items: ['1', '2'], mode: ['test', 'live'] },
    },
  )

  story(
    [
      supplier('does not answer, booked'),
      book,
      by('another company', cancel),
      repeat('with another reference'),
      read,
      settled,
      read,
    ],
    {
      for: ['TENANCY-V2-CANCEL-UNCHANGED', 'V2-IDEM-REUSED-REFERENCE'],
      needs: [...needs, 'role:otherCompany'],
      kinds: EVERY_KIND,
    },
  )

  story([supplier('does not answer, booked'), book, settled, repeat, read, bookAnother, cancel], {
    for: ['V2-IDEM-PENDING-THEN-REPLAY', 'V2-CANCEL-ACCEPTED'],
    needs,
    kinds: EVERY_KIND,
  })

  story(
    [
      supplier('does not answer, booked'),
      book,
      price('rises'),
      settled,
      read,
      repeat,
      bookWith('another key'),
    ],
    {
      for: ['V2-OFFER-CARRIES-PRICE', 'V2-IDEM-REPLAY-PRICE-MOVED'],
      needs: [...needs, 'control:price'],
    },
  )
})

describe('a booking that failed', () => {
  story(
    [
      supplier('does not answer, not booked'),
      book,
      settled,
      read,
      cancel,
      read,
      cancel({ reason: 'Avión cancelado' }),
      read,
      getVoucher,
      repeat,
    ],
    {
      for: [
        'V2-PENDING-SETTLES-FAILED',
        'V2-FAILED-CANCEL',
        'V2-FAILED-CANCEL-UNCHANGED',
        'V2-FAILED-VOUCHER',
        'V2-FAILED-REBOOK-SAME-KEY',
      ],
      needs,
      over: { items: ['1', '2'] },
    },
  )

  for (const [clause, again] of [
    ['V2-FAILED-REBOOK-SAME-KEY', repeat()],
    ['V2-FAILED-REBOOK-NEW-KEY', bookWith('another key')],
  ] as const)
    for (const items of ['1', '2'] as const)
      pair(`it can be booked again: ${again.title}, ${items === '1' ? 'one item' : 'two items'}`, {
        for: [clause],
        // The other offer is found before the wait, too: prices move meanwhile, and offers expire.
        given: [supplier('does not answer, not booked'), bookOnce, find, settled, read],
        act: { with: again, without: bookOnce },
        needs,
        over: { items: [items] },
      })
})
