import {
  by,
  cancel,
  cancelAnother,
  clauseFor,
  describe,
  EVERY_V1_KIND,
  getNumber,
  getVoucher,
  order,
  orderAnother,
  pass,
  read,
  repeat,
  story,
  supplier,
  tellAtRandom,
  test,
  together,
  useAnotherKind,
  voucherIsReady,
} from '../../fixtures/test.ts'

/** The clauses about every order, with a credential of any mode, and with one of either mode. */
const CLAUSES = {
  'v1-hotels': {
    any: [
      'V1-HOTEL-STATE-CONFIRMED',
      'V1-HOTEL-CANCEL-SUCCESS',
      'V1-HOTEL-STATE-CANCEL-TWICE',
      'V1-HOTEL-ERR-CANCEL-TWICE',
    ],
    inTest: [
      'V1-HOTEL-STATE-CANCELLED-TEST',
      'V1-HOTEL-HCN-CANCELLED-TEST',
      'TEST-MODE-V1-HOTEL-DETAIL',
      'TEST-MODE-V1-HOTEL-CANCEL',
    ],
    inLive: [
      'V1-HOTEL-STATE-CANCELLED',
      'V1-HOTEL-HCN-CANCELLED',
      'V1-HOTEL-HCN-STAYS-CANCELLED',
      'V1-HOTEL-DETAIL-LIVE-MODE',
    ],
    foreign: [
      'V1-HOTEL-ERR-DETAIL-FOREIGN',
      'V1-HOTEL-ERR-HCN-FOREIGN',
      'V1-HOTEL-ERR-CANCEL-FOREIGN',
      'V1-HOTEL-CANCEL-FOREIGN-UNTOUCHED',
    ],
    stands: 'V1-HOTEL-STATE-CONFIRMED',
  },
  'v1-transfers': {
    any: [
      'V1-TRANSFER-PDF',
      'V1-TRANSFER-PDF-TYPE',
      'CACHE-V1-TRANSFER-PDF',
      'V1-TRANSFER-CANCEL',
      'V1-TRANSFER-CANCEL-TWICE',
      'V1-TRANSFER-NO-CURRENCY',
    ],
    inTest: ['V1-TRANSFER-PDF-CANCELLED-TEST'],
    inLive: [],
    foreign: [
      'V1-TRANSFER-PDF-FOREIGN',
      'V1-TRANSFER-CANCEL-FOREIGN',
      'V1-TRANSFER-CANCEL-FOREIGN-UNTOUCHED',
    ],
    stands: 'V1-TRANSFER-PDF',
  },
  'v1-park-a': {
    any: [
      'V1-PARK-A-PDF',
      'V1-PARK-A-PDF-AT-ONCE',
      'V1-PARK-A-CANCEL-SUCCESS',
      'V1-PARK-A-STATE-FIRST-CANCEL',
      'V1-PARK-A-STATE-CANCEL-TWICE',
      'V1-PARK-A-STATE-ALREADY-CANCELLED',
      'V1-PARK-A-STATE-CANCELLED-VOUCHER',
      'V1-PARK-A-ERR-VOUCHER-CANCELLED',
    ],
    inTest: [],
    inLive: [],
    foreign: [
      'V1-PARK-A-PDF-FOREIGN',
      'V1-PARK-A-ERR-VOUCHER-FOREIGN',
      'V1-PARK-A-ERR-CANCEL-FOREIGN',
      'V1-PARK-A-CANCEL-FOREIGN-UNTOUCHED',
    ],
    stands: 'V1-PARK-A-PDF',
  },
  'v1-park-b': {
    any: ['V1-PARK-B-PDF', 'CACHE-V1-PARK-B-PDF', 'V1-PARK-B-CANCEL-SUCCESS'],
    inTest: ['TEST-MODE-V1-PARK-B-CANCEL-TWICE', 'TEST-MODE-V1-PARK-B-CANCELLED-VOUCHER'],
    inLive: [
      'V1-PARK-B-STATE-CANCEL-TWICE',
      'V1-PARK-B-ERR-CANCEL-TWICE',
      'V1-PARK-B-STATE-CANCELLED-VOUCHER',
      'V1-PARK-B-ERR-VOUCHER-CANCELLED',
    ],
    foreign: [
      'V1-PARK-B-PDF-FOREIGN',
      'V1-PARK-B-ERR-VOUCHER-FOREIGN',
      'V1-PARK-B-ERR-CANCEL-FOREIGN',
      'V1-PARK-B-CANCEL-FOREIGN-UNTOUCHED',
    ],
    stands: 'V1-PARK-B-PDF',
  },
} as const

const LOOK = [read, getNumber, getVoucher]
const OTHERS = by('another company', ...LOOK, cancel)
const LATER = together(pass({ hours: 26 }), by('another company', pass({ hours: 26 })))
const REPLAYED = ['V1-IDEM-REPLAY-ORDER-*', 'V1-IDEM-REPLAY-STATUS-*', 'V1-IDEM-REPLAY-FLAG-*'] as const

/** All that can happen to an order, once it is confirmed. */
const WHOLE_LIFE = [
  OTHERS,
  repeat,
  repeat,
  useAnotherKind,
  repeat,
  voucherIsReady,
  repeat,
  LATER,
  ...LOOK,
  ...LOOK,
  useAnotherKind,
  ...LOOK,
  by('colleague', ...LOOK),
  supplier('refuses the cancellation'),
  cancel,
  ...LOOK,
  OTHERS,
  cancel,
  ...LOOK,
  cancel,
  ...LOOK,
  cancel,
  useAnotherKind,
  ...LOOK,
  cancel,
  by('colleague', ...LOOK),
  OTHERS,
  repeat,
  LATER,
  ...LOOK,
  cancel,
  OTHERS,
]

for (const product of EVERY_V1_KIND) {
  const { any, inTest, inLive, foreign, stands } = CLAUSES[product]

  describe(`the life of an order (${product})`, () => {
    for (const [over, own] of [
      [{ account: ['ordinary'] }, inTest],
      [{ mode: ['live'] }, inLive],
    ] as const)
      story([order, voucherIsReady, ...LOOK, cancel, ...LOOK, ...LOOK, cancel, cancel, ...LOOK, cancel], {
        title: `an order, cancelled and cancelled again (${Object.values(over).join()})`,
        for: [...any, ...own],
        opportunistic: ['REQUEST-ALIKE-V1'],
        kinds: [product],
        over: { ...over, people: ['several', 'one'] },
      })

    story([order, OTHERS, voucherIsReady, OTHERS, read, cancel, OTHERS], {
      title: 'an order, asked for and cancelled by another company',
      for: foreign,
      needs: ['role:otherCompany'],
      kinds: [product],
      over: { account: ['ordinary'], people: ['one', 'several'] },
    })

    story([order, cancelAnother, orderAnother, voucherIsReady, read], {
      for: [stands],
      kinds: [product],
      over: { account: ['ordinary'] },
    })

    test(
      'every random sequence of calls gets the answers of its state',
      {
        tags: [stands],
        opportunistic: [...any, ...inTest, ...foreign, clauseFor('V1-IDEM-REPLAY-ORDER', product)],
        kinds: [product],
      },
      async check => tellAtRandom(check as never),
    )

    story([order, ...WHOLE_LIFE], {
      title: 'the whole life of an order made with a live credential',
      for: [...any, ...inLive, ...foreign, ...REPLAYED, 'REQUEST-ALIKE-V1'],
      needs: ['control:mint', 'control:clock', 'control:outcome'],
      kinds: [product],
      over: { mode: ['live'], people: ['several'] },
    })
  })
}
