import { describe, EVERY_KIND, story } from '../../fixtures/test.ts'

const ITEMS = { items: ['1', '2'] } as const

describe('the voucher of a booking', () => {
  story('book, [its voucher is ready], get voucher, read, get voucher, get voucher, cancel, get voucher', {
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
    '[voucher will be pending], book, get voucher, read, get voucher by another company, get voucher, [vouchers are published], read, get voucher',
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

  story('[voucher will be pending], book, cancel, get voucher, [vouchers are published], get voucher', {
    for: ['V2-VOUCHER-CANCELLED-PENDING'],
    needs: ['control:outcome'],
  })

  story('book, get voucher, read, get voucher, cancel, get voucher', {
    for: [
      'V2-VOUCHER-DELIVERY-OFF',
      'V2-VOUCHER-NONE',
      'V2-VOUCHER-NONE-STAYS',
      'V2-ERR-STATUS-VOUCHER-NOT-AVAILABLE',
      'V2-VOUCHER-CANCELLED-NONE',
    ],
    over: { account: ['no-vouchers'] },
  })

  story('[supplier does not answer, booked], book, [its result becomes known], read, get voucher', {
    for: ['V2-VOUCHER-DELIVERY-OFF', 'V2-VOUCHER-NONE'],
    needs: ['control:outcome', 'control:clock'],
    over: { account: ['no-vouchers'] },
    kinds: EVERY_KIND,
  })
})
