import { describe, EVERY_KIND, story } from '../../fixtures/test.ts'

const OTHERS =
  'read by another company, get voucher by another company, cancel by another company, read by an anonymous client, get voucher by an anonymous client'
const COLLEAGUE = 'read by colleague, get voucher by colleague'
const REPEATS =
  'repeat, repeat, use another kind, repeat, check, use another kind, repeat with another reference, use another kind, repeat, repeat'
const READS = `read, use another kind, read, use another kind, get voucher, ${COLLEAGUE}`
const GONE = 'cancel, read, get voucher, use another kind, cancel, read, get voucher'
const AFTERWARDS = `${COLLEAGUE}, cancel by colleague, ${OTHERS}, repeat with another reference, repeat, repeat by colleague`
const LATER = `[26 hours pass], [26 hours pass] by another company, cancel, read, get voucher, ${OTHERS}`

/** All that can happen to a booking, once it is confirmed. */
const LIFE = `[its voucher is ready], ${OTHERS}, ${REPEATS}, [11 minutes pass], [11 minutes pass] by another company, ${READS}, cancel with a list, [supplier refuses the cancellation], cancel, read, use another kind, get voucher, cancel, ${GONE}, ${AFTERWARDS}, ${LATER}`

const ASKED = 'read, read by another company, get voucher by another company, get voucher'

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

describe('the whole life of a booking', () => {
  story('made of checked offers, with a live credential', {
    steps: `book, ${LIFE}`,
    for: WHOLE_LIFE,
    opportunistic: OF_SOME_LIVES,
    needs: ['control:mint', 'control:clock', 'control:outcome'],
    over: { items: ['3'], checked: ['checked'], mode: ['live'], reference: ['given'] },
  })

  story('made of two items, with an unknown result at first', {
    steps: `[supplier does not answer, booked], book, [its result becomes known], read, ${LIFE}`,
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

  story('a day later, and after its own date', {
    steps: `book, [26 hours pass], [26 hours pass] by another company, ${ASKED}, [200 days pass], [200 days pass] by another company, ${ASKED}`,
    for: ['V2-BOOK-READ-SAME', 'V2-BOOKING-STATUS', 'TENANCY-V2-READ', 'TENANCY-V2-VOUCHER'],
    needs: ['control:mint', 'control:clock'],
    kinds: EVERY_KIND,
  })
})
