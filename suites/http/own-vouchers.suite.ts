import { namesOneOf, sameFile, shownBy } from '../../fixtures/check/buying/index.ts'
import { isPdf, openAsNobody, pathOf, type V1Order } from '../../fixtures/check/v1/index.ts'
import { at, bookingOf, type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  EVERY_KIND,
  type Exchange,
  independently,
  type Judge,
  test,
} from '../../fixtures/test.ts'

/** Decides that two bookings have different vouchers, as the first clause of the check says. Those of a sandbox may be one sample, which names no booking. */
function claimTwo(expect: Judge, [one, other]: readonly [Exchange, Exchange], ids: readonly string[]): void {
  assume(isPdf(one) && isPdf(other), 'two vouchers')
  assume(
    !sameFile(one, other) || namesOneOf(shownBy(one), ids),
    'vouchers that contain the id of their booking',
  )
  expect(other).toGive('another document', !sameFile(one, other), 'the same, byte by byte')
}

describe('the vouchers of two bookings', () => {
  test('are different files (v1)', {
    tags: ['V1-*-PDF-OWN'],
    kinds: ['v1-transfers', 'v1-park-a', 'v1-park-b'],
  }, async check => {
    const { arrange, act } = check
    const [one, other] = [await arrange.order(), await arrange.order()]
    const ids = [one, other].flatMap(({ id, reference }) => [`${id}`, reference])
    const vouchers = [await act.voucher(one), await act.voucher(other)] as const
    claimTwo(check.expect, vouchers, ids)
    // The first one again: the last voucher must not be returned for it.
    if (arrange.trafficIsFree) claimTwo(check.expect, [vouchers[1], await act.voucher(one)], ids)
  })

  test('are different files', {
    tags: ['V2-VOUCHER-OWN', 'V2-BOOKING-VOUCHER-URL-OWN'],
    kinds: EVERY_KIND,
  }, async check => {
    const { v2, arrange, expect } = check
    // Both bookings are made first, so that one wait serves both.
    const [first, second] = [await arrange.booking(), await arrange.booking()]
    const one = await arrange.voucherReady(first)
    const other = await arrange.voucherReady(second)
    const ids = [one, other].flatMap(({ bookingId, exchange }) =>
      [bookingId, bookingOf(exchange)?.reference].map(textOf),
    )
    const read = [await v2.booking(one.bookingId), await v2.booking(other.bookingId)] as const
    // Replays show the URL too, which a passive rule judges.
    if (arrange.trafficIsFree) for (const { key, body } of [one, other]) await v2.book({ key, body })
    await independently(
      async () => {
        const vouchers = [await v2.voucher(one.bookingId), await v2.voucher(other.bookingId)] as const
        claimTwo(expect, vouchers, ids)
        if (!arrange.trafficIsFree) return
        claimTwo(expect, [vouchers[1], await v2.voucher(one.bookingId)], ids)
      },
      () => {
        const [url, another] = read.map(answer => at(bookingOf(answer), 'voucher.url'))
        assume(typeof url === 'string' && typeof another === 'string', 'bookings that show a voucher.url')
        assume(url !== another || namesOneOf(url, ids), 'bookings whose voucher.url contains their id')
        expect(read[1], 'V2-BOOKING-VOUCHER-URL-OWN').not.toShowBooking('voucher.url', url)
      },
    )
  })

  test("open by their own links, not by each other's", {
    tags: ['V1-PARK-B-LINK-OWN'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { v1, arrange, act, expect } = check
    const follow = ({ shown, exchange }: Pick<V1Order, 'shown' | 'exchange'>) =>
      openAsNobody(check, pathOf(shown.pdf_voucher, exchange))
    const opened = async (by: Actor, isTest: boolean) => {
      const orders = [await arrange.order({ actor: by }), await arrange.order({ actor: by })] as const
      const [one, other] = [await act.voucher(orders[0], by), await act.voucher(orders[1], by)]
      assume(isPdf(one) && isPdf(other) && !sameFile(one, other), 'two orders whose vouchers differ')
      // A repeat may show the link again.
      const again = isTest && arrange.trafficIsFree ? await v1.parkB.confirm(orders[0].body) : undefined
      const shown = Object(again?.response.json) as JsonObject
      const repeated = typeof shown.pdf_voucher === 'string' ? { shown, exchange: again! } : orders[0]
      const [first, second] = [await follow(repeated), await follow(orders[1])]
      // Links of test orders may open the same sample.
      const isShared = !isTest && isPdf(first) && sameFile(first, second)
      const foreign = isShared || sameFile(first, other) ? first : sameFile(second, one) ? second : undefined
      expect.claim('V1-PARK-B-LINK-OWN', foreign === undefined, {
        tried: 'Opening the pdf_voucher of each of two orders',
        expected: 'its own voucher, or a page',
        observed: isShared ? 'one document for both' : 'the voucher of the other order',
        exchanges: [one, other, ...(foreign === undefined ? [] : [foreign])],
      })
    }
    await opened(await arrange.actor(), true)
    if (arrange.realIsFree) await opened(await arrange.actor('live'), false)
  })
})
