import {
  claimStands,
  expectReplay,
  isCancellationRefusal,
  isPartial,
  ROUNDS,
  repeatsOf,
  type StandingBooking,
  voucherStatusOf,
} from '../../fixtures/check/buying/index.ts'
import { at, bookingOf, errorCode, isObject, textOf } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  type Exchange,
  independently,
  orOrdinary,
  type ProductCheck,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_SORT)

/** JSON bodies of a cancellation that are not objects. */
const NO_OBJECTS = ['[]', '"changed my mind"', '5', '[{"reason":"x"}]', 'true', 'false', '0', '""'] as const

/** Returns the sorted ids of a booking's items. */
const itemIdsOf = (booking: unknown): unknown[] => {
  const items = at(booking, 'items')
  return Array.isArray(items) ? items.map(item => at(item, 'item_id')).sort() : []
}

/** Returns the first cancellation that is accepted, or the last of some that are refused. */
async function untilAccepted<Made extends { answer: Exchange }>(
  cancelled: () => Promise<Made>,
): Promise<Made> {
  let last = await cancelled()
  for (let time = 2; last.answer.response.status >= 400 && time <= ROUNDS; time++) last = await cancelled()
  return last
}

/** Publishes the voucher of a booking where that can be done. */
const printed = ({ arrange, control }: ProductCheck, booked: StandingBooking): Promise<StandingBooking> =>
  orOrdinary(
    async () => {
      await control.publishVouchers(await arrange.actor())
      return arrange.voucherReady(booked)
    },
    async () => booked,
  )

/** The number of bookings cancelled in part if a supplier refuses the whole. */
const TRIES = 3

/** Cancels a booking of which one item cannot be cancelled, and looks at what is told of each. */
async function tellsOfEachItem(check: ProductCheck): Promise<void> {
  const { v2, arrange, control, expect, claim } = check
  control.require('setOutcome')
  const booked = async (items: number) =>
    arrange.cancellableBooking({ offers: await arrange.offersTogether(items) })
  const cancelled = async () => {
    const made = await orOrdinary(
      () => booked(arrange.realIsFree ? 3 : 2),
      () => booked(2),
    )
    const { bookingId, booking, key, body } = await printed(check, made)
    await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'partial' })
    const answer = assume.supplierAsked(await v2.cancel(bookingId))
    return { bookingId, booking, key, body, answer }
  }
  let last = await cancelled()
  // A supplier may refuse the whole too, but hardly every time.
  for (let time = 1; time < TRIES && errorCode(last.answer) === 'CANCELLATION_REJECTED'; time++) {
    last = await cancelled()
  }
  const { bookingId, booking, key, body, answer } = last
  expect(answer, 'V2-CANCEL-PARTIAL').toFailWith('CANCELLATION_PARTIAL')
  const items = at(answer.response.json, 'error.details.items')
  const told = textOf(items ?? null)
  const all = itemIdsOf(booking).length
  const isTold = (holds: boolean, expected: string, observed = told) => {
    const tried = 'Cancelling items of which one cannot be cancelled'
    claim('V2-CANCEL-PARTIAL-ITEMS', holds, { tried, expected, observed, answer })
  }
  isTold(Array.isArray(items) && items.length === all, 'each in details.items')
  // Some items must have been cancelled, otherwise the whole would be refused.
  const inError = Array.isArray(items) ? items.filter(item => /:"error"/.test(textOf(item))) : []
  isTold(inError.length < all, 'one that was cancelled, and is not in error')
  // Not all other items may still be confirmed, if their states are documented ones.
  const stands = (item: unknown) => ['status', 'state'].some(name => at(item, name) === 'confirmed')
  const isKept = Array.isArray(items) && items.every(item => inError.includes(item) || stands(item))
  isTold(!isKept, 'one that was cancelled, and is not confirmed any more')
  const strange = itemIdsOf({ items }).filter(id => id !== undefined && !itemIdsOf(booking).includes(id))
  isTold(strange.length === 0, 'an item_id of the booking wherever one is shown', textOf(strange))
  // The field for the state is not shown, but one item is in error, as arranged.
  const saysNothing = (item: unknown) => isObject(item) && Object.keys(item).join() === 'item_id'
  const isSilent = Array.isArray(items) && items.some(saysNothing)
  isTold(!isSilent && /:"error"/.test(told), 'the state of each in details.items, which is error for one')
  // What the booking shows of its items afterwards is not shown. If it shows one in error, it must be the same one.
  // A rule about reads judges its voucher.
  await v2.voucher(bookingId)
  const read = await v2.booking(bookingId)
  const itemsShown = at(bookingOf(read), 'items')
  const shown = Array.isArray(itemsShown) ? itemsShown.filter(item => at(item, 'status') === 'error') : []
  const [[ofAnswer], [ofBooking]] = [itemIdsOf({ items: inError }), itemIdsOf({ items: shown })]
  const areTold = ofAnswer !== undefined && ofBooking !== undefined && shown.length === inError.length
  expect(read, 'V2-CANCEL-PARTIAL-ITEMS').toGive(
    `${textOf(ofAnswer)} in error, as in details.items`,
    !areTold || ofAnswer === ofBooking,
    textOf(ofBooking),
  )
  // Whatever is left of the booking, its key was used: a replay is judged like any other.
  expect(await v2.book({ key, body }), 'V2-IDEM-REPLAY-STATUS').toHaveStatus(200)
}

describe('POST /api/v2/bookings/{booking_id}/cancel', () => {
  test('cancels a confirmed booking', {
    tags: [
      'V2-CANCEL-ACCEPTED',
      'V2-CANCEL-ANSWER',
      'V2-CANCEL-NOT-ALREADY',
      'V2-CANCEL-READ',
      'V2-CANCEL-ITEMS-KEPT',
      'V2-BOOKING-REFERENCE',
      'V2-BOOKING-STATUS',
      'CACHE-V2-CANCEL',
      'CACHE-V2-READ',
    ],
  }, async ({ v2, act, arrange, expect }) => {
    const cancelled = async () => {
      const booked = await arrange.booking({ referenced: true, seldom: 3 })
      const { bookingId, body } = booked
      // Read before the cancellation, so that an outdated answer would show.
      await v2.booking(bookingId)
      const first = await v2.cancel(bookingId)
      const isJudged = !isCancellationRefusal(first, booked.booking, arrange.kind)
      const answer = isJudged ? first : await act.cancel(booked)
      return { bookingId, reference: body.external_reference, isFirst: isJudged, answer }
    }
    // A service that refuses the cancellation of every booking is at fault, even if it accepts a repeat.
    const { bookingId, reference, answer, isFirst } = await untilAccepted(cancelled)
    expect(answer, 'V2-CANCEL-ACCEPTED').toHaveStatus(200, 201, 202, 204)
    await independently(
      async () => {
        const read = await v2.booking(bookingId)
        expect(read, 'V2-CANCEL-READ').toShowBooking('status', 'cancelled')
        expect(read, 'V2-BOOKING-REFERENCE').toShowBooking('external_reference', reference)
        // The booking must stay cancelled at every read.
        const looks = arrange.trafficIsFree || arrange.kind === 'transfers' ? 3 : 1
        for (let look = 1; look <= looks; look++) await v2.booking(bookingId)
      },
      () => {
        // The place of the booking in the answer is open, but an answer without an object has none.
        expect(answer, 'V2-CANCEL-ANSWER').toGive('an object in JSON', isObject(answer.response.json))
        // The status is judged only if it is shown.
        if (at(bookingOf(answer), 'status') !== undefined) {
          expect(answer, 'V2-CANCEL-ANSWER').toShowBooking('status', 'cancelled')
        }
      },
      () => {
        assume(isObject(answer.response.json), 'a cancellation that is answered with an object')
        // A supplier that did not answer may have cancelled all the same.
        assume(isFirst, 'a cancellation that is answered at once')
        expect(answer, 'V2-CANCEL-NOT-ALREADY').not.toBeFlagged('already_cancelled')
      },
    )
  })

  test('says so when the booking was already cancelled, every time, also once it was replayed', {
    tags: [
      'V2-IDEM-REPLAY-CANCELLED',
      'V2-IDEM-REPLAY-FLAG',
      'V2-CANCEL-ACCEPTED',
      'V2-CANCEL-AGAIN-STATUS',
      'V2-CANCEL-AGAIN-FLAG',
      'V2-CANCEL-AGAIN-UNCHANGED',
      'V2-CANCEL-ITEMS-KEPT',
      'V2-VOUCHER-CANCELLED',
      'CACHE-V2-CANCEL',
    ],
  }, async context => {
    const { v2, act, arrange, expect } = context
    const saysSo = async (wish: Parameters<typeof arrange.booking>[0]) => {
      const cancelled = async () => {
        const booked = await arrange.booking(wish)
        return { ...booked, answer: await act.cancel(booked) }
      }
      const { bookingId, key, body, exchange, answer } = await untilAccepted(cancelled)
      expect(answer, 'V2-CANCEL-ACCEPTED').toSucceed()
      const repeats: Exchange[] = []
      // With each valid body.
      const bodies = [undefined, { reason: 'changed my mind' }, {}]
      const replays: Exchange[] = []
      while (repeats.length < repeatsOf(arrange)) {
        // What a repeat of the booking shows is its own matter, but it revives nothing.
        if (repeats.length >= 2) replays.push(await v2.book({ key, body }))
        repeats.push(await v2.cancel(bookingId, bodies[repeats.length % bodies.length]))
      }
      const read = await v2.booking(bookingId)
      const voucher = await v2.voucher(bookingId)
      await independently(
        () => expect(voucher, 'V2-VOUCHER-CANCELLED').toFailWith('BOOKING_CANCELLED'),
        ...repeats.map(again => () => {
          expect(again, 'V2-CANCEL-AGAIN-STATUS').toHaveStatus(200)
          expect(again, 'V2-CANCEL-AGAIN-FLAG').toBeFlagged('already_cancelled')
        }),
        () => expect(read, 'V2-CANCEL-AGAIN-UNCHANGED').toShowBooking('status', 'cancelled'),
        ...replays.map(again => () => expectReplay(context, again, exchange, 'V2-IDEM-REPLAY-CANCELLED')),
      )
    }
    const ofTwo = () =>
      orOrdinary(
        () => saysSo({ items: 2 }),
        () => saysSo({}),
      )
    const others = arrange.trafficIsFree ? [{ seldom: 1 }, {}] : []
    await independently(ofTwo, ...others.map(wish => () => saysSo(wish)))
  })

  test('is accepted without a body, though Content-Type says JSON', {
    kinds: EVERY_KIND,
    tags: ['V2-CANCEL-NO-BODY-DECLARED'],
  }, async ({ v2, arrange, expect }) => {
    const { bookingId, booking } = await arrange.cancellableBooking()
    const headers = { 'content-type': 'application/json' }
    const answer = await v2.cancel(bookingId, undefined, { headers })
    assume(!isCancellationRefusal(answer, booking, arrange.kind), 'a cancellation that is not refused')
    expect(answer).toHaveStatus(200, 201, 202, 204)
  })

  for (const [turn, [what, extra, clause]] of (
    [
      ['without a body', {}, 'V2-CANCEL-NO-BODY'],
      ['with an empty object', { body: {} }, 'V2-CANCEL-EMPTY-OBJECT'],
      ['with X-Test-Mode', { headers: { 'X-Test-Mode': 'true' } }, 'TEST-MODE-HEADER-CANCEL'],
      ['with a short reason', { body: { reason: 'Avión cancelado' } }, 'V2-CANCEL-REASON'],
    ] as const
  ).entries()) {
    test(`is accepted ${what}`, {
      tags: [clause],
      kinds: EVERY_KIND,
    }, async ({ v2, act, arrange, expect }) => {
      const isAccepted = async (items: number) => {
        const booked = await arrange.booking({ items, referenced: true })
        const answer = await act.cancel(booked, undefined, extra)
        expect(answer).toHaveStatus(200, 201, 202, 204)
        // If requests are limited, each kind of product reads one of these.
        if (!arrange.trafficIsFree && EVERY_KIND.indexOf(arrange.kind) !== turn) return
        expect(await v2.booking(booked.bookingId)).toShowBooking('status', 'cancelled')
      }
      await independently(...(arrange.trafficIsFree ? [1, 2] : [1]).map(items => () => isAccepted(items)))
    })
  }

  test('is refused with a body that is no object, and changes nothing', {
    tags: [
      'V2-CANCEL-NOT-OBJECT',
      'V2-CANCEL-NOT-OBJECT-UNCHANGED',
      'V2-VALIDATION-ERRORS',
      'V2-ERR-STATUS-VALIDATION-ERROR',
      'V2-INVALID-NOT-5XX',
    ],
  }, async ({ v2, act, arrange, expect }) => {
    const booked = await arrange.cancellableBooking()
    const { bookingId } = booked
    // If requests are limited, each kind of product tries two of them, so that together they try all.
    const first = (EVERY_KIND.indexOf(arrange.kind) * 2) % NO_OBJECTS.length
    const some = [...NO_OBJECTS, ...NO_OBJECTS].slice(first, first + 2)
    for (const body of arrange.trafficIsFree ? NO_OBJECTS : some)
      expect(await v2.cancel(bookingId, body), 'V2-CANCEL-NOT-OBJECT').toFailWith('VALIDATION_ERROR')
    const read = await v2.booking(bookingId)
    expect(read, 'V2-CANCEL-NOT-OBJECT-UNCHANGED').toShowBooking('status', 'confirmed')
    // Whether a reason that is not a string is accepted is open.
    const odd = await v2.cancel(bookingId, { reason: 5 })
    expect(odd, 'V2-INVALID-NOT-5XX').not.toBreakDown()
    if (odd.response.status < 300 || isPartial(odd)) return
    await act.cancelled(booked, undefined, { body: { reason: 'x' } })
  })

  test('a refusal leaves the booking as it was', {
    tags: [
      'V2-CANCEL-REJECTED',
      'V2-CANCEL-REJECTED-UNCHANGED',
      'V2-ERR-STATUS-CANCELLATION-REJECTED',
      'V2-VOUCHER-READY-STAYS',
    ],
  }, async check => {
    const { v2, act, arrange, control, expect } = check
    const made = await orOrdinary(
      () => arrange.cancellableBooking({ items: arrange.trafficIsFree ? 2 : 1 }),
      () => arrange.cancellableBooking(),
    )
    const booked = await printed(check, made)
    const { bookingId, exchange } = booked
    await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'refused' })
    const refused = assume.supplierAsked(await v2.cancel(bookingId))
    expect(refused, 'V2-CANCEL-REJECTED').toFailWith('CANCELLATION_REJECTED')
    const read = await v2.booking(bookingId)
    for (const look of [read, await v2.booking(bookingId)]) {
      expect(look, 'V2-CANCEL-REJECTED-UNCHANGED').toShowBooking('status', 'confirmed')
      expect(look, 'V2-CANCEL-REJECTED-UNCHANGED').toBeTheBookingOf(exchange)
    }
    const tried = 'Cancelling a booking whose supplier refuses it'
    claimStands(check, 'V2-CANCEL-REJECTED-UNCHANGED', tried, [exchange, refused, read])
    if (arrange.trafficIsFree && voucherStatusOf(read) === 'ready')
      expect(await v2.voucher(bookingId), 'V2-CANCEL-REJECTED-UNCHANGED').toHaveStatus(200)
    if (arrange.trafficIsFree) {
      await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'refused' })
      const again = assume.supplierAsked(await v2.cancel(bookingId, { reason: 'changed my mind' }))
      assume(again.response.status >= 400, 'control that lets a cancellation be refused twice')
      expect(again, 'V2-CANCEL-REJECTED').toFailWith('CANCELLATION_REJECTED')
      expect(await v2.booking(bookingId), 'V2-CANCEL-REJECTED-UNCHANGED').toBeTheBookingOf(exchange)
    }
    const next = await v2.cancel(bookingId)
    expect(next, 'V2-CANCEL-REJECTED-UNCHANGED').not.toBeFlagged('already_cancelled')
    // What can be done with the rest of a booking that was cancelled in part is open.
    if (next.response.status >= 400 && !isPartial(next)) await act.cancelled(booked)
  })

  test('is a success only if it cancelled, while a supplier fails', {
    tags: ['V2-CANCEL-READ'],
  }, async ({ v2, arrange, control, expect }) => {
    const { bookingId } = await arrange.cancellableBooking()
    const answers: Exchange[] = []
    for (const kind of ['providerError', 'providerUnavailable'] as const) {
      await control.setOutcome(await arrange.actor(), 'cancel', { kind })
      answers.push(await v2.cancel(bookingId))
    }
    assume(
      answers.some(({ response }) => response.status < 300),
      'a cancellation that is accepted while its supplier fails',
    )
    expect(await v2.booking(bookingId)).toShowBooking('status', 'cancelled')
  })

  test('tells what became of each item when only some could be cancelled', {
    tags: ['V2-CANCEL-PARTIAL', 'V2-CANCEL-PARTIAL-ITEMS', 'V2-ERR-STATUS-CANCELLATION-PARTIAL'],
    opportunistic: ['V2-IDEM-REPLAY-STATUS', 'V2-IDEM-REPLAY-SAME-BOOKING', 'V2-VOUCHER-READY'],
  }, async check => {
    const once = () => tellsOfEachItem(check)
    await independently(...(check.arrange.trafficIsFree ? [once, once] : [once]))
  })
})
