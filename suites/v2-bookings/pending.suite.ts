import {
  assumeCarried,
  CARRIED,
  claimCarried,
  claimCreatedNow,
  isCancellationRefusal,
  isPending,
  pendingBooking,
  REFERENCE,
  settle,
  settledBooking,
  unknownBooking,
  voucherStatusOf,
} from '../../fixtures/check/buying/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, bookingOf, errorCode, textOf } from '../../fixtures/contracts/index.ts'
import {
  assume,
  type BookingId,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  type Exchange,
  independently,
  type ProductCheck,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_SORT)

/** Tries to cancel a booking that cannot be cancelled, and reads it; if requests are free, again with a reason. */
async function cancelledInVain(
  { v2, arrange, expect }: ProductCheck,
  bookingId: BookingId,
  status: 'pending' | 'failed',
): Promise<void> {
  const clause = status === 'pending' ? 'V2-PENDING-CANCEL' : 'V2-FAILED-CANCEL'
  for (const body of arrange.trafficIsFree ? [undefined, { reason: 'Plans changed' }] : [undefined]) {
    const refused = await v2.cancel(bookingId, body)
    const read = await v2.booking(bookingId)
    await independently(
      () => expect(refused, clause).toFailWith('NOT_CANCELLABLE'),
      () => expect(read, `${clause}-UNCHANGED`).toShowBooking('status', status),
    )
  }
}

async function failedBooking(context: ProductCheck, items = 1) {
  const booking = await settledBooking(context, 'failed', { items })
  assume(booking.status === 'failed', 'a booking of unknown result that shows that it failed')
  return booking
}

/** Ends the check if an offer can be booked only once, whatever the result. */
async function assumeOffersLast({ act, arrange, v2 }: ProductCheck): Promise<void> {
  const offer = await arrange.offer()
  await act.booked('an offer', { body: arrange.body(offer) })
  const again = await v2.book({ key: arrange.key(), body: arrange.anyBody([offer]) })
  assume(errorCode(again) !== 'OFFER_EXPIRED', 'an offer that can be booked more than once')
}

describe('a booking whose result is unknown', () => {
  test('is answered with 202, pending, without money and items', {
    tags: [
      'V2-PENDING-STATUS',
      'V2-PENDING-STATE',
      'V2-PENDING-ID',
      'V2-PENDING-CURRENCY',
      'V2-PENDING-TOTAL',
      'V2-PENDING-ITEMS',
      'V2-PENDING-VOUCHER-STATUS',
      'V2-PENDING-READ',
      'V2-BOOKING-REFERENCE',
    ],
    opportunistic: ['V2-BOOKING-CREATED-NOW'],
  }, async context => {
    const { v2, arrange, expect } = context
    const { actor, exchange, bookingId } = await unknownBooking(context, 'confirmed')
    expect(exchange, 'V2-PENDING-STATUS').toHaveStatus(202)
    expect(exchange, 'V2-PENDING-STATE').toShowBooking('status', 'pending')
    expect(exchange, 'V2-PENDING-ID').not.toTell('booking_id', bookingId ?? null, null)
    // A client that waits for the result reads several times.
    for (let time = 1; time <= (arrange.trafficIsFree ? 3 : 1); time++) {
      const read = await v2.booking(bookingId as number)
      expect(read, 'V2-PENDING-READ').toHaveStatus(200)
      expect(read, 'V2-PENDING-READ').toShowBooking('status', 'pending')
    }
    claimCreatedNow(context, exchange, actor)
  })

  test('becomes confirmed, in full, when it turns out to have been booked', {
    tags: ['V2-PENDING-SETTLES-CONFIRMED', 'V2-PENDING-SETTLES-FULL', 'V2-BOOKING-REFERENCE'],
    opportunistic: ['V2-BOOK-READ-SAME'],
  }, async context => {
    const { v2, expect } = context
    const { read, ...booking } = await settledBooking(context, 'confirmed')
    expect(read, 'V2-PENDING-SETTLES-CONFIRMED').toShowBooking('status', 'confirmed')
    expect(read, 'V2-BOOKING-REFERENCE').toShowBooking('external_reference', REFERENCE)
    // It is not pending again.
    if (context.arrange.trafficIsFree) await v2.booking(booking.bookingId)
    const { currency } = booking.offer
    // Another form of the currency is another fault.
    if (!/^[A-Z]{3}$/.test(textOf(currency ?? null)))
      expect(read, 'V2-PENDING-SETTLES-FULL').not.toShowBooking('currency', null)
    else expect(read, 'V2-PENDING-SETTLES-FULL').toShowBooking('currency', currency)
    expect(read, 'V2-PENDING-SETTLES-FULL').not.toShowBooking('total', null)
    const items = at(bookingOf(read), 'items')
    const isListed = Array.isArray(items) && items.length > 0
    expect(read, 'V2-PENDING-SETTLES-FULL').toGive('a booking that lists its items', isListed)
    // Which fields a ticket or hotel item shows depends on its type.
    if (context.arrange.kind !== 'transfers') return
    for (const name of ['first_name', 'last_name'])
      expect(read, 'V2-PENDING-SETTLES-FULL').not.toShowBooking(`items[0].lead_traveler.${name}`, null)
  })

  test('becomes failed when nothing was booked', { tags: ['V2-PENDING-SETTLES-FAILED'] }, async context => {
    const { read } = await settledBooking(context, 'failed')
    context.expect(read).toShowBooking('status', 'failed')
  })

  test('is neither cancelled nor handed out while it is pending', {
    tags: [
      'V2-PENDING-CANCEL',
      'V2-PENDING-CANCEL-UNCHANGED',
      'V2-PENDING-VOUCHER',
      'V2-ERR-STATUS-NOT-CANCELLABLE',
      'V2-ERR-STATUS-VOUCHER-NOT-READY',
    ],
  }, async context => {
    const { v2, expect } = context
    const { bookingId } = await pendingBooking(context, 'confirmed')
    await independently(
      () => cancelledInVain(context, bookingId, 'pending'),
      async () => {
        for (let time = 1; time <= (context.arrange.trafficIsFree ? 2 : 1); time++)
          expect(await v2.voucher(bookingId), 'V2-PENDING-VOUCHER').toFailWith('VOUCHER_NOT_READY')
      },
    )
  })

  test('settles as it would have although it was to be cancelled meanwhile', {
    kinds: EVERY_KIND,
    tags: ['V2-PENDING-CANCEL-UNCHANGED', 'TENANCY-V2-CANCEL-UNCHANGED'],
  }, async context => {
    const settlesAsEver = async (by: Pick<ProductCheck, 'v2'>, clause: ClauseId) => {
      const meanwhile = async (id: BookingId) => {
        await by.v2.cancel(id, { reason: 'Plans changed' })
        context.expect(await context.v2.booking(id), clause).not.toShowBooking('status', 'cancelled')
      }
      const { read } = await settledBooking(context, 'confirmed', { meanwhile })
      context.expect(read, clause).toShowBooking('status', 'confirmed')
    }
    await independently(
      () => settlesAsEver(context, 'V2-PENDING-CANCEL-UNCHANGED'),
      async () => settlesAsEver(await context.arrange.actor('otherCompany'), 'TENANCY-V2-CANCEL-UNCHANGED'),
    )
  })

  test('is cancelled as any other once it is confirmed', {
    kinds: EVERY_KIND,
    tags: ['V2-CANCEL-ACCEPTED'],
  }, async context => {
    const { v2, arrange, expect } = context
    const { bookingId, read, status } = await settledBooking(context, 'confirmed')
    assume(status === 'confirmed', 'a booking of unknown result that was made')
    const answer = await v2.cancel(bookingId)
    assume(
      !isCancellationRefusal(answer, bookingOf(read), arrange.kind),
      'a cancellation that is not refused',
    )
    expect(answer).toHaveStatus(200, 201, 202, 204)
  })

  test('keeps its key from any other body, and so does what becomes of it', {
    tags: ['V2-IDEM-REUSED-REFERENCE'],
  }, async context => {
    const { v2, expect } = context
    const booking = await pendingBooking(context, 'confirmed')
    const { key, body, bookingId } = booking
    const reuse = async () => v2.book({ key, body: { ...body, external_reference: 'another' } })
    const statusNow = async () => bookingOf(await v2.booking(bookingId))?.status
    const reused = await reuse()
    assume((await statusNow()) !== 'failed', 'a booking of unknown result that does not fail meanwhile')
    // Whether the key of a pending booking counts as in progress for another body is open.
    expect(reused).toFailWith('IDEMPOTENCY_KEY_REUSED', 'BOOKING_IN_PROGRESS')
    await settle(context.control, booking.actor)
    assume((await statusNow()) === 'confirmed', 'a booking of unknown result that was made')
    expect(await reuse()).toFailWith('IDEMPOTENCY_KEY_REUSED')
  })

  test('is confirmed at the price that was offered, though it has moved meanwhile', {
    tags: ['V2-OFFER-CARRIES-PRICE', 'V2-IDEM-REPLAY-PRICE-MOVED'],
    opportunistic: CARRIED.filter(clause => clause !== 'V2-OFFER-CARRIES-PRICE'),
  }, async context => {
    const { control, v2, claim, expect } = context
    const booking = await pendingBooking(context, 'confirmed')
    await control.changePrice(booking.actor, booking.offer.productId, 6)
    await settle(context.control, booking.actor)
    const read = await v2.booking(booking.bookingId)
    assume(bookingOf(read)?.status === 'confirmed', 'a booking of unknown result that was made')
    assumeCarried(claimCarried(claim, { offer: booking.offer, answer: read }), ['V2-OFFER-CARRIES-PRICE'])
    expect(await v2.book(booking), 'V2-IDEM-REPLAY-PRICE-MOVED').toHaveStatus(200)
  })

  test('is answered with the same 202 again, and replayed with 200 once it is confirmed', {
    tags: [
      'V2-IDEM-PENDING-STATUS',
      'V2-IDEM-PENDING-SAME-BOOKING',
      'V2-IDEM-PENDING-THEN-REPLAY',
      'V2-IDEM-REPLAY-FLAG',
    ],
  }, async context => {
    const { v2, expect } = context
    const booking = await pendingBooking(context, 'confirmed')
    const { key, body } = booking
    const repeats = [await v2.book({ key, body }), await v2.book({ key, body })]
    // A booking that the market itself left pending may settle at any time.
    const meanwhile = booking.rounds === 1 ? undefined : bookingOf(await v2.booking(booking.bookingId))
    assume(
      meanwhile === undefined || meanwhile.status === 'pending',
      'a booking of unknown result that settles as arranged',
    )
    await settle(context.control, booking.actor)
    const { status } = bookingOf(await v2.booking(booking.bookingId)) ?? {}
    assume(status !== 'failed', 'a booking of unknown result that turns out to have been made')
    const replay = await v2.book({ key, body })
    await independently(
      ...repeats.flatMap(again => [
        async () => expect(again, 'V2-IDEM-PENDING-SAME-BOOKING').toBeTheBookingOf(booking.exchange),
        async () => expect(again, 'V2-IDEM-PENDING-STATUS').toHaveStatus(202),
      ]),
      async () => {
        expect(replay, 'V2-IDEM-PENDING-THEN-REPLAY').toBeTheBookingOf(booking.exchange)
        expect(replay, 'V2-IDEM-PENDING-THEN-REPLAY').toHaveStatus(200)
        expect(replay, 'V2-IDEM-PENDING-THEN-REPLAY').toShowBooking('status', 'confirmed')
        expect(replay, 'V2-IDEM-REPLAY-FLAG').toBeFlagged('idempotent_replay')
      },
      async () => {
        if (!context.arrange.trafficIsFree) return
        const several = await pendingBooking(context, 'confirmed', { items: 2 })
        const again = await v2.book({ key: several.key, body: several.body })
        expect(again, 'V2-IDEM-PENDING-SAME-BOOKING').toBeTheBookingOf(several.exchange)
      },
    )
  })
})

/** The number of bookings that must stay pending for repeats but be confirmed when read. */
const UNHEARD = 3

describe('a booking that settles unread', () => {
  test('is replayed with 200 to whoever repeats the request and reads nothing', {
    kinds: EVERY_KIND,
    tags: ['V2-IDEM-PENDING-THEN-REPLAY'],
  }, async context => {
    const { v2, expect, claim } = context
    const told: Exchange[] = []
    for (let time = 1; time <= UNHEARD; time++) {
      const booking = await pendingBooking(context, 'confirmed')
      const { key, body, bookingId } = booking
      await settle(context.control, booking.actor)
      const repeat = await v2.book({ key, body })
      if (!isPending(repeat)) {
        const { status } = bookingOf(repeat) ?? {}
        // The market may have left another one pending, whose failure frees the key.
        const isFailed =
          repeat.response.status === 201 && bookingOf(await v2.booking(bookingId))?.status === 'failed'
        assume(!isFailed, 'a booking of unknown result that does not fail meanwhile')
        if (status === 'confirmed') expect(repeat).toHaveStatus(200)
        // A pending booking is answered 202, and a 200 has the result.
        else if (status === 'pending') expect(repeat).toShowBooking('status', 'confirmed')
        break
      }
      const read = await v2.booking(bookingId)
      // The source may take time, but not always exactly until a read.
      const isMade = bookingOf(read)?.status === 'confirmed'
      assume(isMade, 'a booking of unknown result that turns out to have been made')
      told.push(repeat, read)
    }
    claim('V2-IDEM-PENDING-THEN-REPLAY', told.length < 2 * UNHEARD, {
      tried: `Repeating the request of a booking that has settled, and reading it then, ${UNHEARD} times`,
      expected: 'a replay with 200',
      observed: '202 each time, and a read right after it that shows the booking as confirmed',
      exchanges: told,
    })
  })
})

/** Hotel offers are short-lived: one whose booking took minutes to fail may have expired. */
const staysBookable = ({ arrange }: ProductCheck): boolean => arrange.kind !== 'hotels'

describe('a booking that failed', () => {
  for (const [whose, clause] of [
    ['its own', 'V2-FAILED-REBOOK-SAME-KEY'],
    ['a new', 'V2-FAILED-REBOOK-NEW-KEY'],
  ] as const) {
    test(`can be booked again with ${whose} key`, { tags: [clause] }, async context => {
      const { act, arrange, expect } = context
      const isOwn = whose === 'its own'
      if (!isOwn) await assumeOffersLast(context)
      const isBooked = async (items: number) => {
        let key = ''
        const { answer: again } = await act.book({
          async body() {
            const booking = await failedBooking(context, items)
            key = booking.key
            return booking.body
          },
          ...(isOwn && { key: () => key, without: async () => arrange.body(await arrange.offer()) }),
          settled: true,
          judged: staysBookable(context),
        })
        assume(errorCode(again) !== 'PRICE_CHANGED', 'a price that stands while a booking fails')
        expect(again).toHaveStatus(201, 202)
        expect(again).toShowBooking('status', 'confirmed')
      }
      await independently(...(arrange.trafficIsFree ? [1, 2] : [1]).map(items => () => isBooked(items)))
    })
  }

  test('is not cancellable and stays failed', {
    tags: ['V2-FAILED-CANCEL', 'V2-FAILED-CANCEL-UNCHANGED'],
  }, async context => {
    const { bookingId } = await failedBooking(context)
    await cancelledInVain(context, bookingId, 'failed')
  })

  test('has no voucher', { tags: ['V2-FAILED-VOUCHER'] }, async context => {
    const { bookingId, read } = await failedBooking(context)
    assume(voucherStatusOf(read) === 'none', 'a failed booking whose voucher status is none')
    context.expect(await context.v2.voucher(bookingId)).toFailWith('VOUCHER_NOT_AVAILABLE')
  })
})
