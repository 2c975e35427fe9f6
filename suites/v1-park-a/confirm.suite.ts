import { onDay } from '../../fixtures/check/v1/index.ts'
import { cancel, describe, getVoucher, orderAt, story, voucherIsReady } from '../../fixtures/test.ts'

describe('POST /api/v1/parkA/ticketConfirm', () => {
  story([orderAt({ found: onDay(0) }), voucherIsReady, getVoucher, cancel], {
    title: 'tickets of the last brand are printed and cancelled',
    for: ['V1-PARK-A-PDF', 'V1-PARK-A-CANCEL-SUCCESS'],
    kinds: ['v1-park-a'],
  })
})
