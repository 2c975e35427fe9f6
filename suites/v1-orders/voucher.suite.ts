import {
  describe,
  getVoucher,
  order,
  story,
  supplier,
  together,
  voucherIsReady,
  vouchersPublished,
  voucherWillBe,
} from '../../fixtures/test.ts'

const kinds = ['v1-park-a', 'v1-park-b'] as const

describe('the voucher of an order of tickets', () => {
  for (const over of [{ account: ['ordinary'] }, { mode: ['live'] }] as const)
    story(
      [together(voucherWillBe('pending'), order), getVoucher, getVoucher, vouchersPublished, voucherIsReady],
      {
        title: `kept back, and published (${Object.values(over).join()})`,
        for: ['V1-*-STATE-VOUCHER-WAITS', 'V1-*-ERR-VOUCHER-NOT-YET', 'V1-*-STATE-VOUCHER-PUBLISHED'],
        needs: ['control:outcome', 'control:vouchers'],
        kinds,
        over: { ...over, people: ['one', 'several'] },
      },
    )

  story(
    [
      order,
      voucherIsReady,
      together(supplier('fails to print'), getVoucher),
      together(supplier('fails to print'), getVoucher),
      getVoucher,
    ],
    {
      for: ['V1-PARK-B-ERR-PDF-FAILED'],
      needs: ['control:outcome'],
      kinds: ['v1-park-b'],
      over: { people: ['one', 'several'], mode: ['test', 'live'] },
    },
  )
})
