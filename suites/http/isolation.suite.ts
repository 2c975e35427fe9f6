import {
  book,
  by,
  cancel,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  EVERY_V1_KIND,
  getNumber,
  getVoucher,
  order,
  read,
  settled,
  story,
  supplier,
  together,
  voucherIsReady,
  voucherWillBe,
  withId,
  withIdOfAnother,
} from '../../fixtures/test.ts'

const ASK_V2 = [read, getVoucher, cancel]
const ASK_V1 = [read, getNumber, getVoucher, cancel]

/** The clauses about orders that do not exist, and that those of others are answered alike. */
const CLAUSES = {
  'v1-hotels': {
    missing: ['V1-HOTEL-ERR-DETAIL-MISSING', 'V1-HOTEL-ERR-HCN-MISSING', 'V1-HOTEL-ERR-CANCEL-MISSING'],
    inTest: ['TEST-MODE-V1-HOTEL-UNKNOWN'],
    foreign: ['V1-HOTEL-DETAIL-INDISTINGUISHABLE', 'V1-HOTEL-DETAIL-FOREIGN', 'V1-HOTEL-HCN-FOREIGN'],
    others: ['v1-transfers', 'v1-park-a'],
  },
  'v1-transfers': {
    missing: ['V1-TRANSFER-PDF-UNKNOWN', 'V1-TRANSFER-CANCEL-UNKNOWN'],
    inTest: [],
    foreign: ['V1-TRANSFER-VOUCHER-SAME-ANSWER', 'V1-TRANSFER-CANCEL-SAME-ANSWER'],
    others: ['v1-park-a', 'v1-hotels'],
  },
  'v1-park-a': {
    missing: ['V1-PARK-A-ERR-VOUCHER-MISSING', 'V1-PARK-A-ERR-CANCEL-MISSING'],
    inTest: [],
    foreign: ['V1-PARK-A-VOUCHER-SAME-ANSWER', 'V1-PARK-A-PDF-FOREIGN'],
    others: ['v1-park-b', 'v1-transfers'],
  },
  'v1-park-b': {
    missing: ['V1-PARK-B-ERR-VOUCHER-MISSING', 'V1-PARK-B-ERR-CANCEL-MISSING'],
    inTest: [],
    foreign: ['V1-PARK-B-VOUCHER-SAME-ANSWER', 'V1-PARK-B-PDF-FOREIGN'],
    others: ['v1-park-a', 'v1-transfers'],
  },
} as const

/** Asks for what others have, and for what nobody has, as often as tells their answers. */
const strangers = (...ask: typeof ASK_V1) =>
  by('another company', ...ask, ...ask, ...ask, ...[1, 2, 3].map(() => withId('an unknown id', ...ask)))

const nobodys = (...ask: typeof ASK_V1) =>
  (['an unknown id', 'an id of another length', 'its id and a letter', 'its id and a fraction'] as const).map(
    which => withId(which, ...ask),
  )

describe('an order of v1', () => {
  for (const product of EVERY_V1_KIND) {
    const { missing, inTest, foreign, others } = CLAUSES[product]
    const kinds = [product]

    for (const [over, own] of [
      [{ account: ['ordinary'] }, inTest],
      [{ mode: ['live'] }, []],
    ] as const)
      story([order, ...nobodys(...ASK_V1), cancel], {
        title: `that nobody has is not found (${product}, ${Object.values(over).join()})`,
        for: [...missing, ...own],
        kinds,
        over,
      })

    for (const other of others)
      story([order, by('another company', withIdOfAnother(other, ...ASK_V1))], {
        title: `is none of another product (${product}, ${other})`,
        for: missing,
        needs: ['control:mint', 'role:otherCompany'],
        kinds,
        over: { account: ['ordinary'] },
      })

    story([order, strangers(...ASK_V1), by('an anonymous client', ...ASK_V1)], {
      title: `of others is answered like one that nobody has (${product})`,
      for: foreign,
      needs: ['role:otherCompany'],
      kinds,
      over: { account: ['ordinary'] },
    })
  }

  story([together(voucherWillBe('pending'), order), strangers(getVoucher)], {
    for: ['V1-*-VOUCHER-SAME-ANSWER', 'V1-*-PDF-FOREIGN', 'V1-*-ERR-VOUCHER-FOREIGN'],
    needs: ['role:otherCompany', 'control:outcome'],
    kinds: ['v1-park-a', 'v1-park-b'],
  })
})

const FOREIGN = [
  'TENANCY-V2-READ',
  'TENANCY-V2-VOUCHER',
  'TENANCY-V2-CANCEL',
  'TENANCY-V2-SAME-ANSWER',
] as const
const ASKED = [by('another company', ...ASK_V2), by('an anonymous client', ...ASK_V2)]
const OTHERS = [strangers(...ASK_V2), by('an anonymous client', ...ASK_V2)]

describe('a booking', () => {
  story([book, ...nobodys(...ASK_V2), cancel], {
    title: 'that nobody has is not found',
    for: [
      'V2-BOOK-UNKNOWN-READ',
      'V2-BOOK-UNKNOWN-VOUCHER',
      'V2-BOOK-UNKNOWN-CANCEL',
      'V2-ERR-STATUS-BOOKING-NOT-FOUND',
      'CACHE-V2-ERROR',
    ],
    kinds: EVERY_KIND,
  })

  story([book, read, ...OTHERS, voucherIsReady, ...ASKED, read, cancel, ...ASKED], {
    title: 'of others is not found by any call, in any state',
    for: [...FOREIGN, 'TENANCY-V2-CANCEL-UNCHANGED'],
    needs: ['role:otherCompany'],
    over: { reference: ['given'], items: ['1', '2'] },
  })

  for (const voucher of ['pending', 'none'] as const)
    story([together(voucherWillBe(voucher), book), strangers(getVoucher)], {
      for: ['TENANCY-V2-VOUCHER', 'TENANCY-V2-SAME-ANSWER'],
      needs: ['role:otherCompany', 'control:outcome'],
      kinds: EVERY_KIND,
    })

  story([book, together(supplier('cancels in part'), cancel), ...OTHERS], {
    title: 'of others is not found after a partial cancellation',
    for: FOREIGN,
    needs: ['role:otherCompany', 'control:outcome'],
    kinds: EVERY_KIND,
    over: { reference: ['given'], items: ['2'] },
  })

  story([together(supplier('does not answer, not booked'), book), ...OTHERS], {
    title: 'of others is not found while its result is unknown',
    for: FOREIGN,
    needs: ['role:otherCompany', 'control:outcome'],
    kinds: EVERY_SORT,
    over: { reference: ['given'] },
  })

  story([together(supplier('does not answer, not booked'), book), together(settled, read), ...OTHERS], {
    title: 'of others is not found after it failed',
    for: FOREIGN,
    needs: ['role:otherCompany', 'control:outcome', 'control:clock'],
    kinds: EVERY_SORT,
    over: { reference: ['given'] },
  })
})
