import { describe, EVERY_KIND, story } from '../../fixtures/test.ts'

const OTHERS =
  'read by another company, voucher by another company, cancel by another company, read by nobody, voucher by nobody'
const COLLEAGUE = 'read by colleague, voucher by colleague'
const REPEATS =
  'again, again, use another kind, again, check, use another kind, again with another reference, use another kind, again, again'
const READS = `read, use another kind, read, use another kind, voucher, ${COLLEAGUE}`
const GONE = 'cancel, read, voucher, use another kind, cancel, read, voucher'
const AFTERWARDS = `${COLLEAGUE}, cancel by colleague, ${OTHERS}, again with another reference, again, again by colleague`
const LATER = `[a day passes], [a day passes] by another company, cancel, read, voucher, ${OTHERS}`

/** All that can happen to a booking, once it is confirmed. */
const LIFE = `[its voucher is ready], ${OTHERS}, ${REPEATS}, [minutes pass], [minutes pass] by another company, ${READS}, cancel with a list, [source refuses the cancellation], cancel, read, use another kind, voucher, cancel, ${GONE}, ${AFTERWARDS}, ${LATER}`

const ASKED = 'read, read by another company, voucher by another company, voucher'

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
] as const
const OF_SOME_LIVES = ['V2-VOUCHER-READY', 'V2-OFFER-CHECK-OK', 'V2-IDEM-COMPANY-SHARED'] as const

describe('a booking in all that can happen to it', () => {
  story('made of checked offers, for real where that is free', {
    steps: `book, ${LIFE}`,
    for: WHOLE_LIFE,
    opportunistic: OF_SOME_LIVES,
    needs: ['control:mint', 'control:clock', 'control:outcome'],
    over: { items: ['3'], checked: ['checked'], mode: ['live'], reference: ['given'] },
  })

  story('made of two items without an answer at first', {
    steps: `[source does not answer, booked], book, [it settles], read, ${LIFE}`,
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

  story('a day later, and when its own day is past', {
    steps: `book, [a day passes], [a day passes] by another company, ${ASKED}, [half a year passes], [half a year passes] by another company, ${ASKED}`,
    for: ['V2-BOOK-READ-SAME', 'V2-BOOKING-STATUS', 'TENANCY-V2-READ', 'TENANCY-V2-VOUCHER'],
    needs: ['control:mint', 'control:clock'],
    kinds: EVERY_KIND,
  })
})
