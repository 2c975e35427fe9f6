import { type HotelSeen, spread } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { checkedOfferOf, GONE, timeOf } from '../../fixtures/contracts/index.ts'
import { type Actor, assume, describe, type ProductCheck, test, untilAgreed } from '../../fixtures/test.ts'

type HotelCheck = ProductCheck<'hotels'>

const kinds = ['hotels'] as const
const ofResorts = ['resortHotels'] as const

/** The number of places searched, and if requests are free. */
const TRIES = 3
const LISTED = 60

/** Returns what an actor finds in a place; nothing if it was refused. */
async function look({ arrange }: HotelCheck, by: Actor, destination: string | number, checkIn: string) {
  const { started, toItsEnd } = await arrange.adapter.try(by, { destination, checkIn })
  const search = succeeded(started) ? await toItsEnd() : undefined
  return { started, search, hotels: search?.hotels ?? [], last: search?.polls.at(-1) ?? started }
}

/**
 * Decides that an actor finds no hotel of an operator that it may not sell, or nothing where somebody else finds hotels.
 * Returns the operators that were shown, and `undefined` for each place that others alone show something at.
 */
async function operatorsIn(
  context: HotelCheck,
  clause: ClauseId,
  {
    by,
    places,
    may,
    other,
  }: {
    by: Actor
    places: readonly (string | number)[]
    may: (operator: HotelSeen['operator']) => boolean
    other?: Actor
  },
) {
  const shown: HotelSeen['operator'][] = []
  for (const destination of places) {
    const day = context.arrange.adapter.day()
    const { started, hotels, last } = await look(context, by, destination, day)
    const told = hotels.filter(({ operator }) => operator !== undefined)
    shown.push(...told.map(({ operator }) => operator))
    const wrong = told.filter(({ operator }) => !may(operator))
    if (told.length > 0) context.expect(last, clause).toHaveNo('hotels of another catalog', wrong)
    // Hotels without an operator decide nothing. A refusal, or no hotel, does if others find some.
    if (hotels.length > 0 || other === undefined) continue
    if ((await look(context, other, destination, day)).hotels.length === 0) continue
    context.expect(started, clause).toHaveNo('hotels', hotels)
    shown.push(undefined)
  }
  return shown
}

describe('a credential with a restricted catalog', () => {
  const clause = 'FEATURE-V2-RESTRICTED-CATALOG'
  const may = (operator: HotelSeen['operator']) => operator === 'parkB'

  test('is offered only hotels of operator B, also outside of its catalog', {
    tags: [clause],
    kinds,
  }, async context => {
    const { arrange } = context
    const [by, other] = [await arrange.actor('restricted'), await arrange.actor()]
    const own = await arrange.adapter.destinations(by)
    const outside = (await arrange.adapter.destinations(other)).filter(id => !own.includes(id))
    const places = [
      ...(arrange.trafficIsFree ? spread(own) : own.slice(0, TRIES)),
      ...outside.slice(0, TRIES),
    ]
    const shown = await operatorsIn(context, clause, { by, places, may, other })
    // If no hotel is operator B's, the field does not show the operator.
    assume(shown.some(may), 'hotels whose operator is known (shapes.hotels.hotels in the definition)')
  })
})

/** Returns an account that may sell resort hotels, and some of their places. */
async function resorts({ arrange }: HotelCheck, ordinary: Actor) {
  const by = await arrange.actor('resort')
  const places = (await arrange.adapter.resorts(by, async () => ordinary)).slice(0, TRIES)
  assume(places.length > 0, 'a destination with resort hotels (shapes.hotels.resorts in the definition)')
  return { by, places }
}

describe('resort hotels', () => {
  test('are on sale to a credential that may sell them', {
    tags: ['VERSION-V2-RESORT-HOTELS'],
    kinds,
  }, async context => {
    const { act, arrange, expect } = context
    const { by, places } = await resorts(context, await arrange.actor())
    const { answer } = await act.book({
      by,
      async what(round) {
        const place = places[(round - 1) % places.length]!
        const { started, search } = await look(context, by, place, arrange.adapter.day())
        expect(started).not.toHaveStatus(403)
        const hotels = search?.hotels.filter(({ cancellableOnline }) => cancellableOnline !== false) ?? []
        const [offer] = hotels.flatMap(hotel => arrange.adapter.offersOf(search!, hotel))
        assume(offer !== undefined, 'a resort hotel with a room on sale')
        return { ...offer, isResort: true }
      },
    })
    expect(answer).toHaveStatus(201, 202)
  })

  test('are not offered to a credential that may not sell them', {
    tags: ['FEATURE-V2-RESORT-HOTELS'],
    kinds,
  }, async context => {
    const clause = 'FEATURE-V2-RESORT-HOTELS'
    const { arrange, control } = context
    const by = await arrange.actor()
    const isKnown = control.offers('mint') || by.features.resortHotels === false
    assume(
      isKnown,
      'an ordinary credential declared to have no resort hotels (features, or TSS_FEATURES in .env)',
    )
    const own = await arrange.adapter.destinations(by)
    const may = (operator: HotelSeen['operator']) => operator !== 'parkA'
    // If all accounts have the same places, only hotels that show their operator can decide.
    const isAlike =
      (await arrange.adapter.resorts(await arrange.actor('resort'), async () => by)).length === 0
    const listed = spread(own, arrange.trafficIsFree ? LISTED : TRIES)
    if (isAlike) await operatorsIn(context, clause, { by, places: listed, may })
    const { by: other, places } = await resorts(context, by)
    const shown = await operatorsIn(context, clause, { by, places: [...places, own[0]!], may, other })
    const what = 'hotels whose operator is known (shapes.hotels.hotels in the definition)'
    assume(shown.length > 0, `${what}, or resort hotels that others find`)
  })
})

/** The number of offers that are checked until one states a usable `expires_at`. */
const LOOKS = 4
/** Seconds after `expires_at` that are certainly late, and before it that are certainly in time. */
const LATE = 30
const IN_TIME = -120
/** The maximum wait for an `expires_at` in seconds: after the stay, or in the year 9999, nothing can be booked. */
const LATEST = 86_400

describe('a checked offer of a resort hotel', () => {
  /** Returns a checked offer some time after its `expires_at`, or before it. */
  async function atItsExpiry({ arrange }: HotelCheck, after = LATE) {
    const actor = await arrange.actor()
    for (let looks = 1; looks <= LOOKS; looks++) {
      const offer = await arrange.offer()
      const answer = await actor.v2.checkOffer(offer.offerId)
      // If the price has changed, the offer in the answer is used.
      const { offer_id, expires_at, total = offer.total } = checkedOfferOf(answer) ?? {}
      if (typeof offer_id !== 'string' || typeof expires_at !== 'string') continue
      const seconds = Math.ceil((timeOf(expires_at) - actor.now()) / 1000)
      if (seconds > LATEST) continue
      await arrange.elapse(actor, Math.max(seconds + after, 0))
      return { actor, offer, checked: { ...offer, offerId: offer_id, total } }
    }
    assume(false, 'a resort hotel whose checked offer states an expires_at within a day')
  }

  for (const [when, clause, after] of [
    ['after', 'V2-OFFER-RESORT-LATE', LATE],
    ['shortly before', 'V2-OFFER-CHECK-CHECKED-BOOKABLE', IN_TIME],
  ] as const)
    test(`can be booked ${when} its expires_at`, { tags: [clause], kinds: ofResorts }, async context => {
      const { arrange, expect } = context
      // A market may refuse the booking, but not each time that the offer is still good at its price.
      const { agrees, exchanges } = await untilAgreed(async () => {
        for (let looks = 1; ; looks++) {
          const { actor, offer, checked } = await atItsExpiry(context, after)
          const booked = await actor.v2.book({ key: arrange.key(), body: arrange.anyBody([checked]) })
          const still = await actor.v2.checkOffer(offer.offerId)
          const agrees = succeeded(booked)
          if (agrees || succeeded(still)) return { agrees, exchanges: [booked, still] }
          assume(looks < LOOKS, 'a resort hotel that stays the same until its offer has expired')
        }
      })
      expect.claim(clause, agrees, {
        tried: `Booking checked offers ${when} their expires_at, and checking those that they were made of`,
        expected: 'a booking, or a refusal of both',
        observed: 'a refusal of the first each time',
        exchanges,
      })
    })

  test('cannot be booked after its expires_at if its room is gone', {
    tags: ['V2-OFFER-RESORT-LATE'],
    kinds: ofResorts,
  }, async context => {
    const { act, arrange, control, expect } = context
    control.require('setStock')
    const { actor, checked } = await atItsExpiry(context)
    await control.setStock(actor, checked.productId, 0)
    const what = async () => arrange.body(checked)
    const { answer: late } = await act.under({ expecting: [...GONE, 'PRICE_CHANGED'] }).book({ what })
    if (succeeded(late)) {
      const offers = await arrange.adapter.find(actor, {})
      const isOffered = offers.some(({ productId }) => productId === checked.productId)
      assume(!isOffered, 'control.setStock to have an effect: with nothing left, the hotel is still offered')
    }
    expect(late, 'V2-OFFER-RESORT-LATE').not.toSucceed()
    await control.setStock(actor, checked.productId, 1)
    await act.booked('the same booking with the room back', { what })
  })
})
