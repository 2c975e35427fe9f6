import { outcomeOf } from '../../fixtures/check/outcome.ts'
import type { Party } from '../../fixtures/check/party.ts'
import type { Search } from '../../fixtures/check/shops/hotels.ts'
import type { Offer } from '../../fixtures/check/shops/shop.ts'
import { succeeded } from '../../fixtures/checkers/endpoint.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { checkedOfferOf, errorCode } from '../../fixtures/contracts/reading.ts'
import { type Bench, describe, test } from '../../fixtures/test.ts'
import { inAMovingMarket } from './market.ts'

/** Places worth searching. */
const TRIES = 3

type Place = string | number

/** What a party finds in a place; the search alone where it was refused. */
async function look({ given }: Bench, by: Party, destination: Place, days = 0) {
  const { hotels } = given.shops
  const checkIn = given.after(hotels.day(), days)
  const { started, toItsEnd } = await hotels.try(by, { destination, checkIn })
  const search = succeeded(started) ? await toItsEnd() : undefined
  return { started, search, hotels: search?.hotels ?? [] }
}

/** Decides that no hotel of a search is of the wrong operator; tells whether anything was known of any. */
function holdsOnly(
  { claim }: Bench,
  clause: 'FEATURE-V2-RESTRICTED-CATALOG' | 'FEATURE-V2-RESORT-HOTELS',
  search: Search | undefined,
  may: (operator: 'parkA' | 'parkB' | null) => boolean,
  tried: string,
): boolean {
  const told = search?.hotels.filter(({ operator }) => operator !== undefined) ?? []
  const wrong = told.filter(({ operator }) => !may(operator as 'parkA' | 'parkB' | null))
  if (told.length === 0 || search === undefined) return false
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

  /** What the party finds in places of its own list, where that says which hotels are operator B's. */
  async function ownHotels(bench: Bench, party: Party) {
    const { given } = bench
    const places = await given.shops.hotels.destinations(party)
    const searches: (Search | undefined)[] = []
    for (const destination of given.trafficIsFree ? places : places.slice(0, TRIES)) {
      searches.push((await look(bench, party, destination)).search)
    }
    // Where no hotel at all is said to be operator B's, it is not said of any, whatever the field holds.
    if (searches.some(search => search?.hotels.some(({ operator }) => ofB(operator))))
      return { places, searches }
    throw given.lacking('hotels that say whose they are (shapes.hotels.hotels of the definition)')
  }

  test('is offered hotels of operator B alone', { tags: [clause], kinds: ['hotels'] }, async bench => {
    const party = await bench.given.party('restricted')
    const { searches } = await ownHotels(bench, party)
    for (const search of searches) {
      holdsOnly(bench, clause, search, ofB, 'Searching a place of its own list')
    }
  })

  test('is offered nothing of what only others are shown', {
    tags: [clause],
    kinds: ['hotels'],
  }, async bench => {
    const { given, claim } = bench
    const party = await given.party('restricted')
    const { places } = await ownHotels(bench, party)
    const others = await given.shops.hotels.destinations(await given.party())
    const outside = others.filter(id => !places.includes(id)).slice(0, TRIES)
    if (outside.length === 0) throw given.lacking('a place that only others are shown')
    for (const destination of outside) {
      const { started, search } = await look(bench, party, destination)
      const tried = 'Searching a place that only others are shown'
      if (holdsOnly(bench, clause, search, ofB, tried)) continue
      // Hotels that do not say whose they are decide nothing; a refusal, or no hotel at all, does.
      if (search !== undefined && search.hotels.length > 0) continue
      claim(clause, true, { tried, expected: 'no hotel', observed: 'none', exchanges: [started] })
    }
  })
})

/** Places with resort hotels, and whoever may sell them. */
async function resorts({ given }: Bench) {
  const party = await given.party('resort')
  const places = await given.shops.hotels.resorts(party, await given.party())
  if (places.length > 0) return { party, places: places.slice(0, TRIES) }
  throw given.lacking('a place with resort hotels (shapes.hotels.resorts of the definition)')
}

/** Offers of resort hotels: of those that say so, or else of all in a place that nobody else is shown. */
function resortOffers({ given }: Bench, search: Search | undefined): Offer[] {
  if (search === undefined) return []
  const hotels = search.hotels.filter(({ operator }) => operator === 'parkA' || operator === undefined)
  return hotels.flatMap(hotel => given.shops.hotels.offersOf(search, hotel))
}

describe('resort hotels', () => {
  test('are on sale to a credential that may sell them', {
    tags: ['VERSION-V2-RESORT-HOTELS'],
    kinds: ['hotels'],
  }, async bench => {
    const { given, claim, expect } = bench
    const { party, places } = await resorts(bench)
    let sold = false
    for (const destination of places) {
      let offered = false
      const booked = await inAMovingMarket(bench, async () => {
        const { started, search } = await look(bench, party, destination)
        claim('VERSION-V2-RESORT-HOTELS', started.response.status !== 403, {
          tried: 'Searching resort hotels with a credential that may sell them',
          expected: 'a search',
          observed: outcomeOf(started),
          exchanges: [started],
        })
        const [offer] = resortOffers(bench, search)
        offered = offer !== undefined
        if (offer === undefined) return started
        return party.v2.book({ key: given.idempotencyKey(), body: given.bookingBody([offer]) })
      })
      if (!offered) continue
      expect(booked).toHaveStatus(201, 202)
      sold = true
      if (!given.trafficIsFree) break
    }
    if (!sold) throw given.lacking('a resort hotel with a room to let')
  })

  test('are not offered to a credential that may not sell them', {
    tags: ['FEATURE-V2-RESORT-HOTELS'],
    kinds: ['hotels'],
  }, async bench => {
    const clause = 'FEATURE-V2-RESORT-HOTELS'
    const { given, control, claim } = bench
    const ordinary = await given.party()
    if (!control.offers('mint') && ordinary.features.resortHotels !== false) {
      throw given.lacking('an ordinary credential that is stated to have no resort hotels (features)')
    }
    const { places } = await resorts(bench)
    const ordinaryPlaces = (await given.shops.hotels.destinations(ordinary)).slice(0, 1)
    let known = false
    for (const destination of [...places, ...ordinaryPlaces]) {
      const { started, search } = await look(bench, ordinary, destination)
      const tried = 'Searching with a credential that has no resort hotels'
      known = holdsOnly(bench, clause, search, operator => operator !== 'parkA', tried) || known
      if (search !== undefined && search.hotels.length > 0) continue
      known = true
      claim(clause, true, { tried, expected: 'no hotel', observed: 'none', exchanges: [started] })
    }
    if (!known) throw given.lacking('hotels that say whose they are (shapes.hotels.hotels of the definition)')
  })
})

/** Seconds past `expires_at` that are late beyond doubt. */
const LATE = 30

describe('a checked offer of a resort hotel', () => {
  /** One that has been past its `expires_at` for a while. */
  async function pastItsExpiry(bench: Bench) {
    const { given } = bench
    const { party, places } = await resorts(bench)
    for (const destination of places) {
      const { search } = await look(bench, party, destination)
      const [offer] = resortOffers(bench, search)
      if (offer === undefined) continue
      const answer = await party.v2.checkOffer(offer.offerId)
      const { offer_id, expires_at } = checkedOfferOf(answer) ?? {}
      if (typeof offer_id !== 'string' || typeof expires_at !== 'string') continue
      const seconds = Math.ceil((Date.parse(expires_at) - Date.now()) / 1000)
      await given.elapse(party, Math.max(seconds, 0) + LATE)
      return { party, answer, body: given.bookingBody([{ ...offer, offerId: offer_id }]) }
    }
    throw given.lacking('a resort hotel whose checked offer states expires_at')
  }

  test('can be booked past its expires_at', {
    tags: ['V2-OFFER-RESORT-LATE'],
    kinds: ['hotels'],
  }, async bench => {
    const { given, claim } = bench
    const { party, answer, body } = await pastItsExpiry(bench)
    const late = await party.v2.book({ key: given.idempotencyKey(), body })
    const code = errorCode(late)
    // The room is checked again, and may be gone or cost something else by now.
    if (!given.trafficIsFree && (code === 'NO_AVAILABILITY' || code === 'PRICE_CHANGED')) {
      throw given.lacking('a resort hotel that stays as it is for a while')
    }
    claim('V2-OFFER-RESORT-LATE', [201, 202].includes(late.response.status), {
      tried: 'Booking a checked offer of a resort hotel past its expires_at',
      expected: 'a booking',
      observed: outcomeOf(late),
      exchanges: [answer, late],
    })
  })

  test('is not booked past its expires_at when its room is gone', {
    tags: ['V2-OFFER-RESORT-LATE'],
    kinds: ['hotels'],
  }, async bench => {
    const { given, control, claim } = bench
    control.require('setOutcome')
    const { party, answer, body } = await pastItsExpiry(bench)
    await control.setOutcome(party, 'check', { kind: 'refused' })
    const refusals: Exchange[] = [await party.v2.book({ key: given.idempotencyKey(), body })]
    claim('V2-OFFER-RESORT-LATE', !succeeded(refusals[0]!), {
      tried: 'Booking a checked offer of a resort hotel past its expires_at, its room gone',
      expected: 'a refusal',
      observed: outcomeOf(refusals[0]!),
      exchanges: [answer, ...refusals],
    })
    given.accepted(
      await party.v2.book({ key: given.idempotencyKey(), body }),
      'the same booking with the room back',
    )
  })
})
