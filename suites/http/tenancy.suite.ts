import { independently } from '../../fixtures/check/independently.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { at, bookingOf } from '../../fixtures/contracts/reading.ts'
import { assume, describe, EVERY_KIND, test } from '../../fixtures/test.ts'

const statusOf = (exchange: Exchange): unknown => at(bookingOf(exchange), 'status')

describe('a booking of another company', () => {
  test('is not found when it is read', {
    tags: ['TENANCY-V2-READ'],
    kinds: EVERY_KIND,
  }, async ({ v2, arrange, expect, claim }) => {
    const stranger = await arrange.actor('otherCompany')
    const externalReference = `ours-${arrange.key().slice(-12)}`
    const { bookingId } = await arrange.booking({ externalReference })
    const answer = await stranger.v2.booking(bookingId)
    await independently(
      // What leaks is worse than the wrong word for it.
      async () =>
        claim('TENANCY-V2-READ', !answer.response.text.includes(externalReference), {
          tried: 'Reading a booking of another company',
          expected: 'nothing of it in the answer',
          observed: 'its external_reference',
          exchanges: [answer],
        }),
      async () => {
        expect(answer, 'TENANCY-V2-READ').toFailWith('BOOKING_NOT_FOUND')
      },
    )
    assume.accepted(await v2.booking(bookingId), 'the same read by its own company')
  })

  test('is not found when it is cancelled, and stays as it was', {
    tags: ['TENANCY-V2-CANCEL', 'TENANCY-V2-CANCEL-UNCHANGED'],
    kinds: EVERY_KIND,
  }, async ({ v2, act, arrange, expect }) => {
    const stranger = await arrange.actor('otherCompany')
    const booked = await arrange.booking()
    const { bookingId } = booked
    const before = assume.accepted(await v2.booking(bookingId), 'the booking before')
    assume(statusOf(before) !== undefined, 'a booking that shows its status')
    const attempt = await stranger.v2.cancel(bookingId)
    const after = await v2.booking(bookingId)
    // First what it did, then what it said: the one is worse than the other.
    await independently(
      async () => {
        expect(after, 'TENANCY-V2-CANCEL-UNCHANGED').toShowBooking('status', statusOf(before))
      },
      async () => {
        expect(attempt, 'TENANCY-V2-CANCEL').toFailWith('BOOKING_NOT_FOUND')
      },
    )
    await act.cancelled(booked)
  })

  test('has no voucher to be found', {
    tags: ['TENANCY-V2-VOUCHER'],
    kinds: EVERY_KIND,
  }, async ({ v2, arrange, expect }) => {
    const stranger = await arrange.actor('otherCompany')
    const { bookingId } = await arrange.voucherReady(await arrange.booking())
    expect(await stranger.v2.voucher(bookingId), 'TENANCY-V2-VOUCHER').toFailWith('BOOKING_NOT_FOUND')
    assume.accepted(await v2.voucher(bookingId), 'the same voucher for its own company')
  })
})
