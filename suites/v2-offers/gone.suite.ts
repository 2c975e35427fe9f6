import { GONE, soldOutCodes } from '../../fixtures/check/legal-answers.ts'
import { describe, EVERY_KIND, test } from '../../fixtures/test.ts'

describe('an offer that cannot be had any more', () => {
  test('is expired when its rate is gone', {
    tags: ['V2-OFFER-GONE-CHECK', 'V2-OFFER-GONE-BOOK', 'V2-ERR-STATUS-OFFER-EXPIRED'],
    kinds: EVERY_KIND,
  }, async ({ act, arrange, control, expect }) => {
    const party = await arrange.party()
    const offer = await arrange.offer()
    const gone = async () => {
      await control.setOutcome(party, 'check', { kind: 'expired' })
      return offer
    }
    expect(await act.check(gone, { expecting: GONE }), 'V2-OFFER-GONE-CHECK').toFailWith(...GONE)
    const body = async () => {
      await control.setOutcome(party, 'book', { kind: 'expired' })
      return arrange.body(offer)
    }
    expect(await act.book({ body, expecting: GONE }), 'V2-OFFER-GONE-BOOK').toFailWith(...GONE)
    await act.booked('the same booking of a rate that is there', { body: arrange.body(offer) })
  })

  test('has no availability when nothing is left to sell', {
    tags: ['V2-NO-AVAILABILITY-CHECK', 'V2-NO-AVAILABILITY-BOOK', 'V2-ERR-STATUS-NO-AVAILABILITY'],
    kinds: EVERY_KIND,
  }, async ({ act, arrange, control, expect }) => {
    const party = await arrange.party()
    const offer = await arrange.offer()
    await control.setStock(party, offer.productId, 0)
    // Which endpoint says so, and how, is not shown for the check.
    const check = await act.check(async () => offer, { expecting: GONE })
    expect(check, 'V2-NO-AVAILABILITY-CHECK').toFailWith(...GONE)
    const codes = soldOutCodes(arrange.kind)
    const booking = await act.book({ body: async () => arrange.body(offer), expecting: codes })
    expect(booking, 'V2-NO-AVAILABILITY-BOOK').toFailWith(...codes)
    await control.setStock(party, offer.productId, 1)
    await act.booked('the same booking with one left', { body: arrange.body(offer) })
  })
})
