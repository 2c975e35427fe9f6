import { claimStands } from '../../fixtures/check/buying/index.ts'
import type { OffersTogether } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at, bookingOf, errorCode, textOf, timeOf } from '../../fixtures/contracts/index.ts'
import { assume, describe, independently, type ProductCheck, testFor, toldTime } from '../../fixtures/test.ts'

const test = testFor('transfers')

type Booked = Awaited<ReturnType<ProductCheck['arrange']['booking']>>

/**
 * Returns the deadlines of an item of a booking in its confirmation and in a read, in ascending order, and the times by which
 * the booking was made and read.
 */
async function deadlinesOf({ bookingId, booking }: Booked, v2: ProductCheck['v2'], item = 0) {
  const read = assume.accepted(await v2.booking(bookingId), 'a read of the booking')
  const path = `items[${item}].cancellation.deadline`
  const stated = [booking, bookingOf(read)].map(shown => Date.parse(textOf(at(shown, path))))
  return {
    deadlines: stated.toSorted((one, other) => one - other),
    times: [timeOf(textOf(at(booking, 'created_at'))), toldTime(read.response.headers)],
  }
}

const LATE = 'Cancelling a booking past its deadline'

/** Seconds before and after a deadline for safety: more than a clock may be corrected meanwhile. */
const APART = 300

/**
 * Returns the minimum and maximum number of seconds until a deadline. A gateway may date answers by another clock than
 * bookings, the booking may have been made a while ago, and the clock put back since.
 */
function secondsUntil(
  deadline: number,
  told: readonly number[],
  now: number,
): { least: number; most: number } {
  const times = [now, ...told].filter(Number.isFinite)
  const until = (time: number) => Math.ceil((deadline - time) / 1000)
  return { least: until(Math.max(...times)), most: until(Math.min(...times)) }
}

/** Ends the check if the clock that control moved past a deadline was put back before it meanwhile. */
const assumePast = (deadline: number, before: number, now: number): void =>
  // A gateway may date answers by a clock of its own, which control does not move.
  assume(now >= deadline || now - before < (deadline - before) / 2, 'a clock that is not put back meanwhile')

describe('POST /api/v2/bookings/{booking_id}/cancel and its deadline', () => {
  test('is refused past the deadline, and changes nothing', {
    tags: [
      'V2-CANCEL-DEADLINE',
      'V2-CANCEL-DEADLINE-UNCHANGED',
      'V2-ERR-STATUS-NOT-CANCELLABLE',
      'V2-BOOKING-CANCELLATION-TOLD',
    ],
  }, async ({ v2, arrange, control, expect, claim, now }) => {
    control.require('advanceClock')
    const actor = await arrange.actor()
    const booked = await arrange.booking()
    const { bookingId } = booked
    const { deadlines, times } = await deadlinesOf(booked, v2)
    const earliest = deadlines[0]!
    const before = now(actor)
    const { least, most } = secondsUntil(earliest, times, before)
    assume(least > 0, 'a deadline that lies ahead')
    await control.advanceClock(actor, most + APART)
    const late = await v2.booking(bookingId)
    const refused = [await v2.cancel(bookingId)]
    if (arrange.trafficIsFree) refused.push(await v2.cancel(bookingId, { reason: 'x' }))
    const read = await v2.booking(bookingId)
    assumePast(earliest, before, now(actor))
    await independently(
      ...refused.map(one => () => expect(one, 'V2-CANCEL-DEADLINE').toFailWith('NOT_CANCELLABLE')),
      () => expect(read, 'V2-CANCEL-DEADLINE-UNCHANGED').toShowBooking('status', 'confirmed'),
      () => claimStands({ claim }, 'V2-CANCEL-DEADLINE-UNCHANGED', LATE, [late, refused[0]!, read]),
      () =>
        expect(read, 'V2-BOOKING-CANCELLATION-TOLD').toShowBooking('items[0].cancellation.allowed', false),
    )
  })

  for (const [which, order] of [
    ['first', 1],
    ['last', -1],
  ] as const) {
    test(`is refused past the deadline of its ${which} item alone`, {
      tags: ['V2-CANCEL-DEADLINE'],
      opportunistic: ['V2-CANCEL-DEADLINE-UNCHANGED'],
    }, async ({ v2, arrange, control, expect, claim, now }) => {
      control.require('advanceClock')
      const actor = await arrange.actor()
      const inOrder = async () => {
        const offers = await arrange.offersTogether(2)
        const byDate = offers.toSorted(
          (one, other) => order * String(one.date).localeCompare(String(other.date)),
        )
        return byDate as unknown as OffersTogether
      }
      const booked = await arrange.booking({ offers: inOrder })
      const items = [await deadlinesOf(booked, v2, 0), await deadlinesOf(booked, v2, 1)]
      const [one, other] = items.toSorted((first, second) => first.deadlines[0]! - second.deadlines[0]!)
      const over = one!.deadlines.at(-1)! + APART * 1000
      assume(other!.deadlines[0]! > over, 'two transfers in one booking whose deadlines differ')
      const before = now(actor)
      const { least, most } = secondsUntil(over, one!.times, before)
      assume(least > 60, 'a deadline that lies ahead')
      await control.advanceClock(actor, most)
      const late = await v2.booking(booked.bookingId)
      // Whether the other item alone is cancelled is open.
      const answer = await v2.cancel(booked.bookingId)
      assumePast(one!.deadlines.at(-1)!, before, now(actor))
      expect(answer).toFailWith('NOT_CANCELLABLE', 'CANCELLATION_PARTIAL', 'CANCELLATION_REJECTED')
      if (errorCode(answer) !== 'NOT_CANCELLABLE') return
      const read = await v2.booking(booked.bookingId)
      expect(read, 'V2-CANCEL-DEADLINE-UNCHANGED').toShowBooking('status', 'confirmed')
      claimStands({ claim }, 'V2-CANCEL-DEADLINE-UNCHANGED', LATE, [late, answer, read])
    })
  }

  test('is accepted shortly before the deadline', {
    tags: ['V2-CANCEL-DEADLINE', 'V2-BOOKING-CANCELLATION-TOLD'],
    opportunistic: ['V2-CANCEL-AGAIN-STATUS', 'V2-CANCEL-AGAIN-FLAG'],
  }, async ({ v2, act, arrange, control, expect, now }) => {
    control.require('advanceClock')
    const actor = await arrange.actor()
    const booked = await arrange.booking()
    const { deadlines, times } = await deadlinesOf(booked, v2)
    const latest = deadlines.at(-1)!
    const began = now(actor)
    const seconds = secondsUntil(latest, times, began).least - APART
    assume(seconds > 0, 'a deadline that lies ahead')
    await control.advanceClock(actor, seconds)
    const read = await v2.booking(booked.bookingId)
    const answer = await act.cancel(booked)
    const isInTime = now(actor) - began < (seconds + APART) * 1000
    assume(isInTime || succeeded(answer), 'a cancellation that is answered before its deadline')
    expect(answer).toHaveStatus(200, 201, 202, 204)
    for (const told of [booked.exchange, read]) {
      expect(told, 'V2-BOOKING-CANCELLATION-TOLD').toShowBooking('items[0].cancellation.allowed', true)
    }
    // What was cancelled in time stays so past the deadline.
    await control.advanceClock(actor, secondsUntil(latest, times, now(actor)).most + APART)
    const again = await v2.cancel(booked.bookingId)
    expect(again, 'V2-CANCEL-AGAIN-STATUS').toHaveStatus(200)
    expect(again, 'V2-CANCEL-AGAIN-FLAG').toBeFlagged('already_cancelled')
  })
})
