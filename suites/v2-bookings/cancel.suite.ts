import {
  book,
  cancel,
  describe,
  EVERY_KIND,
  getVoucher,
  having,
  read,
  repeat,
  story,
  supplier,
  voucherIsReady,
} from '../../fixtures/test.ts'

const ITEMS = { items: ['1', '2', '3'], mode: ['test', 'live'] } as const

describe('POST /api/v2/bookings/{booking_id}/cancel', () => {
  for (const [step, clause] of [
    [cancel, 'V2-CANCEL-NO-BODY'],
    [having('Content-Type', 'application/json', cancel), 'V2-CANCEL-NO-BODY-DECLARED'],
    [cancel({}), 'V2-CANCEL-EMPTY-OBJECT'],
    [having('X-Test-Mode', 'true', cancel), 'TEST-MODE-HEADER-CANCEL'],
    [
      having('Content-Type', 'application/json; charset=utf-8', cancel({ reason: 'Avión cancelado' })),
      'V2-CANCEL-REASON',
    ],
  ] as const)
    story([book, step, read], { for: [clause], kinds: EVERY_KIND, over: ITEMS })

  story(
    [
      book,
      cancel([]),
      cancel('"changed my mind"'),
      cancel(5),
      cancel([{ reason: 'x' }]),
      cancel(true),
      cancel(false),
      cancel(0),
      cancel('""'),
      read,
      cancel('null'),
      read,
      cancel({ reason: 5 }),
      read,
      cancel,
    ],
    {
      for: [
        'V2-CANCEL-NOT-OBJECT',
        'V2-CANCEL-NOT-OBJECT-UNCHANGED',
        'V2-CANCEL-NULL',
        'V2-VALIDATION-ERRORS',
        'V2-ERR-STATUS-VALIDATION-ERROR',
        'V2-INVALID-NOT-5XX',
      ],
    },
  )

  story(
    [
      book,
      supplier('fails to cancel'),
      cancel,
      read,
      supplier('is unavailable to cancel'),
      cancel,
      read,
      cancel,
      read,
    ],
    {
      for: ['V2-CANCEL-READ'],
      needs: ['control:outcome'],
    },
  )

  story([book, voucherIsReady, supplier('cancels in part'), cancel, read, getVoucher, read, repeat], {
    for: ['V2-CANCEL-PARTIAL', 'V2-CANCEL-PARTIAL-ITEMS', 'V2-ERR-STATUS-CANCELLATION-PARTIAL'],
    opportunistic: ['V2-IDEM-REPLAY-STATUS', 'V2-IDEM-REPLAY-SAME-BOOKING', 'V2-VOUCHER-READY'],
    needs: ['control:outcome'],
    over: { items: ['3', '2'], mode: ['test', 'live'] },
  })

  story(
    [
      book,
      voucherIsReady,
      supplier('refuses the cancellation'),
      cancel,
      read,
      read,
      getVoucher,
      supplier('refuses the cancellation'),
      cancel({ reason: 'Avión cancelado' }),
      read,
      cancel,
      read,
    ],
    {
      for: [
        'V2-CANCEL-REJECTED',
        'V2-CANCEL-REJECTED-UNCHANGED',
        'V2-ERR-STATUS-CANCELLATION-REJECTED',
        'V2-VOUCHER-READY-STAYS',
      ],
      needs: ['control:outcome'],
      over: ITEMS,
    },
  )
})
