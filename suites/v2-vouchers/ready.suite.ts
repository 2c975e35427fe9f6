import type { StandingBooking } from '../../fixtures/check/buying/index.ts'
import { at, bookingOf } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  independently,
  orOrdinary,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_SORT)

describe('a voucher that is ready', () => {
  test('is returned as a PDF to look at, which nobody keeps, and again after it was downloaded', {
    tags: [
      'V2-VOUCHER-READY',
      'V2-VOUCHER-PDF',
      'V2-VOUCHER-CONTENT-TYPE',
      'V2-VOUCHER-INLINE',
      'CACHE-V2-VOUCHER',
      'V2-BOOKING-VOUCHER',
      'V2-BOOKING-VOUCHER-STATUS',
      'V2-VOUCHER-READY-STAYS',
      'V2-BOOKING-VOUCHER-URL',
    ],
  }, async ({ v2, arrange, expect }) => {
    const judge = async (booked: StandingBooking) => {
      const { bookingId } = await arrange.voucherReady(booked)
      expect(await v2.voucher(bookingId), 'V2-VOUCHER-READY').toHaveStatus(200)
      const read = await v2.booking(bookingId)
      await independently(
        () => expect(read, 'V2-VOUCHER-READY-STAYS').toShowBooking('voucher.status', 'ready'),
        async () => {
          for (let download = 2; download <= 3; download++)
            expect(await v2.voucher(bookingId), 'V2-VOUCHER-READY').toHaveStatus(200)
        },
        () => {
          assume.accepted(read, 'a booking whose voucher is ready')
          assume(at(bookingOf(read), 'voucher.url') != null, 'a booking that shows the url of its voucher')
        },
      )
    }
    // If requests are limited, each kind of product tries one of them.
    const turn = EVERY_KIND.indexOf(arrange.kind) % 2
    const ordinary = () => arrange.booking()
    const ofTwo = () => orOrdinary(() => arrange.booking({ items: 2 }), ordinary)
    for (const make of arrange.trafficIsFree ? [ordinary, ofTwo] : [turn === 0 ? ordinary : ofTwo])
      await judge(await make())
  })
})
