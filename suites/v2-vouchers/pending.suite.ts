import { SETTLES_AFTER, settle } from '../../fixtures/check/buying/index.ts'
import { at, bookingOf } from '../../fixtures/contracts/index.ts'
import { assume, describe, EVERY_SORT, test } from '../../fixtures/test.ts'

describe('a voucher that is not published yet', () => {
  test('is refused until it is published, and returned then', {
    tags: [
      'V2-VOUCHER-PENDING',
      'V2-ERR-STATUS-VOUCHER-NOT-READY',
      'V2-VOUCHER-PUBLISHED',
      'V2-VOUCHER-PUBLISHED-DOWNLOAD',
    ],
    kinds: EVERY_SORT,
  }, async ({ v2, arrange, control, expect }) => {
    const actor = await arrange.actor()
    const offers = await arrange.offer()
    await control.setOutcome(actor, 'book', { kind: 'success', voucher: 'pending' })
    const { bookingId, booking } = await arrange.booking({ offers })
    assume(at(booking, 'voucher.status') === 'pending', 'a voucher that is pending')
    // The voucher may have been published just now.
    const isPublished = async () => at(bookingOf(await v2.booking(bookingId)), 'voucher.status') === 'ready'
    const stranger = await arrange.actor('otherCompany')
    for (let time = 1; time <= (arrange.trafficIsFree ? 2 : 1); time++) {
      const answer = await v2.voucher(bookingId)
      assume(!(answer.response.status < 300 && (await isPublished())), 'a voucher that stays pending')
      expect(answer, 'V2-VOUCHER-PENDING').toFailWith('VOUCHER_NOT_READY')
      if (arrange.trafficIsFree) await stranger.v2.voucher(bookingId)
    }
    await control.publishVouchers(actor)
    expect(await v2.booking(bookingId), 'V2-VOUCHER-PUBLISHED').toShowBooking('voucher.status', 'ready')
    expect(await v2.voucher(bookingId), 'V2-VOUCHER-PUBLISHED-DOWNLOAD').toHaveStatus(200)
  })
})

describe('the voucher of a booking that is pending itself', () => {
  test('is refused as not ready, and returned once the booking is confirmed', {
    tags: ['V2-PENDING-VOUCHER', 'V2-ERR-STATUS-VOUCHER-NOT-READY'],
    kinds: EVERY_SORT,
  }, async ({ v2, arrange, control, expect }) => {
    const actor = await arrange.actor()
    const body = arrange.anyBody([await arrange.offer()])
    await control.setOutcome(actor, 'book', {
      kind: 'unknown',
      settles: 'confirmed',
      afterSeconds: SETTLES_AFTER,
    })
    const answer = await v2.book({ key: arrange.key(), body })
    const bookingId = bookingOf(answer)?.booking_id
    assume(
      !(answer.response.status !== 202 || typeof bookingId !== 'number'),
      'a booking that is answered with 202 and an id',
    )
    for (let time = 1; time <= (arrange.trafficIsFree ? 2 : 1); time++)
      expect(await v2.voucher(bookingId), 'V2-PENDING-VOUCHER').toFailWith('VOUCHER_NOT_READY')
    if (!control.offers('advanceClock')) return
    await settle(control, actor)
    const settled = await v2.booking(bookingId)
    if (at(bookingOf(settled), 'voucher.status') !== 'ready') return
    assume.accepted(await v2.voucher(bookingId), 'the voucher of the same booking, confirmed')
  })
})
