import { settledBooking, voucherStatusOf } from '../../fixtures/check/buying/index.ts'
import { assume, type BookingId, describe, EVERY_SORT, independently, test } from '../../fixtures/test.ts'

describe('a voucher that is not published yet', () => {
  test('is refused until it is published, and returned then', {
    tags: [
      'V2-VOUCHER-PENDING',
      'V2-ERR-STATUS-VOUCHER-NOT-READY',
      'V2-VOUCHER-PUBLISHED',
      'V2-VOUCHER-PUBLISHED-DOWNLOAD',
    ],
    kinds: EVERY_SORT,
  }, async context => {
    const { v2, arrange, control, expect } = context
    const actor = await arrange.actor()
    const stranger = await arrange.actor('otherCompany')
    const isPublished = async (bookingId: BookingId) => {
      await control.publishVouchers(actor)
      expect(await v2.booking(bookingId), 'V2-VOUCHER-PUBLISHED').toShowBooking('voucher.status', 'ready')
      expect(await v2.voucher(bookingId), 'V2-VOUCHER-PUBLISHED-DOWNLOAD').toHaveStatus(200)
    }
    const isKeptBack = async (items: number) => {
      const offers = items > 1 ? await arrange.offersTogether(items) : await arrange.offer()
      await control.setOutcome(actor, 'book', { kind: 'success', voucher: 'pending' })
      const { bookingId, exchange } = await arrange.booking({ offers, referenced: true })
      assume(voucherStatusOf(exchange) === 'pending', 'a voucher that is pending')
      // The voucher may have been published just now.
      const isReady = async () => voucherStatusOf(await v2.booking(bookingId)) === 'ready'
      for (let time = 1; time <= (arrange.trafficIsFree ? 2 : 1); time++) {
        const answer = await v2.voucher(bookingId)
        assume(!(answer.response.status < 300 && (await isReady())), 'a voucher that stays pending')
        expect(answer, 'V2-VOUCHER-PENDING').toFailWith('VOUCHER_NOT_READY')
        if (arrange.trafficIsFree) await stranger.v2.voucher(bookingId)
      }
      await isPublished(bookingId)
    }
    await independently(
      ...(arrange.trafficIsFree ? [1, 2] : [1]).map(items => () => isKeptBack(items)),
      async () => {
        if (!arrange.trafficIsFree) return
        const { read, bookingId } = await settledBooking(context, 'confirmed')
        if (voucherStatusOf(read) === 'pending') await isPublished(bookingId)
      },
    )
  })
})
