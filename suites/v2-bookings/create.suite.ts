import { referencesOf } from '../../fixtures/arbitraries/index.ts'
import { ONE_ADULT } from '../../fixtures/check/products/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, bookingOf, objects, textOf, written } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  type Exchange,
  orOrdinary,
  type ProductCheck,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_KIND)

/** References at the limits: 50 ASCII bytes, special characters, digits only, and zero. */
const REFERENCES = [
  'A2345678901234567890123456789012345678901234567-50',
  "A b/c #1_z.9 d'e",
  'é'.repeat(25),
  '0012345',
  '0',
  // Characters of four bytes, and a combining accent.
  'castle \u{1f3f0} cafe\u0301',
]

/** Decides that each booked item shows the data of its offer. The order of items is open. */
function claimOfEach(
  expect: ProductCheck['expect'],
  answer: Exchange,
  clause: ClauseId,
  path: string,
  offered: readonly unknown[],
  none: unknown = null,
): void {
  const shown = objects(at(bookingOf(answer), 'items')).map(item => textOf(at(item, path) ?? none))
  expect(answer, clause).toTell(`${path} of the items`, shown.toSorted(), offered.map(textOf).toSorted())
}

describe('POST /api/v2/bookings', () => {
  test('a booking made in full is created and confirmed, and shows everything about itself', {
    kinds: EVERY_SORT,
    tags: [
      'V2-BOOK-CREATED-STATUS',
      'V2-BOOK-CREATED-CONFIRMED',
      'V2-IDEM-FIRST-NOT-REPLAY',
      'V2-BOOKING-WRAPPED-CREATE',
      'V2-BOOKING-REQUEST-ID-CREATE',
      'V2-BOOKING-ID',
      'V2-BOOKING-STATUS',
      'V2-BOOKING-CREATED-AT',
      'V2-BOOKING-CURRENCY',
      'V2-BOOKING-TOTAL',
      'V2-BOOKING-TOTAL-ITEM',
      'V2-BOOKING-ITEMS',
      'V2-BOOKING-ITEMS-COMPLETE',
      'V2-BOOKING-ITEM-ID',
      'V2-BOOKING-ITEM-TIME-SLOT',
      'V2-BOOKING-VOUCHER',
      'V2-BOOKING-VOUCHER-STATUS',
      'V2-BOOKING-TEST-MODE',
      'FORMAT-V2-TIMESTAMP-CREATED-AT',
      'V2-BOOKING-CREATED-NOW',
      'FORMAT-V2-AMOUNT-BOOKING-TOTAL',
      'FORMAT-V2-CURRENCY-BOOKING',
      'CACHE-V2-BOOK',
    ],
    // The market may leave a booking pending, and items other than transfers need not show who leads them.
    opportunistic: [
      'V2-PENDING-CANCEL',
      'V2-PENDING-CANCEL-UNCHANGED',
      'V2-PENDING-VOUCHER',
      'V2-BOOKING-LEAD-TRAVELER-SENT',
    ],
  }, async context => {
    const { act, arrange, expect } = context
    const offer = await arrange.offer()
    const { answer } = await act.book({ body: arrange.body(offer), settled: true })
    expect(answer, 'V2-BOOK-CREATED-STATUS').toHaveStatus(201)
    expect(answer, 'V2-BOOK-CREATED-CONFIRMED').toShowBooking('status', 'confirmed')
  })

  test('a booked transfer shows all that is written out about it', {
    tags: [
      'V2-BOOKING-PRODUCT',
      'V2-BOOKING-PRODUCT-TYPE',
      'V2-BOOKING-PRODUCT-ID',
      'V2-BOOKING-PRODUCT-NAME',
      'V2-BOOKING-ITEM-DATE',
      'V2-BOOKING-ITEM-PAX',
      'V2-BOOKING-ITEM-TOTAL',
      'V2-BOOKING-ITEM-STATUS',
      'V2-BOOKING-CANCELLATION',
      'V2-BOOKING-CANCELLATION-ALLOWED',
      'V2-BOOKING-CANCELLATION-DEADLINE',
      'V2-BOOKING-CANCELLATION-PENALTY',
      'V2-BOOKING-LEAD-TRAVELER',
      'V2-BOOKING-LEAD-TRAVELER-FIELDS',
      'V2-BOOKING-LEAD-TRAVELER-SENT',
      'V2-OFFER-CARRIES-DATE',
      'V2-OFFER-CARRIES-PRODUCT',
    ],
    kinds: ['transfers'],
  }, async ({ v2, arrange, expect }) => {
    const one = await arrange.booking()
    assume.accepted(await v2.booking(one.bookingId), 'a booking that is read')
    const { exchange: answer, offers } = await arrange.booking({ items: 2 })
    const dates = offers.map(({ date }) => date)
    claimOfEach(expect, answer, 'V2-OFFER-CARRIES-DATE', 'date', dates)
    const ids = offers.map(({ productId }) => productId)
    claimOfEach(expect, answer, 'V2-OFFER-CARRIES-PRODUCT', 'product.product_id', ids)
  })

  test('each of two items is for as many people as its offer', {
    tags: ['V2-OFFER-CARRIES-PAX'],
    kinds: ['transfers', 'parkA', 'parkB'],
  }, async ({ act, arrange, expect }) => {
    const { offer, answer } = await act.booked('two items, for one adult and for more', {
      async offer() {
        const one = await arrange.offer({ pax: ONE_ADULT })
        const pax = { ...ONE_ADULT, adult: 2, child: arrange.kind === 'transfers' ? 1 : 0 }
        return [one, await arrange.offer({ date: one.date, pax })]
      },
      body: offers => arrange.anyBody(offers),
      settled: true,
    })
    const items = objects(at(bookingOf(answer), 'items'))
    const isShown = arrange.kind === 'transfers' || items.every(item => at(item, 'pax.adult') != null)
    assume(isShown, 'items that show how many people they are for')
    for (const who of ['adult', 'child'] as const) {
      const people = offer.map(({ pax }) => pax?.[who] ?? 0)
      claimOfEach(expect, answer, 'V2-OFFER-CARRIES-PAX', `pax.${who}`, people, 0)
    }
  })

  test('a booked ticket or hotel shows what it is, how it stands and what it costs', {
    tags: ['V2-BOOKING-ITEM-SHAPED'],
    kinds: ['parkA', 'parkB', 'hotels'],
  }, async ({ v2, arrange, expect }) => {
    const { bookingId, exchange } = await arrange.booking()
    expect(exchange).not.toShowBooking('items[0].product.product_type', 'transfer')
    assume.accepted(await v2.booking(bookingId), 'a booking that is read')
  })

  test('day, price and deadline of an item are written as such where it shows them', {
    kinds: EVERY_SORT,
    tags: [
      'FORMAT-V2-DATE-ITEM',
      'FORMAT-V2-AMOUNT-ITEM-TOTAL',
      'FORMAT-V2-AMOUNT-PENALTY',
      'FORMAT-V2-TIMESTAMP-DEADLINE',
    ],
  }, async ({ arrange }) => {
    const { booking } = await arrange.booking({ items: 2 })
    const penalty = ['amount', 'currency'].map(name => `cancellation.penalty.${name}`)
    const untold = ['date', 'total', 'cancellation.deadline', ...penalty].filter(
      path => at(booking, `items[0].${path}`) == null,
    )
    assume(untold.length === 0, `an item that shows ${untold.join(', ')}`)
  })

  test('a booking is read as it was created', {
    kinds: EVERY_SORT,
    tags: [
      'V2-BOOK-READ-SAME',
      'V2-BOOKING-WRAPPED-READ',
      'V2-BOOKING-REQUEST-ID-READ',
      'V2-BOOKING-ID',
      'FORMAT-V2-KEYS-BOOKING',
      'CACHE-V2-READ',
      'TEST-MODE-V2-READS',
    ],
  }, async ({ v2, arrange, expect }) => {
    const { bookingId, booking, exchange } = await arrange.booking({ referenced: true })
    // Several reads: a cached one may be incomplete.
    for (let time = 1; time <= (arrange.trafficIsFree ? 3 : 2); time++) {
      const read = await v2.booking(bookingId)
      expect(read, 'TEST-MODE-V2-READS').toHaveStatus(200)
      expect(read, 'V2-BOOK-READ-SAME').toBeTheBookingOf(exchange)
      expect(read, 'V2-BOOK-READ-SAME').toShowBooking('status', booking.status)
    }
  })

  test('a booking without external_reference is accepted', {
    tags: ['V2-BOOK-REFERENCE-OPTIONAL', 'V2-BOOKING-REFERENCE'],
  }, async ({ act, arrange, expect }) => {
    const { answer } = await act.book({
      body: async () => arrange.body(await arrange.offer()),
      without: async () => arrange.body(await arrange.offer(), 'any-reference'),
      orLeft: ({ sent }) => sent.external_reference === undefined,
    })
    expect(answer, 'V2-BOOK-REFERENCE-OPTIONAL').toHaveStatus(201, 202)
    const { external_reference: shown } = bookingOf(answer) ?? {}
    const isNone = (shown ?? '') === '' || written.safeParse(shown).success
    expect(answer, 'V2-BOOKING-REFERENCE').toGive('no reference, or null', isNone, textOf(shown ?? null))
  })

  test('an external_reference of up to 50 bytes is accepted and said back', {
    tags: ['V2-BOOK-REFERENCE-50-BYTES', 'V2-BOOKING-REFERENCE'],
  }, async ({ v2, act, arrange, expect, holds }) => {
    const some = [...REFERENCES.slice(0, 3), ...arrange.drawn(REFERENCES.slice(3), 1)]
    await holds(
      referencesOf(50),
      async reference => {
        const { answer } = await act.book({
          body: async () => arrange.body(await arrange.offer(), reference),
        })
        expect(answer, 'V2-BOOK-REFERENCE-50-BYTES').toHaveStatus(201, 202)
        expect(answer, 'V2-BOOKING-REFERENCE').toShowBooking('external_reference', reference)
        const read = await v2.booking(bookingOf(answer)?.booking_id as number)
        assume.accepted(read, 'a read of the booking')
        expect(read, 'V2-BOOKING-REFERENCE').toShowBooking('external_reference', reference)
      },
      { runs: 6, live: 1, examples: arrange.trafficIsFree ? REFERENCES : arrange.drawn(some, 1) },
    )
  })

  test('the external_reference of an earlier booking makes a booking of its own', {
    kinds: EVERY_SORT,
    tags: ['V2-BOOK-REFERENCE-REPEATS'],
  }, async ({ v2, act, arrange, expect }) => {
    const first = await arrange.booking({ referenced: true })
    const reference = textOf(first.body.external_reference)
    let last: Exchange | undefined
    for (let time = 2; time <= (arrange.trafficIsFree ? 3 : 2); time++) {
      const { answer: another } = await act.book({
        body: async () => arrange.body(await arrange.offer(), reference),
        judged: true,
      })
      expect(another).toHaveStatus(201, 202)
      expect(another).toBeAnotherBookingThan(first.exchange)
      expect(another).not.toBeFlagged('idempotent_replay')
      last = another
    }
    // Cancels one, of which the others must not be affected.
    if (!arrange.trafficIsFree || last === undefined) return
    await act.cancelled({ bookingId: bookingOf(last)?.booking_id as number })
    expect(await v2.booking(first.bookingId)).toShowBooking('status', 'confirmed')
  })

  test('several items are booked together, each with all about it', {
    tags: [
      'V2-BOOK-CREATED-STATUS',
      'V2-BOOKING-ITEMS-COMPLETE',
      'V2-BOOKING-ITEM-ID',
      'V2-BOOKING-ITEM-ID-APART',
      'V2-BOOKING-TOTAL-SUM',
      'V2-BOOK-READ-SAME',
    ],
  }, async ({ v2, act, arrange, expect }) => {
    const together = (count: number) => () => arrange.offersTogether(count)
    const { answer } = await act.book({
      offer: () => orOrdinary(together(arrange.realIsFree ? 3 : 2), together(2)),
      settled: true,
      ...(arrange.realIsFree ? {} : { items: 2, orLeft: () => true }),
    })
    expect(answer, 'V2-BOOK-CREATED-STATUS').toHaveStatus(201)
    const read = await v2.booking(bookingOf(answer)?.booking_id as number)
    expect(read, 'V2-BOOK-READ-SAME').toBeTheBookingOf(answer)
  })
})
