import fc from 'fast-check'
import { alteredAnywhere, alteredReadably, alteredThroughout } from '../../fixtures/arbitraries/offers.ts'
import { describe, EVERY_KIND, test } from '../../fixtures/test.ts'

/** Of an offer that can be read, this many of its fields are forged where traffic costs something: more than most have. */
const READABLY_LIVE = 12

describe('offers cannot be forged', () => {
  test('an altered offer_id is refused by the check', {
    tags: ['V2-OFFER-ALTERED-CHECK', 'V2-ERR-STATUS-OFFER-INVALID'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, expect, holds }) => {
    const { offerId } = await given.offer()
    given.accepted(await v2.checkOffer(offerId), 'the unaltered offer')
    const readably = alteredReadably(offerId).slice(0, given.trafficIsFree ? undefined : READABLY_LIVE)
    const examples = [...alteredThroughout(offerId, 8), ...readably]
    await holds(
      alteredAnywhere(offerId),
      async altered => {
        expect(await v2.checkOffer(altered)).toFailWith('OFFER_INVALID')
      },
      { runs: examples.length + 20, live: examples.length, examples },
    )
  })

  test('an altered offer_id is refused by the booking', {
    tags: ['V2-OFFER-ALTERED-BOOK'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, expect, holds }) => {
    const offer = await given.offer()
    const readably = alteredReadably(offer.offerId).slice(0, given.trafficIsFree ? undefined : READABLY_LIVE)
    const examples = [...alteredThroughout(offer.offerId, 6), ...readably]
    await holds(
      alteredAnywhere(offer.offerId),
      async altered => {
        const body = given.bookingBody([{ ...offer, offerId: altered }])
        expect(await v2.book({ key: given.idempotencyKey(), body })).toFailWith('OFFER_INVALID')
      },
      { runs: examples.length + 10, live: examples.length, examples },
    )
    await given.booking({ offers: [offer] })
  })

  test('a made-up offer_id is refused by the check and by the booking', {
    tags: ['V2-OFFER-MALFORMED-CHECK', 'V2-OFFER-MALFORMED-BOOK'],
  }, async ({ v2, given, expect, holds }) => {
    const offer = await given.offer()
    given.accepted(await v2.checkOffer(offer.offerId), 'an offer that was issued')
    await holds(
      fc.stringMatching(/^[A-Za-z0-9_-]{12,60}$/),
      async madeUp => {
        expect(await v2.checkOffer(madeUp), 'V2-OFFER-MALFORMED-CHECK').toFailWith('OFFER_INVALID')
        const body = given.bookingBody([{ ...offer, offerId: madeUp }])
        expect(await v2.book({ key: given.idempotencyKey(), body }), 'V2-OFFER-MALFORMED-BOOK').toFailWith(
          'OFFER_INVALID',
        )
      },
      { runs: 10, live: 2 },
    )
  })

  test('an offer works for the company it was issued to, and for no other', {
    tags: ['V2-OFFER-FOREIGN-CHECK', 'V2-OFFER-FOREIGN-BOOK'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, expect }) => {
    const offer = await given.offer()
    const stranger = await given.party('otherCompany')
    expect(await stranger.v2.checkOffer(offer.offerId), 'V2-OFFER-FOREIGN-CHECK').toFailWith('OFFER_INVALID')
    const body = given.bookingBody([offer])
    expect(await stranger.v2.book({ key: given.idempotencyKey(), body }), 'V2-OFFER-FOREIGN-BOOK').toFailWith(
      'OFFER_INVALID',
    )
    given.accepted(await v2.checkOffer(offer.offerId), 'the same offer for its own company')
  })
})
