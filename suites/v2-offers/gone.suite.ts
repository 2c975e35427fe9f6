import { describe, EVERY_KIND, test } from '../../fixtures/test.ts'

describe('an offer that cannot be had any more', () => {
  test('is expired when its rate is gone', {
    tags: ['V2-OFFER-GONE-CHECK', 'V2-OFFER-GONE-BOOK', 'V2-ERR-STATUS-OFFER-EXPIRED'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, control, expect }) => {
    const party = await given.party()
    const offer = await given.offer()
    await control.setOutcome(party, 'check', { kind: 'expired' })
    expect(await v2.checkOffer(offer.offerId), 'V2-OFFER-GONE-CHECK').toFailWith('OFFER_EXPIRED')
    await control.setOutcome(party, 'book', { kind: 'expired' })
    const body = given.bookingBody([offer])
    expect(await v2.book({ key: given.idempotencyKey(), body }), 'V2-OFFER-GONE-BOOK').toFailWith(
      'OFFER_EXPIRED',
    )
    given.accepted(
      await v2.book({ key: given.idempotencyKey(), body }),
      'the same booking of a rate that is there',
    )
  })

  test('has no availability when nothing is left to sell', {
    tags: ['V2-NO-AVAILABILITY-CHECK', 'V2-NO-AVAILABILITY-BOOK', 'V2-ERR-STATUS-NO-AVAILABILITY'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, control, expect }) => {
    const party = await given.party()
    const offer = await given.offer()
    await control.setStock(party, offer.productId, 0)
    expect(await v2.checkOffer(offer.offerId), 'V2-NO-AVAILABILITY-CHECK').toFailWith('NO_AVAILABILITY')
    const body = given.bookingBody([offer])
    expect(await v2.book({ key: given.idempotencyKey(), body }), 'V2-NO-AVAILABILITY-BOOK').toFailWith(
      'NO_AVAILABILITY',
    )
    await control.setStock(party, offer.productId, 1)
    given.accepted(await v2.book({ key: given.idempotencyKey(), body }), 'the same booking with one left')
  })
})
