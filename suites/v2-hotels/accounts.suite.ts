import { GONE } from '../../fixtures/check/buying/index.ts'
import { type Offer, type Search, spread } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at, checkedOfferOf, errorCode, isSameAmount, timeOf } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  outcomeOf,
  type ProductCheck,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor('hotels')

/** Places worth searching. */
const TRIES = 3

/** The same where every account is listed the same places, and requests are free. */
const LISTED = 60

type Place = string | number

/** Returns what an actor finds in a place; the search alone where it was refused. */
async function look(
  { arrange }: ProductCheck<'hotels'>,
  by: Actor,
  destination: Place,
  checkIn = arrange.adapter.day(),
) {
  const { started, toItsEnd } = await arrange.adapter.try(by, { destination, checkIn })
  const search = succeeded(started) ? await toItsEnd() : undefined
  return { started, search, hotels: search?.hotels ?? [] }
}

/** Decides that no hotel of a search is of the wrong operator; tells whether anything was known of any. */
function holdsOnly(
  { claim }: ProductCheck<'hotels'>,
  clause: 'FEATURE-V2-RESTRICTED-CATALOG' | 'FEATURE-V2-RESORT-HOTELS',
  search: Search | undefined,
  may: (operator: 'parkA' | 'parkB' | null) => boolean,
  tried: string,
): boolean {
  const told = search?.hotels.filter(({ operator }) => operator !== undefined) ?? []
  const wrong = told.filter(({ operator }) => !may(operator as 'parkA' | 'parkB' | null))
  if (told.length === 0 || search === undefined) return false
  assume(
    search.complete || wrong.length > 0,
    'a search with so few hotels that all of them are looked at (5,000)',
  )
  claim(clause, wrong.length === 0, {
    tried,
    expected: 'no hotel that is not in its catalog',
    observed: `${wrong.length} of ${told.length} hotels`,
    exchanges: [search.started, ...search.polls],
  })
  return true
}

describe('a credential with a restricted catalog', () => {
  const clause = 'FEATURE-V2-RESTRICTED-CATALOG'
  const ofB = (operator: unknown) => operator === 'parkB'

  /** Returns what the actor finds in places of its own list, where that says which hotels are operator B's. */
  async function ownHotels(context: ProductCheck<'hotels'>, actor: Actor) {
    const { arrange } = context
    const places = await arrange.adapter.destinations(actor)
    const searches: (Search | undefined)[] = []
    for (const destination of arrange.trafficIsFree ? spread(places) : places.slice(0, TRIES)) {
      searches.push((await look(context, actor, destination)).search)
    }
    // Where no hotel at all is said to be operator B's, it is not said of any, whatever the field holds.
    if (searches.some(search => search?.hotels.some(({ operator }) => ofB(operator))))
      return { places, searches }
    assume(false, 'hotels that say whose they are (shapes.hotels.hotels of the definition)')
  }

  test('is offered hotels of operator B alone', { tags: [clause] }, async context => {
    const actor = await context.arrange.actor('restricted')
    const { searches } = await ownHotels(context, actor)
    for (const search of searches) {
      holdsOnly(context, clause, search, ofB, 'Searching a place of its own list')
    }
  })

  test('is offered nothing of what only others are shown', { tags: [clause] }, async context => {
    const { arrange, claim } = context
    const actor = await arrange.actor('restricted')
    const { places } = await ownHotels(context, actor)
    const others = await arrange.adapter.destinations(await arrange.actor())
    const outside = others.filter(id => !places.includes(id)).slice(0, TRIES)
    assume(outside.length > 0, 'a place that only others are shown')
    let decided = false
    for (const destination of outside) {
      const day = arrange.adapter.day()
      const { started, search } = await look(context, actor, destination, day)
      const tried = 'Searching a place that only others are shown'
      if (holdsOnly(context, clause, search, ofB, tried)) {
        decided = true
        continue
      }
      // Hotels that do not say whose they are decide nothing; a refusal, or no hotel at all, does, if others find some.
      if (search !== undefined && search.hotels.length > 0) continue
      if ((await look(context, await arrange.actor(), destination, day)).hotels.length === 0) continue
      claim(clause, true, { tried, expected: 'no hotel', observed: 'none', answer: started })
      decided = true
    }
    assume(
      decided,
      'a place that only others are shown, in which they find hotels on the day that is searched',
    )
  })
})

/** Times that each place is looked at for a resort hotel that can be had. */
const LOOKS = 4

/** Places with resort hotels, and whoever may sell them. */
async function resorts({ arrange }: ProductCheck<'hotels'>, known?: Actor) {
  const actor = known ?? (await arrange.actor('resort'))
  const places = await arrange.adapter.resorts(actor, () => arrange.actor())
  if (places.length > 0) return { actor, places: places.slice(0, TRIES) }
  assume(false, 'a place with resort hotels (shapes.hotels.resorts of the definition)')
}

/**
 * Offers of resort hotels that can be cancelled: of those that say so, or else of all in a place that nobody else is
 * shown.
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
  }, async context => {
    const { act, arrange, claim, expect } = context
    const { actor, places } = await resorts(context)
    let sold = false
    for (const destination of places) {
      const find = async () => {
        const { started, search } = await look(context, actor, destination)
        claim('VERSION-V2-RESORT-HOTELS', started.response.status !== 403, {
          tried: 'Searching resort hotels with a credential that may sell them',
          expected: 'a search',
          answer: started,
        })
        return resortOffers(context, search)[0]
      }
      let offer = await find()
      if (offer === undefined) continue
      const { answer: booked } = await act.book({
        by: actor,
        async body() {
          offer ??= await find()
          assume(offer !== undefined, 'a resort hotel with a room to let')
          const body = arrange.body(offer)
          offer = undefined
          return body
        },
      })
      expect(booked).toHaveStatus(201, 202)
      sold = true
      if (!arrange.trafficIsFree) break
    }
    assume(sold, 'a resort hotel with a room to let')
  })

  test('are not offered to a credential that may not sell them', {
    tags: ['FEATURE-V2-RESORT-HOTELS'],
  }, async context => {
    const clause = 'FEATURE-V2-RESORT-HOTELS'
    const { arrange, control, claim } = context
    const ordinary = await arrange.actor()
    assume(
      !(!control.offers('mint') && ordinary.features.resortHotels !== false),
      'an ordinary credential that is stated to have no resort hotels (features, or TSS_FEATURES in .env)',
    )
    const actor = await arrange.actor('resort')
    const places = (await arrange.adapter.resorts(actor, async () => ordinary)).slice(0, TRIES)
    const ordinaryPlaces = await arrange.adapter.destinations(ordinary)
    const tried = 'Searching with a credential that has no resort hotels'
    // Where both are listed the same places, hotels that say whose they are show it, if anything does.
    const alike = places.length > 0 ? [] : spread(ordinaryPlaces, arrange.trafficIsFree ? LISTED : TRIES)
    for (const destination of alike) {
      const { search } = await look(context, ordinary, destination)
      if (search?.hotels.some(({ operator }) => operator === 'parkA'))
        holdsOnly(context, clause, search, operator => operator !== 'parkA', tried)
    }
    assume(places.length > 0, 'a place with resort hotels (shapes.hotels.resorts of the definition)')
    let known = false
    for (const destination of [...places, ...ordinaryPlaces.slice(0, 1)]) {
      const day = arrange.adapter.day()
      const { started, search } = await look(context, ordinary, destination, day)
      known = holdsOnly(context, clause, search, operator => operator !== 'parkA', tried) || known
      if (search !== undefined && search.hotels.length > 0) continue
      // Finding nothing says nothing where nobody finds anything.
      if ((await look(context, actor, destination, day)).hotels.length === 0) continue
      known = true
      claim(clause, true, { tried, expected: 'no hotel', observed: 'none', answer: started })
    }
    assume(
      known,
      'hotels that say whose they are (shapes.hotels.hotels of the definition), or resort hotels that others find',
    )
  })
})

/** Checked offers that have to be called expired while their rooms are sold. */
const AGED = 3
/** Seconds past `expires_at` that are late beyond doubt. */
const LATE = 30
/** Seconds until an `expires_at` that is waited for: past the stay, or in the year 9999, nothing can be booked. */
const LATEST = 86_400

describe('a checked offer of a resort hotel', () => {
  /** One that has been past its `expires_at` for a while. */
  async function pastItsExpiry(context: ProductCheck<'hotels'>, again?: Actor) {
    const { arrange, now } = context
    const { actor, places } = await resorts(context, again)
    // Each look is at another day: a market may refuse to check what it offers.
    for (const destination of Array<typeof places>(LOOKS).fill(places).flat()) {
      const { search } = await look(context, actor, destination)
      const [offer] = resortOffers(context, search)
      if (offer === undefined) continue
      const answer = await actor.v2.checkOffer(offer.offerId)
      // Its price may have changed: what is held until then is the offer that is named instead.
      const { offer_id, expires_at, total = offer.total } = checkedOfferOf(answer) ?? {}
      if (typeof offer_id !== 'string' || typeof expires_at !== 'string') continue
      const seconds = Math.ceil((timeOf(expires_at) - now(actor)) / 1000)
      if (seconds > LATEST) continue
      await arrange.elapse(actor, Math.max(seconds, 0) + LATE)
      return { actor, answer, destination, offer, checked: { ...offer, offerId: offer_id, total } }
    }
    assume(false, 'a resort hotel whose checked offer states an expires_at within a day')
  }

  test('can be booked past its expires_at', { tags: ['V2-OFFER-RESORT-LATE'] }, async context => {
    const { act, arrange, claim } = context
    const first = await pastItsExpiry(context)
    const { actor, answer } = first
    // What is called expired while its room is still sold at its price is refused for its age; not by chance, time after time.
    const told: Exchange[] = []
    let last = first
    for (let time = 1; time <= AGED; time++) {
      // No market that refuses every so many requests is in step with that.
      for (let more = 1; more < time; more++) await actor.v2.checkOffer(last.offer.offerId)
      const booked = await actor.v2.book({ key: arrange.key(), body: arrange.anyBody([last.checked]) })
      const still = await actor.v2.checkOffer(last.offer.offerId)
      if (errorCode(booked) !== 'OFFER_EXPIRED' || !succeeded(still)) break
      told.push(booked, still)
      if (time < AGED) last = await pastItsExpiry(context, actor)
    }
    claim('V2-OFFER-RESORT-LATE', told.length < 2 * AGED, {
      tried: `Booking a checked offer past its expires_at, and checking the one that it was made of, ${AGED} times`,
      expected: 'a booking, or a refusal of both',
      observed: 'OFFER_EXPIRED for the first, and the second is good at its price',
      exchanges: [answer, ...told],
    })
    // The room is checked again, and may be gone or cost something else by now.
    const { answer: late } = await act.book({
      by: actor,
      async body(_, round) {
        last = round === 1 ? first : await pastItsExpiry(context, actor)
        return arrange.body(last.checked)
      },
      async beside() {
        const [inTime] = resortOffers(context, (await look(context, actor, last.destination)).search)
        assume(inTime !== undefined, 'a resort hotel that is booked in time')
        // The market is asked twice for what is late: for the room, and to sell it.
        const room = await actor.v2.checkOffer(inTime.offerId)
        return succeeded(room) ? arrange.body(inTime) : room
      },
    })
    // A price may move with time on any day, unlike those that are booked as soon as they are offered.
    const now = at(late.response.json, 'error.details.current_offer.total')
    const hasMoved = typeof now === 'number' && !isSameAmount(now, checkedOfferOf(last.answer)?.total)
    assume(!hasMoved, 'a resort hotel whose price stays the same until an offer of it is late')
    claim('V2-OFFER-RESORT-LATE', [201, 202].includes(late.response.status), {
      tried: 'Booking a checked offer of a resort hotel past its expires_at',
      expected: 'a booking',
      exchanges: [answer, late],
    })
  })

  test('is not booked past its expires_at when its room is gone', {
    tags: ['V2-OFFER-RESORT-LATE'],
  }, async context => {
    const { act, arrange, control, claim } = context
    control.require('setStock')
    const { actor, answer, destination, checked } = await pastItsExpiry(context)
    await control.setStock(actor, checked.productId, 0)
    const body = async () => arrange.body(checked)
    const refusals: Exchange[] = [
      (await act.book({ by: actor, body, expecting: [...GONE, 'PRICE_CHANGED'] })).answer,
    ]
    if (succeeded(refusals[0]!)) {
      const { search } = await look(context, actor, destination)
      const offered = resortOffers(context, search).some(({ productId }) => productId === checked.productId)
      assume(!offered, 'control that changes stock: with nothing left, the resort hotel is still offered')
    }
    claim('V2-OFFER-RESORT-LATE', !succeeded(refusals[0]!), {
      tried: 'Booking a checked offer of a resort hotel past its expires_at, its room gone',
      expected: 'a refusal',
      observed: outcomeOf(refusals[0]!),
      exchanges: [answer, ...refusals],
    })
    await control.setStock(actor, checked.productId, 1)
    await act.booked('the same booking with the room back', { by: actor, body, judged: false })
  })
})
