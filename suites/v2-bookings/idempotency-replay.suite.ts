import { bookingOf } from '../../fixtures/contracts/reading.ts'
import { describe, EVERY_KIND, test } from '../../fixtures/test.ts'

describe('Idempotency-Key: the same key and body after completion', () => {
  test('replays the booking', {
    tags: [
      'V2-IDEM-REPLAY-STATUS',
      'V2-IDEM-REPLAY-FLAG',
      'V2-IDEM-REPLAY-SAME-BOOKING',
      'V2-BOOKING-REPLAY-BOOLEAN',
      'CACHE-V2-BOOK',
    ],
    kinds: EVERY_KIND,
  }, async ({ v2, given, expect }) => {
    const { key, body, exchange: first } = await given.booking({ externalReference: 'replayed' })
    // More than once: a service may replay the first repeat right and forget the key after it.
    for (let repeat = 1; repeat <= 3; repeat++) {
      const again = await v2.book({ key, body })
      expect(again, 'V2-IDEM-REPLAY-STATUS').toHaveStatus(200)
      expect(again, 'V2-IDEM-REPLAY-FLAG').toBeFlagged('idempotent_replay')
      expect(again, 'V2-IDEM-REPLAY-SAME-BOOKING').toBeTheBookingOf(first)
    }
  })

  test('replays the booking of a test credential, too', { tags: ['TEST-MODE-V2-IDEM'] }, async ({
    v2,
    given,
    expect,
  }) => {
    await given.testCredential()
    const { key, body, exchange: first } = await given.booking()
    const again = await v2.book({ key, body })
    expect(again).toHaveStatus(200)
    expect(again).toBeTheBookingOf(first)
  })

  test('makes no other booking', { tags: ['V2-IDEM-REPLAY-NO-SECOND'], kinds: EVERY_KIND }, async ({
    v2,
    given,
    control,
    claim,
  }) => {
    const party = await given.party()
    const { key, body, exchange: first } = await given.booking()
    const before = await control.counters(party)
    const repeats = [await v2.book({ key, body }), await v2.book({ key, body })]
    const after = await control.counters(party)
    claim('V2-IDEM-REPLAY-NO-SECOND', after.bookings[given.kind] === before.bookings[given.kind], {
      tried: 'Repeating key and body twice after completion',
      expected: `${before.bookings[given.kind]} bookings as before`,
      observed: `${after.bookings[given.kind]}`,
      exchanges: [first, ...repeats],
    })
  })

  test('replays it although the price has moved', {
    tags: ['V2-IDEM-REPLAY-PRICE-MOVED'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, control, expect }) => {
    const { key, body, offers, exchange: first } = await given.booking()
    await control.changePrice(await given.party(), offers[0]!.productId, 5)
    const again = await v2.book({ key, body })
    expect(again).toHaveStatus(200)
    expect(again).toBeTheBookingOf(first)
  })

  test('replays it although the rate is gone', {
    tags: ['V2-IDEM-REPLAY-OFFER-GONE'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, control, expect }) => {
    const party = await given.party()
    const { key, body, exchange: first } = await given.booking()
    await control.setOutcome(party, 'book', { kind: 'expired' })
    const again = await v2.book({ key, body })
    expect(again).toHaveStatus(200)
    expect(again).toBeTheBookingOf(first)
  })

  test('replays it although nothing is left to sell', {
    tags: ['V2-IDEM-REPLAY-SOLD-OUT'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, control, expect }) => {
    const { key, body, offers, exchange: first } = await given.booking()
    await control.setStock(await given.party(), offers[0]!.productId, 0)
    const again = await v2.book({ key, body })
    expect(again).toHaveStatus(200)
    expect(again).toBeTheBookingOf(first)
  })

  test('replays it although it was cancelled', {
    tags: ['V2-IDEM-REPLAY-CANCELLED'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, expect }) => {
    const { bookingId, key, body, exchange: first } = await given.booking()
    given.accepted(await v2.cancel(bookingId), 'a cancellation')
    const again = await v2.book({ key, body })
    expect(again).toHaveStatus(200)
    expect(again).toBeTheBookingOf(first)
  })
})

describe('Idempotency-Key: the key itself', () => {
  test('a booking without one is refused', { tags: ['V2-IDEM-KEY-REQUIRED'], kinds: EVERY_KIND }, async ({
    v2,
    given,
    expect,
  }) => {
    const offer = await given.offer()
    const body = given.bookingBody([offer])
    expect(await v2.book({ key: null, body })).toBeRefused()
    given.accepted(await v2.book({ key: given.idempotencyKey(), body }), 'the same booking with a key')
  })

  test('one of 191 bytes is accepted, and counts to its last byte', {
    tags: ['V2-IDEM-KEY-191-BYTES', 'V2-IDEM-KEY-WHOLE'],
  }, async ({ v2, given, expect }) => {
    const stem = given.idempotencyKey().padEnd(190, 'k')
    const [one, two] = await given.offers(2)
    const first = await v2.book({ key: `${stem}a`, body: given.bookingBody([one!]) })
    expect(first, 'V2-IDEM-KEY-191-BYTES').toHaveStatus(201, 202)
    const other = await v2.book({ key: `${stem}b`, body: given.bookingBody([two!]) })
    expect(other, 'V2-IDEM-KEY-WHOLE').toHaveStatus(201, 202)
    expect(other, 'V2-IDEM-KEY-WHOLE').not.toBeTheBookingOf(first)
  })

  test('a key that another company has used is free', {
    tags: ['V2-IDEM-COMPANIES-APART'],
    kinds: EVERY_KIND,
  }, async ({ given, expect }) => {
    const stranger = await given.party('otherCompany')
    const first = await given.booking()
    const offer = await given.offer({ party: stranger })
    const answer = await stranger.v2.book({ key: first.key, body: given.bookingBody([offer]) })
    expect(answer).toHaveStatus(201, 202)
    expect(answer).not.toBeTheBookingOf(first.exchange)
  })

  test('test and live credentials of one company do not share keys', {
    tags: ['V2-IDEM-TEST-APART'],
    kinds: EVERY_KIND,
  }, async ({ given, expect }) => {
    const tester = await given.party()
    const seller = await given.party('live', { companyOf: tester.tenant, modes: { transfers: 'live' } })
    const tested = await given.booking({ party: tester })
    const offer = await given.offer({ party: seller })
    const sold = await seller.v2.book({ key: tested.key, body: given.bookingBody([offer]) })
    expect(sold).toHaveStatus(201, 202)
    expect(sold).not.toBeTheBookingOf(tested.exchange)
    const again = await tester.v2.book({ key: tested.key, body: tested.body })
    expect(again).toBeTheBookingOf(tested.exchange)
  })
})

describe('Idempotency-Key: the same key with another body', () => {
  for (const [what, clause] of [
    ['external_reference', 'V2-IDEM-REUSED-REFERENCE'],
    ['traveler', 'V2-IDEM-REUSED-TRAVELER'],
    ['offer', 'V2-IDEM-REUSED-OFFER'],
  ] as const) {
    test(`another ${what} is refused, and the booking of the key stays`, {
      tags: [clause, 'V2-IDEM-REUSED-KEEPS', 'V2-ERR-STATUS-IDEMPOTENCY-KEY-REUSED'],
      kinds: EVERY_KIND,
    }, async ({ v2, given, expect }) => {
      const [one, two] = await given.offers(2)
      const first = await given.booking({ offers: [one!], externalReference: 'first' })
      const other = given.bookingBody(
        [what === 'offer' ? two! : one!],
        what === 'external_reference' ? 'other' : 'first',
      )
      if (what === 'traveler') {
        const [item] = other.items as { travelers: Record<string, unknown>[] }[]
        item!.travelers[0]!.first_name = 'Somebodyelse'
      }
      const reused = await v2.book({ key: first.key, body: other })
      expect(reused, clause).toFailWith('IDEMPOTENCY_KEY_REUSED')
      const again = await v2.book({ key: first.key, body: first.body })
      expect(again, 'V2-IDEM-REUSED-KEEPS').toHaveStatus(200)
      expect(again, 'V2-IDEM-REUSED-KEEPS').toBeTheBookingOf(first.exchange)
    })
  }
})

describe('Idempotency-Key: after a refusal', () => {
  test('a 4xx leaves the key free for another body', {
    tags: ['V2-IDEM-4XX-FREES'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, expect }) => {
    const offer = await given.offer()
    const key = given.idempotencyKey()
    const lacking = given.bookingBody([offer])
    const [item] = lacking.items as Record<string, unknown>[]
    delete item!.offer_id
    const refused = await v2.book({ key, body: lacking })
    given.refused(refused, 'a booking whose item has no offer_id')
    const answer = await v2.book({ key, body: given.bookingBody([offer]) })
    expect(answer).toHaveStatus(201, 202)
    expect(answer).not.toBeFlagged('idempotent_replay')
  })

  test('a repeat of what a 4xx refused is a new attempt', {
    tags: ['V2-IDEM-4XX-FREES-SAME-BODY'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, control, expect }) => {
    const party = await given.party()
    const offer = await given.offer()
    const [key, body] = [given.idempotencyKey(), given.bookingBody([offer])]
    await control.setOutcome(party, 'book', { kind: 'refused' })
    given.refused(await v2.book({ key, body }), 'a booking that its source refuses')
    const answer = await v2.book({ key, body })
    expect(answer).toHaveStatus(201)
    expect(answer).not.toBeFlagged('idempotent_replay')
  })

  for (const [kind, code, clause] of [
    ['providerError', 'PROVIDER_ERROR', 'V2-PROVIDER-ERROR'],
    ['providerUnavailable', 'PROVIDER_UNAVAILABLE', 'V2-PROVIDER-UNAVAILABLE'],
  ] as const) {
    test(`${code} books nothing and leaves the key free`, {
      tags: [clause, 'V2-PROVIDER-NOTHING-BOOKED', 'V2-PROVIDER-RETRY', 'V2-IDEM-5XX-FREES'],
      kinds: EVERY_KIND,
    }, async ({ v2, given, control, expect, claim }) => {
      const party = await given.party()
      const offer = await given.offer()
      const [key, body] = [given.idempotencyKey(), given.bookingBody([offer])]
      const before = control.offers('counters') ? await control.counters(party) : undefined
      await control.setOutcome(party, 'book', { kind })
      const failed = await v2.book({ key, body })
      expect(failed, clause).toFailWith(code)
      expect(bookingOf(failed), clause).toBeUndefined()
      if (before !== undefined) {
        const after = await control.counters(party)
        claim('V2-PROVIDER-NOTHING-BOOKED', after.bookings[given.kind] === before.bookings[given.kind], {
          tried: `A booking answered with ${code}`,
          expected: `${before.bookings[given.kind]} bookings as before`,
          observed: `${after.bookings[given.kind]}`,
          exchanges: [failed],
        })
      }
      const retried = await v2.book({ key, body })
      expect(retried, 'V2-IDEM-5XX-FREES').not.toFailWith('BOOKING_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED')
      expect(retried, 'V2-PROVIDER-RETRY').toHaveStatus(201, 202)
      expect(retried, 'V2-IDEM-5XX-FREES').not.toBeFlagged('idempotent_replay')
    })
  }
})
