import { type Offer, type Search, spread } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at, checkedOfferOf, errorCode, GONE, isSameAmount, timeOf } from '../../fixtures/contracts/index.ts'
import { type Actor, assume, describe, type Exchange, type ProductCheck, test } from '../../fixtures/test.ts'

const kinds = ['hotels'] as const

/** The number of places searched. */
const TRIES = 3

/** The number of places searched if all accounts have the same list and requests are free. */
const LISTED = 60

/** Returns what an actor finds in a place; without a search if it was refused. */
async function look(
  { arrange }: ProductCheck<'hotels'>,
  by: Actor,
  destination: string | number,
  checkIn = arrange.adapter.day(),
) {
  const { started, toItsEnd } = await arrange.adapter.try(by, { destination, checkIn })
  const search = succeeded(started) ? await toItsEnd() : undefined
  return { started, search, hotels: search?.hotels ?? [] }
}

/** Decides that no hotel of a search has the wrong operator. Returns whether any operator was known. */
function holdsOnly(
  { expect }: ProductCheck<'hotels'>,
  clause: 'FEATURE-V2-RESTRICTED-CATALOG' | 'FEATURE-V2-RESORT-HOTELS',
  search: Search | undefined,
  may: (operator: 'parkA' | 'parkB' | null) => boolean,
): boolean {
  const told = search?.hotels.filter(({ operator }) => operator !== undefined) ?? []
  const wrong = told.filter(({ operator }) => !may(operator as 'parkA' | 'parkB' | null))
  if (told.length === 0 || search === undefined) return false
  assume(search.complete || wrong.length > 0, 'a search with at most 5,000 hotels')
  const ids = wrong.map(({ hotelId }) => hotelId)
  expect(search.polls.at(-1) ?? search.started, clause).toHaveNo('hotels of another catalog', ids)
  return true
}

describe('a credential with a restricted catalog', () => {
  const clause = 'FEATURE-V2-RESTRICTED-CATALOG'
  const ofB = (operator: unknown) => operator === 'parkB'

  /** Returns what the actor finds in places of its own list, if hotels show which are operator B's. */
  async function ownHotels(context: ProductCheck<'hotels'>, actor: Actor) {
    const { arrange } = context
    const places = await arrange.adapter.destinations(actor)
    const searches: (Search | undefined)[] = []
    for (const destination of arrange.trafficIsFree ? spread(places) : places.slice(0, TRIES)) {
      searches.push((await look(context, actor, destination)).search)
    }
    // If no hotel is operator B's, the field does not show the operator.
    if (searches.some(search => search?.hotels.some(({ operator }) => ofB(operator))))
      return { places, searches }
    assume(false, 'hotels whose operator is known (shapes.hotels.hotels in the definition)')
  }

  test('is offered only hotels of operator B', { tags: [clause], kinds }, async context => {
    const actor = await context.arrange.actor('restricted')
    const { searches } = await ownHotels(context, actor)
    for (const search of searches) {
      holdsOnly(context, clause, search, ofB)
    }
  })

  test('is not offered hotels outside of its catalog', { tags: [clause], kinds }, async context => {
    const { arrange, expect } = context
    const actor = await arrange.actor('restricted')
    const { places } = await ownHotels(context, actor)
    const others = await arrange.adapter.destinations(await arrange.actor())
    const outside = others.filter(id => !places.includes(id)).slice(0, TRIES)
    assume(outside.length > 0, 'a destination that only other accounts are shown')
    let decided = false
    for (const destination of outside) {
      const day = arrange.adapter.day()
      const { started, search } = await look(context, actor, destination, day)
      if (holdsOnly(context, clause, search, ofB)) {
        decided = true
        continue
      }
      // Hotels without an operator decide nothing. A refusal, or no hotel, does if others find some.
      if (search !== undefined && search.hotels.length > 0) continue
      if ((await look(context, await arrange.actor(), destination, day)).hotels.length === 0) continue
      expect(started, clause).toHaveNo('hotels', search?.hotels ?? [])
      decided = true
    }
    assume(decided, 'a destination that only other accounts are shown, with hotels on the day searched')
  })
})

/** The number of searches of each place for an available resort hotel. */
const LOOKS = 4

/** Returns places with resort hotels, and an account that may sell them. */
async function resorts({ arrange }: ProductCheck<'hotels'>, known?: Actor) {
  const actor = known ?? (await arrange.actor('resort'))
  const places = await arrange.adapter.resorts(actor, () => arrange.actor())
  if (places.length > 0) return { actor, places: places.slice(0, TRIES) }
  assume(false, 'a destination with resort hotels (shapes.hotels.resorts in the definition)')
}

/**
 * Returns cancellable offers of resort hotels: of hotels that show their operator, or of all hotels in a place that only
 * this account sees.
 */
function resortOffers({ arrange }: ProductCheck<'hotels'>, search: Search | undefined): Offer[] {
  if (search === undefined) return []
  const hotels = search.hotels.filter(
    ({ operator, cancellableOnline }) =>
      (operator === 'parkA' || operator === undefined) && cancellableOnline !== false,
  )
  return hotels.flatMap(hotel =>
    arrange.adapter.offersOf(search, hotel).map(offer => ({ ...offer, isResort: true })),
  )
}

describe('resort hotels', () => {
  test('are on sale to a credential that may sell them', {
    tags: ['VERSION-V2-RESORT-HOTELS'],
    kinds,
  }, async context => {
    const { act, arrange, expect } = context
    const { actor, places } = await resorts(context)
    let sold = false
    for (const destination of places) {
      const find = async () => {
        const { started, search } = await look(context, actor, destination)
        expect(started, 'VERSION-V2-RESORT-HOTELS').not.toHaveStatus(403)
        return resortOffers(context, search)[0]
      }
      let offer = await find()
      if (offer === undefined) continue
      const { answer: booked } = await act.book({
        by: actor,
        async what() {
          const found = offer ?? (await find())
          offer = undefined
          assume(found !== undefined, 'a resort hotel with a room on sale')
          return found
        },
      })
      expect(booked).toHaveStatus(201, 202)
      sold = true
      if (!arrange.trafficIsFree) break
    }
    assume(sold, 'a resort hotel with a room on sale')
  })

  test('are not offered to a credential that may not sell them', {
    tags: ['FEATURE-V2-RESORT-HOTELS'],
    kinds,
  }, async context => {
    const clause = 'FEATURE-V2-RESORT-HOTELS'
    const { arrange, control, expect } = context
    const ordinary = await arrange.actor()
    assume(
      !(!control.offers('mint') && ordinary.features.resortHotels !== false),
      'an ordinary credential declared to have no resort hotels (features, or TSS_FEATURES in .env)',
    )
    const actor = await arrange.actor('resort')
    const places = (await arrange.adapter.resorts(actor, async () => ordinary)).slice(0, TRIES)
    const ordinaryPlaces = await arrange.adapter.destinations(ordinary)
    // If both accounts have the same places, only hotels that show their operator can decide.
    const alike = places.length > 0 ? [] : spread(ordinaryPlaces, arrange.trafficIsFree ? LISTED : TRIES)
    for (const destination of alike) {
      const { search } = await look(context, ordinary, destination)
      if (search?.hotels.some(({ operator }) => operator === 'parkA'))
        holdsOnly(context, clause, search, operator => operator !== 'parkA')
    }
    assume(places.length > 0, 'a destination with resort hotels (shapes.hotels.resorts in the definition)')
    let known = false
    for (const destination of [...places, ...ordinaryPlaces.slice(0, 1)]) {
      const day = arrange.adapter.day()
      const { started, search } = await look(context, ordinary, destination, day)
      known = holdsOnly(context, clause, search, operator => operator !== 'parkA') || known
      if (search !== undefined && search.hotels.length > 0) continue
      // Finding nothing says nothing if nobody finds anything.
      if ((await look(context, actor, destination, day)).hotels.length === 0) continue
      known = true
      expect(started, clause).toHaveNo('hotels', search?.hotels ?? [])
    }
    assume(
      known,
      'hotels whose operator is known (shapes.hotels.hotels in the definition), or resort hotels that others find',
    )
  })
})

/** The number of checked offers that must be refused as expired while their rooms are available. */
const AGED = 5
/** Seconds after `expires_at` that are certainly late, and before it that are certainly in time. */
const LATE = 30
const IN_TIME = -120
/** The maximum wait for an `expires_at` in seconds: after the stay, or in the year 9999, nothing can be booked. */
const LATEST = 86_400

describe('a checked offer of a resort hotel', () => {
  /** Returns a checked offer some time after its `expires_at`, or before it. */
  async function atItsExpiry(context: ProductCheck<'hotels'>, again?: Actor, after = LATE) {
    const { arrange } = context
    const { actor, places } = await resorts(context, again)
    // Each search is for another day: a market may refuse to check what it offers.
    for (const destination of Array<typeof places>(LOOKS).fill(places).flat()) {
      const { search } = await look(context, actor, destination)
      const [offer] = resortOffers(context, search)
      if (offer === undefined) continue
      const answer = await actor.v2.checkOffer(offer.offerId)
      // If the price has changed, the offer in the answer is used.
      const { offer_id, expires_at, total = offer.total } = checkedOfferOf(answer) ?? {}
      if (typeof offer_id !== 'string' || typeof expires_at !== 'string') continue
      const seconds = Math.ceil((timeOf(expires_at) - actor.now()) / 1000)
      if (seconds > LATEST) continue
      await arrange.elapse(actor, Math.max(seconds + after, 0))
      return { actor, answer, destination, offer, checked: { ...offer, offerId: offer_id, total } }
    }
    assume(false, 'a resort hotel whose checked offer states an expires_at within a day')
  }

  for (const [when, clause, after] of [
    ['after', 'V2-OFFER-RESORT-LATE', LATE],
    ['shortly before', 'V2-OFFER-CHECK-CHECKED-BOOKABLE', IN_TIME],
  ] as const)
    test(`can be booked ${when} its expires_at`, { tags: [clause], kinds }, async context => {
      const { act, arrange, expect } = context
      const first = await atItsExpiry(context, undefined, after)
      const { actor, answer } = first
      // If an offer is refused as expired while its room is available at its price, the reason is its age; several times are
      // not chance.
      const told: Exchange[] = []
      let last = first
      for (let time = 1; time <= AGED; time++) {
        // The number of requests grows, so that a market that refuses every nth request does not stay in step.
        for (let more = 1; more < time; more++) await actor.v2.checkOffer(last.offer.offerId)
        const booked = await actor.v2.book({ key: arrange.key(), body: arrange.anyBody([last.checked]) })
        const still = await actor.v2.checkOffer(last.offer.offerId)
        if (errorCode(booked) !== 'OFFER_EXPIRED' || !succeeded(still)) break
        told.push(booked, still)
        if (time < AGED) last = await atItsExpiry(context, actor, after)
      }
      expect.claim(clause, told.length < 2 * AGED, {
        tried: `Booking a checked offer ${when} its expires_at, and checking the one that it was made of, ${AGED} times`,
        expected: 'a booking, or a refusal of both',
        observed: 'OFFER_EXPIRED for the first, and the second is good at its price',
        exchanges: [answer, ...told],
      })
      // The room is checked again, and may be gone or have another price by now.
      const beside = async () => {
        const [inTime] = resortOffers(context, (await look(context, actor, last.destination)).search)
        assume(inTime !== undefined, 'a resort hotel that can be booked before its offer expires')
        // A late offer asks the market twice: for the room, and for the booking.
        const room = await actor.v2.checkOffer(inTime.offerId)
        return succeeded(room) ? arrange.body(inTime) : room
      }
      const { answer: late } = await act.under({ beside }).book({
        by: actor,
        async what(round) {
          last = round === 1 ? first : await atItsExpiry(context, actor, after)
          return arrange.body(last.checked)
        },
      })
      // Unlike with offers that are booked at once, the price may have changed meanwhile.
      const now = at(late.response.json, 'error.details.current_offer.total')
      const hasMoved = typeof now === 'number' && !isSameAmount(now, checkedOfferOf(last.answer)?.total)
      assume(!hasMoved, 'a resort hotel whose price stays the same until its offer has expired')
      expect(late, clause).toHaveStatus(201, 202)
    })

  test('cannot be booked after its expires_at if its room is gone', {
    tags: ['V2-OFFER-RESORT-LATE'],
    kinds,
  }, async context => {
    const { act, arrange, control, expect } = context
    control.require('setStock')
    const { actor, destination, checked } = await atItsExpiry(context)
    await control.setStock(actor, checked.productId, 0)
    const what = async () => arrange.body(checked)
    const expecting = [...GONE, 'PRICE_CHANGED']
    const { answer: late } = await act.under({ expecting }).book({ by: actor, what })
    if (succeeded(late)) {
      const { search } = await look(context, actor, destination)
      const offered = resortOffers(context, search).some(({ productId }) => productId === checked.productId)
      assume(
        !offered,
        'control.setStock to have an effect: with nothing left, the resort hotel is still offered',
      )
    }
    expect(late, 'V2-OFFER-RESORT-LATE').not.toSucceed()
    await control.setStock(actor, checked.productId, 1)
    await act.booked('the same booking with the room back', { by: actor, what })
  })
})
