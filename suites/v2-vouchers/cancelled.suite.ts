import { voucherStatusOf } from '../../fixtures/check/buying/index.ts'
import { assume, describe, EVERY_SORT, testFor } from '../../fixtures/test.ts'

const test = testFor(...EVERY_SORT)

describe('the voucher of a cancelled booking is gone', () => {
  test('every time it is asked for', {
    tags: ['V2-VOUCHER-CANCELLED', 'V2-ERR-STATUS-BOOKING-CANCELLED'],
  }, async ({ v2, act, arrange, expect }) => {
    const booked = await arrange.booking({ seldom: 3 })
    const { bookingId } = booked
    const before = await v2.voucher(bookingId)
    await act.cancelled(booked)
    for (let download = 1; download <= 2; download++) {
      const after = await v2.voucher(bookingId)
      expect(after).toFailWith('BOOKING_CANCELLED')
      expect(before, 'V2-VOUCHER-CANCELLED').not.toFailWith('BOOKING_CANCELLED')
    }
  })

  test('when it was still to be published, also after its publication', {
    tags: ['V2-VOUCHER-CANCELLED-PENDING'],
  }, async ({ v2, act, arrange, control, expect }) => {
    const actor = await arrange.actor()
    const offers = await arrange.offer()
    await control.setOutcome(actor, 'book', { kind: 'success', voucher: 'pending' })
    const booked = await arrange.booking({ offers })
    const { bookingId } = booked
    assume(voucherStatusOf(booked.exchange) === 'pending', 'a voucher that is pending')
    await act.cancelled(booked)
    expect(await v2.voucher(bookingId), 'V2-VOUCHER-CANCELLED-PENDING').toFailWith('BOOKING_CANCELLED')
    if (!control.offers('publishVouchers')) return
    await control.publishVouchers(actor)
    expect(await v2.voucher(bookingId), 'V2-VOUCHER-CANCELLED-PENDING').toFailWith('BOOKING_CANCELLED')
  })

  test('when there never was one', {
    tags: ['V2-VOUCHER-CANCELLED-NONE'],
  }, async ({ act, arrange, expect }) => {
    const actor = await arrange.actor('noVouchers')
    const booked = await arrange.booking({ actor })
    const { bookingId, exchange } = booked
    assume(voucherStatusOf(exchange) === 'none', 'a booking without a voucher')
    await act.cancelled(booked, actor)
    expect(await actor.v2.voucher(bookingId), 'V2-VOUCHER-CANCELLED-NONE').toFailWith('BOOKING_CANCELLED')
  })
})
