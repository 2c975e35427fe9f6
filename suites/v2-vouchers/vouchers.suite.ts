import {
  book,
  by,
  cancel,
  describe,
  EVERY_KIND,
  getVoucher,
  read,
  settled,
  story,
  supplier,
  voucherIsReady,
  vouchersPublished,
  voucherWillBe,
} from '../../fixtures/test.ts'

const ITEMS = { items: ['1', '2'] } as const

describe('the voucher of a booking', () => {
  story([book, voucherIsReady, getVoucher, read, getVoucher, getVoucher, cancel, getVoucher], {
    for: [
      'V2-VOUCHER-READY',
      'V2-VOUCHER-PDF',
      'V2-VOUCHER-CONTENT-TYPE',
      'V2-VOUCHER-INLINE',
      'CACHE-V2-VOUCHER',
      'V2-BOOKING-VOUCHER',
      'V2-BOOKING-VOUCHER-STATUS',
      'V2-VOUCHER-READY-STAYS',
      'V2-BOOKING-VOUCHER-URL',
      'V2-VOUCHER-CANCELLED',
      'V2-ERR-STATUS-BOOKING-CANCELLED',
    ],
    over: ITEMS,
  })

  story(
    [
      voucherWillBe('pending'),
      book,
      getVoucher,
      read,
      by('another company', getVoucher),
      getVoucher,
      vouchersPublished,
      read,
      getVoucher,
    ],
    {
      for: [
        'V2-VOUCHER-PENDING',
        'V2-ERR-STATUS-VOUCHER-NOT-READY',
        'V2-VOUCHER-PUBLISHED',
        'V2-VOUCHER-PUBLISHED-DOWNLOAD',
      ],
      needs: ['control:outcome', 'control:vouchers'],
      over: { ...ITEMS, reference: ['given'] },
    },
  )

  story([voucherWillBe('pending'), book, cancel, getVoucher, vouchersPublished, getVoucher], {
    for: ['V2-VOUCHER-CANCELLED-PENDING'],
    needs: ['control:outcome'],
  })

  story([book, getVoucher, read, getVoucher, cancel, getVoucher], {
    for: [
      'V2-VOUCHER-DELIVERY-OFF',
      'V2-VOUCHER-NONE',
      'V2-VOUCHER-NONE-STAYS',
      'V2-ERR-STATUS-VOUCHER-NOT-AVAILABLE',
      'V2-VOUCHER-CANCELLED-NONE',
    ],
    over: { account: ['no-vouchers'] },
  })

  story([supplier('does not answer, booked'), book, settled, read, getVoucher], {
    for: ['V2-VOUCHER-DELIVERY-OFF', 'V2-VOUCHER-NONE'],
    needs: ['control:outcome', 'control:clock'],
    over: { account: ['no-vouchers'] },
    kinds: EVERY_KIND,
  })
})
