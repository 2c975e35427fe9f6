import { settledBooking } from '../../fixtures/check/buying/index.ts'
import { assume, describe, EVERY_KIND, EVERY_SORT, test } from '../../fixtures/test.ts'

describe('a booking of an account without voucher delivery', () => {
  test('has no voucher, says so, and stays so', {
    tags: [
      'V2-VOUCHER-DELIVERY-OFF',
      'V2-VOUCHER-NONE',
      'V2-VOUCHER-NONE-STAYS',
      'V2-ERR-STATUS-VOUCHER-NOT-AVAILABLE',
    ],
    kinds: EVERY_SORT,
  }, async ({ arrange, expect }) => {
    const actor = await arrange.actor('noVouchers')
    const { bookingId, exchange } = await arrange.booking({ actor })
    expect(exchange, 'V2-VOUCHER-DELIVERY-OFF').toShowBooking('voucher.status', 'none')
    expect(await actor.v2.voucher(bookingId), 'V2-VOUCHER-NONE').toFailWith('VOUCHER_NOT_AVAILABLE')
    expect(await actor.v2.booking(bookingId), 'V2-VOUCHER-NONE-STAYS').toShowBooking('voucher.status', 'none')
    expect(await actor.v2.voucher(bookingId), 'V2-VOUCHER-NONE-STAYS').toFailWith('VOUCHER_NOT_AVAILABLE')
    const ordinary = await arrange.voucherReady(await arrange.booking())
    const standard = await arrange.actor()
    assume.accepted(await standard.v2.voucher(ordinary.bookingId), 'the voucher of an account with delivery')
  })

  test('has none either if its result was unknown at first', {
    tags: ['V2-VOUCHER-DELIVERY-OFF', 'V2-VOUCHER-NONE'],
    kinds: EVERY_KIND,
  }, async context => {
    const by = await context.arrange.actor('noVouchers')
    const { bookingId, read, status } = await settledBooking(context, 'confirmed', { by })
    assume(status === 'confirmed', 'a booking of unknown result that was made')
    context.expect(read, 'V2-VOUCHER-DELIVERY-OFF').toShowBooking('voucher.status', 'none')
    context.expect(await by.v2.voucher(bookingId), 'V2-VOUCHER-NONE').toFailWith('VOUCHER_NOT_AVAILABLE')
  })
})
