import fc from 'fast-check'
import { alteredAnywhere, alteredReadably, alteredThroughout } from '../../fixtures/arbitraries/index.ts'
import { itemsToRefuse, untilRefusedForItself } from '../../fixtures/check/buying/index.ts'
import type { Offer } from '../../fixtures/check/products/index.ts'
import { at, checkedOfferOf, objects } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  ifHad,
  type ProductCheck,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_KIND)

/**
 * The number of forged ids for each kind of product if requests are limited. They differ between kinds, so that together
 * they cover most.
 */
const FORGED_LIVE = 2

/** Returns altered forms of an offer, and of what its check returned, which other code may read than an issued one. */
const alteredFrom = (offerId: string, checked: unknown): string[] => [
  ...[...alteredThroughout(offerId, 4), `${offerId}.x`, ...alteredReadably(offerId)],
  ...(typeof checked === 'string' ? [...alteredThroughout(checked, 2), ...alteredReadably(checked)] : []),
]

/** Returns offers for one booking that must be refused because of one of them. */
const several = async (arrange: ProductCheck['arrange'], items: 2 | 3, actor?: Actor) =>
  items > 2
    ? arrange.offersTogether(items, actor && { actor })
    : Array<Offer>(2).fill(await arrange.offer(actor && { actor }))

describe('offers cannot be forged', () => {
  test('an altered offer_id is refused by the check', {
    tags: ['V2-OFFER-ALTERED-CHECK', 'V2-ERR-STATUS-OFFER-INVALID'],
  }, async ({ v2, act, arrange, expect, holds }) => {
    const offer = await arrange.offer()
    const { offerId } = offer
    const { answer } = await act.checked('the unaltered offer', offer)
    const examples = alteredFrom(offerId, checkedOfferOf(answer)?.offer_id)
    await holds(
      alteredAnywhere(offerId),
      async altered => {
        expect(await v2.checkOffer(altered)).toFailWith('OFFER_INVALID')
      },
      { runs: examples.length + 1, live: FORGED_LIVE, examples },
    )
  })

  test('an altered offer_id is refused by the booking', {
    tags: ['V2-OFFER-ALTERED-BOOK'],
  }, async ({ v2, arrange, expect, holds }) => {
    const offer = await arrange.offer()
    const checked = arrange.trafficIsFree ? (await arrange.checkedOffer(offer)).offerId : undefined
    const examples = alteredFrom(offer.offerId, checked)
    await holds(
      alteredAnywhere(offer.offerId),
      async altered => {
        const body = arrange.anyBody([{ ...offer, offerId: altered }])
        expect(await v2.book({ key: arrange.key(), body })).toFailWith('OFFER_INVALID')
      },
      { runs: examples.length + 1, live: FORGED_LIVE, examples },
    )
    if (arrange.trafficIsFree) {
      const items = await itemsToRefuse({ arrange })
      // At the beginning, in the middle and at the end: a signature stands at either.
      for (const [at, place] of [
        [-1, 1],
        [0, 1],
        [-1, 0],
        [-1, 2],
      ] as const) {
        // The items before it may be refused by the market.
        const answer = await untilRefusedForItself(async () => {
          const offers = await several(arrange, items)
          const altered = alteredThroughout(offers.at(at)!.offerId, 3)[place]
          const forged = arrange.anyBody(offers.with(at, { ...offers.at(at)!, offerId: altered! }))
          return v2.book({ key: arrange.key(), body: forged })
        })
        expect(answer).not.toSucceed()
      }
    }
    await arrange.booking({ offers: offer })
  })

  test('a made-up offer_id is refused by the check and by the booking', {
    tags: ['V2-OFFER-MALFORMED-CHECK', 'V2-OFFER-MALFORMED-BOOK'],
    kinds: 'any',
  }, async ({ v2, act, arrange, expect, holds }) => {
    const offer = await arrange.offer()
    await act.checked('an offer that was issued', offer)
    await holds(
      fc.stringMatching(/^[A-Za-z0-9_-]{12,60}$/),
      async madeUp => {
        expect(await v2.checkOffer(madeUp), 'V2-OFFER-MALFORMED-CHECK').toFailWith('OFFER_INVALID')
        const body = arrange.anyBody([{ ...offer, offerId: madeUp }])
        expect(await v2.book({ key: arrange.key(), body }), 'V2-OFFER-MALFORMED-BOOK').toFailWith(
          'OFFER_INVALID',
        )
      },
      { runs: 10, live: 2 },
    )
  })

  test('an offer works for the company it was issued to, and for no other', {
    kinds: EVERY_SORT,
    tags: ['V2-OFFER-FOREIGN-CHECK', 'V2-OFFER-FOREIGN-BOOK'],
  }, async ({ v2, act, arrange, control, expect }) => {
    const offer = await arrange.offer()
    const stranger = await arrange.actor('otherCompany')
    const { answer: check } = await act.checked('the same offer for its own company', offer)
    // An offer returned by a check also belongs to that company.
    const offerId = checkedOfferOf(check)?.offer_id
    const checked = typeof offerId === 'string' ? { ...offer, offerId } : offer
    const turn = ['transfers', 'parkB'].includes(arrange.kind) ? [checked, offer] : [offer, checked]
    for (const foreign of arrange.trafficIsFree ? turn : turn.slice(0, 1)) {
      expect(await stranger.v2.checkOffer(foreign.offerId), 'V2-OFFER-FOREIGN-CHECK').toFailWith(
        'OFFER_INVALID',
      )
      const booked = await stranger.v2.book({ key: arrange.key(), body: arrange.anyBody([foreign]) })
      expect(booked, 'V2-OFFER-FOREIGN-BOOK').toFailWith('OFFER_INVALID')
      // A repeat must be refused too.
      if (arrange.trafficIsFree || arrange.kind === 'transfers')
        expect(await stranger.v2.checkOffer(foreign.offerId), 'V2-OFFER-FOREIGN-CHECK').toFailWith(
          'OFFER_INVALID',
        )
    }
    // What a booking for a family requires is not shown.
    const pax = { adult: 2, child: 1, infant: 0 }
    const family = arrange.trafficIsFree ? await ifHad(arrange.offer({ pax })) : undefined
    if (family !== undefined)
      expect(await stranger.v2.checkOffer(family.offerId), 'V2-OFFER-FOREIGN-CHECK').toFailWith(
        'OFFER_INVALID',
      )
    const items = await itemsToRefuse({ arrange })
    // Before and after an offer of one's own.
    for (const [at, foreign] of arrange.trafficIsFree ? turn.entries() : ([[1, turn[1]!]] as const)) {
      // The own offers before it may be refused for other reasons.
      const answer = await untilRefusedForItself(async () => {
        const own = await several(arrange, items, stranger)
        const mixed = arrange.anyBody(own.with(-at, foreign))
        return stranger.v2.book({ key: arrange.key(), body: mixed })
      })
      expect(answer, 'V2-OFFER-FOREIGN-BOOK').not.toSucceed()
    }
    // So it is with those told by a check: its alternatives, and the current offer after a price change.
    const further = objects(checkedOfferOf(check)?.alternatives).map(one => one.offer_id)
    if (arrange.trafficIsFree && control.offers('changePrice')) {
      await control.changePrice(await arrange.actor(), offer.productId, 3)
      const told = await v2.checkOffer(offer.offerId)
      further.unshift(at(told.response.json, 'error.details.current_offer.offer_id'))
      await control.changePrice(await arrange.actor(), offer.productId, -3)
    }
    for (const id of further.filter(one => typeof one === 'string').slice(0, arrange.trafficIsFree ? 2 : 1))
      expect(await stranger.v2.checkOffer(id), 'V2-OFFER-FOREIGN-CHECK').toFailWith('OFFER_INVALID')
  })
})
