import type { Exchange } from '../../fixtures/client/exchange.ts'
import { at, bookingOf, errorCode } from '../../fixtures/contracts/reading.ts'
import { describe, EVERY_KIND, test } from '../../fixtures/test.ts'

const isWithout = (exchange: Exchange): boolean => at(bookingOf(exchange), 'voucher.status') === 'none'

describe('the voucher of a cancelled booking is gone', () => {
  test('every time it is asked for', {
    tags: ['V2-VOUCHER-CANCELLED', 'V2-ERR-STATUS-BOOKING-CANCELLED'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, expect, claim }) => {
    const { bookingId } = await given.booking()
    const before = await v2.voucher(bookingId)
    given.cancelled(await v2.cancel(bookingId))
    for (let download = 1; download <= 2; download++) {
      const after = await v2.voucher(bookingId)
      expect(after).toFailWith('BOOKING_CANCELLED')
      claim('V2-VOUCHER-CANCELLED', errorCode(before) !== 'BOOKING_CANCELLED', {
        tried: 'Asking for a voucher before and after the cancellation',
        expected: 'BOOKING_CANCELLED only after it',
        observed: 'the same before it',
        exchanges: [before, after],
      })
    }
  })

  test('when it was still to be published, also after its publication', {
    tags: ['V2-VOUCHER-CANCELLED-PENDING'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, control, expect }) => {
    const party = await given.party()
    const offer = await given.offer()
    await control.setOutcome(party, 'book', { kind: 'success', voucher: 'pending' })
    const { bookingId } = await given.booking({ offers: [offer] })
    given.cancelled(await v2.cancel(bookingId))
    expect(await v2.voucher(bookingId), 'V2-VOUCHER-CANCELLED-PENDING').toFailWith('BOOKING_CANCELLED')
    if (!control.offers('publishVouchers')) return
    await control.publishVouchers(party)
    expect(await v2.voucher(bookingId), 'V2-VOUCHER-CANCELLED-PENDING').toFailWith('BOOKING_CANCELLED')
  })

  test('when there never was one', {
    tags: ['V2-VOUCHER-CANCELLED-NONE'],
    kinds: EVERY_KIND,
  }, async ({ given, expect }) => {
    const party = await given.party('noVouchers')
    const { bookingId, exchange } = await given.booking({ party })
    if (!isWithout(exchange)) throw given.lacking('a booking without a voucher')
    given.cancelled(await party.v2.cancel(bookingId))
    expect(await party.v2.voucher(bookingId), 'V2-VOUCHER-CANCELLED-NONE').toFailWith('BOOKING_CANCELLED')
  })
})
