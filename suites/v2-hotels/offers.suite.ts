import { checkedOfferOf, isObject, type JsonObject, textOf } from '../../fixtures/contracts/reading.ts'
import { type Bench, describe, test } from '../../fixtures/test.ts'
import { inAMovingMarket } from './market.ts'

/** Hotels worth checking until one has alternatives. */
const TRIES = 4

/** A checked offer that comes with alternatives, where there is one. */
async function withAlternatives({ given, v2 }: Bench, date?: string) {
  const offers = await given.shops.hotels.find(await given.party(), date === undefined ? {} : { date })
  const hotels = [...new Map(offers.map(offer => [offer.productId, offer])).values()]
  for (const offer of hotels.slice(0, TRIES)) {
    const answer = given.accepted(await v2.checkOffer(offer.offerId), 'a checked hotel offer')
    const found = checkedOfferOf(answer)?.alternatives
    const alternatives: JsonObject[] = Array.isArray(found) ? found.filter(isObject) : []
    if (alternatives.length > 0) return { offer, answer, alternatives }
  }
  throw given.lacking('a hotel offer whose check shows alternatives')
}

describe('the alternatives of a checked hotel offer', () => {
  test('are complete and checked', {
    tags: ['V2-OFFER-CHECK-ALTERNATIVES-CHECKED'],
    kinds: ['hotels'],
  }, async bench => {
    await withAlternatives(bench)
  })

  test('can be booked as they are', {
    tags: ['V2-OFFER-CHECK-ALTERNATIVES-BOOKABLE'],
    kinds: ['hotels'],
  }, async bench => {
    const { given, v2, expect } = bench
    const { alternatives } = await withAlternatives(bench)
    for (const turn of (given.trafficIsFree ? alternatives : alternatives.slice(0, 1)).keys()) {
      const answer = await inAMovingMarket(bench, async () => {
        const { offer, alternatives: now } = await withAlternatives(bench)
        const { offer_id } = now[turn % now.length]!
        const body = given.bookingBody([{ ...offer, offerId: textOf(offer_id) }])
        return v2.book({ key: given.idempotencyKey(), body })
      })
      expect(answer).toHaveStatus(201, 202)
    }
  })
})

/** Nobody calls an offer short-lived that can still be had a week later. */
const LONG_AFTER = 7 * 86_400
/** Days from today on which a stay begins that is still ahead then. */
const FAR_AHEAD = 40

describe('a hotel offer that is too old', () => {
  const tags = ['V2-OFFER-HOTEL-OLD-CHECK', 'V2-OFFER-HOTEL-OLD-BOOK'] as const

  /** Takes an offer and checks it, lets both grow old, and uses them. */
  async function used(bench: Bench, age: (offers: { expires: boolean }) => Promise<void>): Promise<void> {
    const { given, v2, expect } = bench
    const date = given.after(new Date().toISOString().slice(0, 10), FAR_AHEAD)
    const offer = await given.offer({ date })
    const answer = await v2.checkOffer(offer.offerId)
    const checked = given.checkedOffer(answer)
    await age({ expires: [offer.expiresAt, checkedOfferOf(answer)?.expires_at].some(at => at != null) })
    const book = (offerId: string) =>
      v2.book({ key: given.idempotencyKey(), body: given.bookingBody([{ ...offer, offerId }]) })
    expect(await v2.checkOffer(offer.offerId), 'V2-OFFER-HOTEL-OLD-CHECK').toFailWith('OFFER_EXPIRED')
    expect(await book(offer.offerId), 'V2-OFFER-HOTEL-OLD-BOOK').toFailWith('OFFER_EXPIRED')
    expect(await book(checked), 'V2-OFFER-HOTEL-OLD-BOOK').toFailWith('OFFER_EXPIRED')
    const fresh = await given.offer({ date })
    given.accepted(await v2.checkOffer(fresh.offerId), 'the check of a new offer')
    given.accepted(
      await v2.book({ key: given.idempotencyKey(), body: given.bookingBody([fresh]) }),
      'the booking of a new offer',
    )
  }

  test('is expired a week later', { tags, kinds: ['hotels'] }, async bench => {
    const { control, given } = bench
    control.require('advanceClock')
    await used(bench, async ({ expires }) => {
      // One that states when it expires may be booked after that.
      if (expires) throw given.lacking('a hotel offer that has no expires_at')
      await control.advanceClock(await given.party(), LONG_AFTER)
    })
  })

  test('is expired when its rate is gone', { tags, kinds: ['hotels'] }, async bench => {
    const { control, given } = bench
    control.require('expireOffers')
    await used(bench, async () => control.expireOffers(await given.party()))
  })
})
