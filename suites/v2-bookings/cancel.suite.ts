import { describe, EVERY_KIND, story } from '../../fixtures/test.ts'

const ITEMS = { items: ['1', '2'], mode: ['test', 'live'] } as const

describe('POST /api/v2/bookings/{booking_id}/cancel', () => {
  for (const [step, clause] of [
    ['cancel', 'V2-CANCEL-NO-BODY'],
    ['cancel with a Content-Type and no body', 'V2-CANCEL-NO-BODY-DECLARED'],
    ['cancel with an empty object', 'V2-CANCEL-EMPTY-OBJECT'],
    ['cancel with X-Test-Mode true', 'TEST-MODE-HEADER-CANCEL'],
    ['cancel with a reason', 'V2-CANCEL-REASON'],
  ] as const)
    story(`book, ${step}, read`, { for: [clause], kinds: EVERY_KIND, over: ITEMS })

  story(
    'book, cancel with a list, cancel with a string, cancel with a number, cancel with a list of an object, cancel with true, cancel with false, cancel with zero, cancel with an empty string, read, cancel with a number as reason, read, cancel',
    {
      for: [
        'V2-CANCEL-NOT-OBJECT',
        'V2-CANCEL-NOT-OBJECT-UNCHANGED',
        'V2-VALIDATION-ERRORS',
        'V2-ERR-STATUS-VALIDATION-ERROR',
        'V2-INVALID-NOT-5XX',
      ],
    },
  )

  story(
    'book, [supplier fails to cancel], cancel, read, [supplier is unavailable to cancel], cancel, read, cancel, read',
    {
      for: ['V2-CANCEL-READ'],
      needs: ['control:outcome'],
    },
  )

  story('book, [its voucher is ready], [supplier cancels in part], cancel, read, get voucher, read, repeat', {
    for: ['V2-CANCEL-PARTIAL', 'V2-CANCEL-PARTIAL-ITEMS', 'V2-ERR-STATUS-CANCELLATION-PARTIAL'],
    opportunistic: ['V2-IDEM-REPLAY-STATUS', 'V2-IDEM-REPLAY-SAME-BOOKING', 'V2-VOUCHER-READY'],
    needs: ['control:outcome'],
    over: { items: ['2', '3'], mode: ['test', 'live'] },
  })

  story(
    'book, [its voucher is ready], [supplier refuses the cancellation], cancel, read, read, get voucher, [supplier refuses the cancellation], cancel with a reason, read, cancel, read',
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
