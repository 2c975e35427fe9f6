import { assumeUnmoved } from '../../fixtures/check/buying/index.ts'
import type { Offer } from '../../fixtures/check/products/index.ts'
import { GZIP } from '../../fixtures/check/sending/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import {
  checkedOfferOf,
  GONE,
  isSurelyLarge,
  type JsonObject,
  objects,
  textOf,
} from '../../fixtures/contracts/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  independently,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

const kinds = ['hotels'] as const

/** The number of hotels checked until one has alternatives. */
const TRIES = 4

/** Returns a checked offer with alternatives. */
async function withAlternatives({ arrange }: ProductCheck<'hotels'>) {
  const by = await arrange.actor()
  const offers = await arrange.adapter.find(by, {})
  const hotels = [...new Map(offers.map(offer => [offer.productId, offer])).values()]
  for (const offer of hotels.slice(0, TRIES)) {
    const answer = await by.v2.checkOffer(offer.offerId, { headers: GZIP })
    const found = succeeded(answer) ? objects(checkedOfferOf(answer)?.alternatives) : []
    if (found.length > 0) return { by, offer, answer, alternatives: found as [JsonObject] }
  }
  assume(false, 'a hotel offer whose check shows alternatives')
}

// Those of resort hotels have park tickets in place of boards.
describe('the alternatives of a checked hotel offer', () => {
  const kinds = ['hotels', 'resortHotels'] as const

  test('are complete, checked offers for the same stay', {
    tags: [
      'V2-OFFER-CHECK-ALTERNATIVES-CHECKED',
      'V2-OFFER-CHECK-ALTERNATIVES-OTHER',
      'V2-OFFER-CHECK-ALTERNATIVES-SAME-ITEM',
      'GZIP-V2-OFFER-CHECK',
    ],
    kinds,
    // A non-refundable offer has a policy too, and may be among them.
    opportunistic: ['V2-OFFER-CHECK-POLICY'],
  }, async context => {
    const { by, answer, alternatives } = await withAlternatives(context)
    // Whether a checked offer may be checked again is open.
    for (const { offer_id } of context.arrange.trafficIsFree ? alternatives : [])
      await by.v2.checkOffer(textOf(offer_id))
    assume(isSurelyLarge(answer), 'a checked offer of more than 1 KB')
  })

  test('can be booked directly: for the same days, at the price shown', {
    tags: [
      'V2-OFFER-CHECK-ALTERNATIVES-BOOKABLE',
      'V2-OFFER-CARRIES-DATE',
      'V2-OFFER-CARRIES-PRICE',
      'V2-OFFER-CARRIES-CURRENCY',
    ],
    kinds,
  }, async context => {
    const { act, arrange, expect } = context
    for (const at of arrange.drawn([0, -1], 1)) {
      const { answer } = await act.book({
        async what() {
          const { offer, answer: exchange, alternatives } = await withAlternatives(context)
          const { offer_id, total, currency } = alternatives.at(at)!
          return { ...offer, offerId: textOf(offer_id), total, currency, exchange }
        },
      })
      expect(answer).toHaveStatus(201, 202)
    }
  })
})

/** Seconds: an offer that is still valid after a week is not short-lived. */
const LONG_AFTER = 7 * 86_400
/** Days from today to the check-in, which is still in the future then. */
const FAR_AHEAD = 40

describe('a hotel offer that is too old', () => {
  const old = ['V2-OFFER-HOTEL-OLD-CHECK', 'V2-OFFER-HOTEL-OLD-BOOK'] as const
  const gone = ['V2-OFFER-HOTEL-GONE-CHECK', 'V2-OFFER-HOTEL-GONE-BOOK'] as const

  /** Finds and checks an offer, lets both expire, and uses them. */
  async function useOld(
    context: ProductCheck<'hotels'>,
    [ofCheck, ofBooking]: typeof old | typeof gone,
    age: (offers: { expires: boolean }) => Promise<void>,
  ): Promise<void> {
    const { v2, act, arrange, expect } = context
    const actor = await arrange.actor()
    // The first answer shows the deployment's time.
    await arrange.adapter.destinations(actor)
    const ahead = () => addDays(new Date(actor.now()).toISOString().slice(0, 10), FAR_AHEAD)
    const grownOld = async () => {
      const offer = await arrange.offer({ date: ahead() })
      const { answer } = await act.checked('a checked offer', async () => offer)
      const id = checkedOfferOf(answer)?.offer_id
      assume(typeof id === 'string', 'a checked offer that shows its offer_id')
      await age({ expires: [offer.expiresAt, checkedOfferOf(answer)?.expires_at].some(at => at != null) })
      return [offer, { ...offer, offerId: id }] as const
    }
    let used: Offer | undefined
    /** Returns the old offer, or the checked one. */
    const oldOne = (which: 0 | 1) => async () => {
      used = (await grownOld())[which]
      return used
    }
    const { answer: check } = await act.under({ expecting: GONE }).check(oldOne(0))
    await assumeUnmoved(context, used!, check)
    const bookings: Exchange[] = []
    for (const which of [0, 1] as const) {
      const { answer: booked, key, sent } = await act.under({ expecting: GONE }).book({ what: oldOne(which) })
      await assumeUnmoved(context, used!, booked)
      bookings.push(booked)
      // A repeat with the first key must be refused like the first attempt.
      if (!succeeded(booked)) expect(await v2.book({ key, body: sent }), ofBooking).not.toSucceed()
    }
    // Control may accept without effect; one refusal shows that it works.
    const isSeen = ![check, ...bookings].every(succeeded) || arrange.trafficIsFree || ofCheck === old[0]
    assume(isSeen, 'control.expireOffers or setOutcome to remove a rate')
    await independently(
      () => expect(check, ofCheck).toFailWith(...GONE),
      ...bookings.map(booked => () => expect(booked, ofBooking).toFailWith(...GONE)),
    )
    const date = ahead()
    const fresh = await arrange.offer({ date })
    await act.checked('the check of a new offer', fresh)
    await act.booked('the booking of a new offer', { what: arrange.body(fresh) })
  }

  test('has expired a week later', { tags: old, kinds }, async context => {
    const { control, arrange } = context
    control.require('advanceClock')
    await useOld(context, old, async ({ expires }) => {
      // An offer with an expiry may be booked after it.
      assume(!expires, 'a hotel offer that has no expires_at')
      await control.advanceClock(await arrange.actor(), LONG_AFTER)
    })
  })

  test('has expired if its rate is gone', { tags: gone, kinds }, async context => {
    const { control, arrange } = context
    control.require('expireOffers')
    await useOld(context, gone, async () => control.expireOffers(await arrange.actor()))
  })
})
