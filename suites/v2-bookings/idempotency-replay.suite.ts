import {
  claimNoneMore,
  expectReplay,
  isMarketRefusal,
  type StandingBooking,
  untilRefusedForItself,
} from '../../fixtures/check/buying/index.ts'
import { at, bookingOf, type JsonObject } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  type Exchange,
  independently,
  type ProductCheck,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_SORT)

/** The length of a short key: a shorter one might be in use. */
const SHORT = 7

/**
 * Repeats a booking after a change. If the repeat succeeds, the change is verified: the same body with another key must be
 * refused.
 */
async function repeatedAlthough(
  { v2, arrange }: ProductCheck,
  { key, body }: Pick<StandingBooking, 'key' | 'body'>,
  what: string,
): Promise<Exchange> {
  const again = await v2.book({ key, body })
  if (again.response.status >= 300) return again
  const anew = await v2.book({ key: arrange.key(), body })
  assume(
    anew.response.status >= 400,
    `${what}: control was asked for one, and the same booking with another key is accepted (exchange ${anew.id})`,
  )
  return again
}

/** Decides that headers without meaning for a v2 booking do not make a repeat another request. */
async function isReplayedBeside(
  context: ProductCheck,
  { key, body, exchange: first }: Pick<StandingBooking, 'key' | 'body' | 'exchange'>,
): Promise<void> {
  const { v2, arrange } = context
  const besides = [{ 'x-test-mode': 'true' }, { 'x-idempotency-key': arrange.key() }]
  for (const headers of [
    ...arrange.drawn(besides, 1),
    ...(arrange.trafficIsFree ? [{ 'x-test-mode': 'false' }] : []),
  ]) {
    const repeat = await v2.book({ key, body, headers })
    // Whether a header of v1 is accepted beside the key is open.
    if (repeat.response.status < 400 || 'x-test-mode' in headers) await expectReplay(context, repeat, first)
  }
}

/** Changes since the booking, with the part of control that makes them. A repeat must ignore them. */
const CHANGES = [
  ['the price has moved', 'V2-IDEM-REPLAY-PRICE-MOVED', 'changePrice'],
  ['the rate is gone', 'V2-IDEM-REPLAY-OFFER-GONE', 'setOutcome'],
  ['control has taken its rate away', 'V2-IDEM-REPLAY-OFFER-GONE', 'expireOffers'],
  ['nothing is left to sell', 'V2-IDEM-REPLAY-SOLD-OUT', 'setStock'],
] as const

describe('Idempotency-Key: the same key and body after completion', () => {
  test('replays the booking', {
    tags: [
      'V2-IDEM-REPLAY-STATUS',
      'V2-IDEM-REPLAY-FLAG',
      'V2-IDEM-REPLAY-SAME-BOOKING',
      'V2-IDEM-READ-NOT-REPLAY',
      'CACHE-V2-BOOK',
    ],
  }, async context => {
    const { v2, arrange, expect } = context
    const { key, body, bookingId, exchange: first } = await arrange.booking({ referenced: true, seldom: 0 })
    // Several repeats: a service may forget the key after the first. Reads in between must make no difference.
    for (let repeat = 1; repeat <= 2; repeat++)
      await expectReplay(context, await v2.book({ key, body }), first)
    if (arrange.trafficIsFree) await isReplayedBeside(context, { key, body, exchange: first })
    const read = assume.accepted(await v2.booking(bookingId), 'the booking that was replayed')
    expect(read, 'V2-IDEM-READ-NOT-REPLAY').not.toBeFlagged('idempotent_replay')
    // If requests are limited, the last repeat has headers without meaning.
    if (arrange.trafficIsFree) await expectReplay(context, await v2.book({ key, body }), first)
    else await isReplayedBeside(context, { key, body, exchange: first })
    // Neither a read nor a cancellation may be flagged as a replay.
    expect(await v2.cancel(bookingId), 'V2-IDEM-READ-NOT-REPLAY').not.toBeFlagged('idempotent_replay')
  })

  test('says so with a boolean, where the booking says it', {
    kinds: EVERY_KIND,
    tags: ['V2-BOOKING-REPLAY-BOOLEAN'],
  }, async ({ v2, arrange }) => {
    const { key, body } = await arrange.booking()
    const again = assume.accepted(await v2.book({ key, body }), 'a repeat')
    assume(at(bookingOf(again), 'idempotent_replay') != null, 'a replayed booking with idempotent_replay')
  })

  test('replays all items of a booking', {
    tags: ['V2-IDEM-REPLAY-SAME-BOOKING', 'V2-IDEM-REPLAY-STATUS', 'V2-IDEM-REPLAY-FLAG'],
  }, async context => {
    const { v2, arrange } = context
    const { key, body, exchange: first } = await arrange.booking({ items: 2 })
    await expectReplay(context, await v2.book({ key, body }), first)
  })

  test('replays the booking of a test credential, too', {
    kinds: EVERY_KIND,
    forReal: false,
    tags: ['TEST-MODE-V2-IDEM'],
  }, async ({ v2, arrange, expect }) => {
    await arrange.testCredential()
    const { key, body, exchange: first } = await arrange.booking()
    const again = await v2.book({ key, body })
    expect(again).toHaveStatus(200)
    expect(again).toBeTheBookingOf(first)
  })

  test('makes no other booking', {
    tags: ['V2-IDEM-REPLAY-NO-SECOND'],
  }, async ({ v2, arrange, control, claim }) => {
    const actor = await arrange.actor()
    const { key, body, exchange: first } = await arrange.booking()
    const before = await control.counters(actor)
    const repeats = [await v2.book({ key, body }), await v2.book({ key, body })]
    const after = await control.counters(actor)
    assume(
      after.bookings[arrange.kind] !== before.bookings[arrange.kind] ||
        repeats.some(({ response }) => response.status < 300),
      'a repeat that is answered with a booking',
    )
    claimNoneMore({ claim }, 'V2-IDEM-REPLAY-NO-SECOND', {
      tried: 'Repeating key and body twice after completion',
      ...{ before: before.bookings[arrange.kind] ?? 0, after: after.bookings[arrange.kind] ?? 0 },
      exchanges: [first, ...repeats],
    })
  })

  for (const [although, clause, by] of CHANGES) {
    test(`replays it although ${although}`, {
      tags: [clause, 'V2-IDEM-REPLAY-FLAG'],
    }, async context => {
      const { arrange, control } = context
      control.require(by)
      const actor = await arrange.actor()
      const { key, body, offers, exchange: first } = await arrange.booking()
      const { productId } = offers[0]!
      await {
        changePrice: () => control.changePrice(actor, productId, 5),
        setOutcome: () => control.setOutcome(actor, 'book', { kind: 'expired' }),
        expireOffers: () => control.expireOffers(actor),
        setStock: () => control.setStock(actor, productId, 0),
      }[by]()
      const again = await repeatedAlthough(context, { key, body }, `a booking although ${although}`)
      await expectReplay(context, again, first, clause)
    })
  }
})

describe('Idempotency-Key: the key itself', () => {
  test('a booking without one is refused', {
    tags: ['V2-IDEM-KEY-REQUIRED'],
  }, async ({ v2, act, arrange, expect }) => {
    // An external reference does not replace the key.
    for (const reference of [undefined, `ours-${arrange.key().slice(-12)}`]) {
      const answer = await untilRefusedForItself(async () => {
        const body = { ...arrange.anyBody([await arrange.offer()]), external_reference: reference }
        return v2.book({ key: null, body })
      })
      expect(answer).toBeRefused()
    }
    await act.booked('the same booking with a key')
  })

  test('X-Idempotency-Key does not stand in for it', {
    kinds: EVERY_KIND,
    tags: ['V2-IDEM-KEY-OTHER-HEADER'],
  }, async ({ v2, act, arrange, expect }) => {
    const headers = { 'x-idempotency-key': arrange.key() }
    const answer = await untilRefusedForItself(async () =>
      v2.book({ key: null, body: arrange.anyBody([await arrange.offer()]), headers }),
    )
    expect(answer).toBeRefused()
    await act.booked('a booking with Idempotency-Key')
  })

  test('a short one is accepted', { kinds: EVERY_KIND, tags: ['V2-IDEM-KEY-SHORT'] }, async ({
    act,
    arrange,
    expect,
  }) => {
    const body = async () => arrange.body(await arrange.offer())
    const { answer } = await act.book({ key: () => arrange.key().slice(-SHORT), body })
    expect(answer).toHaveStatus(201, 202)
  })

  test('a zero alone protects as any does', {
    kinds: EVERY_KIND,
    tags: ['V2-IDEM-KEY-SHORT', 'V2-IDEM-REPLAY-SAME-BOOKING'],
  }, async ({ v2, act, arrange, control, expect }) => {
    // A company with earlier bookings may have used it.
    control.require('mint')
    const body = async () => arrange.body(await arrange.offer())
    const { answer: first, sent } = await act.book({ key: '0', body })
    expect(first, 'V2-IDEM-KEY-SHORT').toHaveStatus(201, 202)
    assume.notPending(first)
    expect(await v2.book({ key: '0', body: sent }), 'V2-IDEM-REPLAY-SAME-BOOKING').toBeTheBookingOf(first)
  })

  test('one of 191 bytes is accepted, counts to its last byte, and protects as any does', {
    tags: ['V2-IDEM-KEY-191-BYTES', 'V2-IDEM-KEY-WHOLE', 'V2-IDEM-REPLAY-SAME-BOOKING'],
  }, async ({ v2, act, arrange, expect }) => {
    const stem = arrange.key().padEnd(190, 'k')
    const [one, two] = await arrange.offers(2)
    const { answer: first, sent } = await act.book({ key: `${stem}a`, body: arrange.body(one!) })
    expect(first, 'V2-IDEM-KEY-191-BYTES').toHaveStatus(201, 202)
    const { answer: other } = await act.book({ key: `${stem}b`, body: arrange.body(two!) })
    expect(other, 'V2-IDEM-KEY-WHOLE').toHaveStatus(201, 202)
    expect(other, 'V2-IDEM-KEY-WHOLE').toBeAnotherBookingThan(first)
    assume.notPending(first)
    const again = await v2.book({ key: `${stem}a`, body: sent })
    expect(again, 'V2-IDEM-REPLAY-SAME-BOOKING').toBeTheBookingOf(first)
  })

  test('one in capitals, with a dash more at one end, or with one written otherwise, is another one', {
    kinds: EVERY_KIND,
    tags: ['V2-IDEM-KEY-CASE', 'V2-IDEM-KEY-DASHES'],
  }, async ({ act, arrange, expect }) => {
    const { key, exchange: first } = await arrange.booking()
    const others = [
      ['V2-IDEM-KEY-CASE', key.toUpperCase()] as const,
      // A service may trim one end alone, or decode keys.
      ...arrange
        .drawn([`${key}-`, `-${key}`, key.replace('-', '%2D')], 1)
        .map(one => ['V2-IDEM-KEY-DASHES', one] as const),
    ]
    const offers = await arrange.offers(others.length)
    await independently(
      ...others.map(([clause, another], at) => async () => {
        const { answer: other } = await act.book({ key: another, body: arrange.body(offers[at]!) })
        expect(other, clause).toHaveStatus(201, 202)
        expect(other, clause).toBeAnotherBookingThan(first)
      }),
    )
  })

  // Offers are tied to a credential, so other answers to the second credential are open.
  test('a key that a colleague has used makes no other booking', {
    kinds: EVERY_SORT,
    tags: ['V2-IDEM-COMPANY-SHARED'],
  }, async ({ act, arrange, control, claim }) => {
    control.require('mint')
    const actor = await arrange.actor()
    const { modes } = actor
    const colleague = await arrange.actor('otherCompany', { companyOf: actor.tenant, modes })
    const first = await arrange.booking()
    const own = arrange.body(await arrange.offer({ actor: colleague }))
    // First, because an unproven credential cannot use a replay as its proof of test mode.
    await act.booked('the same booking with a key of its own', { by: colleague, body: own })
    const theirs: JsonObject = first.body
    const mine: JsonObject = arrange.body(await arrange.offer({ actor: colleague }))
    for (const body of [mine, theirs]) {
      const answer = await colleague.v2.book({ key: first.key, body })
      const shown = bookingOf(answer)?.booking_id
      // A request that the market refuses might have booked otherwise.
      assume(shown !== undefined || !isMarketRefusal(answer), 'an offer that the market does not refuse')
      claim('V2-IDEM-COMPANY-SHARED', shown === undefined || shown === first.bookingId, {
        tried: 'Booking with a key that another credential of the company has used',
        expected: `a refusal, or booking ${first.bookingId}`,
        observed: `booking ${shown}`,
        exchanges: [first.exchange, answer],
        compare: { of: 'bookings', most: 1 },
      })
    }
  })

  test('a key that another company has used is free', {
    tags: ['V2-IDEM-COMPANIES-APART'],
  }, async ({ act, arrange, expect, claim }) => {
    const stranger = await arrange.actor('otherCompany')
    const first = await arrange.booking()
    const offer = await arrange.offer({ actor: stranger })
    const reference = 'another company'
    const { answer } = await act.book({ by: stranger, key: first.key, body: arrange.body(offer, reference) })
    expect(answer).toHaveStatus(201, 202)
    // Each company may count its ids for itself, so the same id with the own reference is another booking.
    const shown = bookingOf(answer)
    assume(shown?.booking_id !== undefined, 'an answer that shows which booking it is about')
    const isOther = shown.booking_id === first.bookingId && shown.external_reference !== reference
    claim('V2-IDEM-COMPANIES-APART', !isOther, {
      tried: 'Booking with a key that another company has used',
      expected: `another booking than ${first.bookingId} of exchange ${first.exchange.id}`,
      observed: 'that booking',
      exchanges: [first.exchange, answer],
      compare: { of: 'booking', at: 'booking_id', as: first.exchange.id, not: true },
    })
  })

  test('test and live credentials of one company do not share keys', {
    kinds: EVERY_KIND,
    forReal: false,
    tags: ['V2-IDEM-TEST-APART'],
  }, async ({ act, arrange, expect }) => {
    const tester = await arrange.actor()
    const seller = await arrange.actor('live', {
      companyOf: tester.tenant,
      modes: { [arrange.kind]: 'live' },
    })
    const tested = await arrange.booking({ actor: tester })
    const offer = await arrange.offer({ actor: seller })
    const { answer: sold } = await act.book({ by: seller, key: tested.key, body: arrange.body(offer) })
    expect(sold).toHaveStatus(201, 202)
    expect(sold).toBeAnotherBookingThan(tested.exchange)
    const again = await tester.v2.book({ key: tested.key, body: tested.body })
    expect(again).toBeTheBookingOf(tested.exchange)
  })
})
