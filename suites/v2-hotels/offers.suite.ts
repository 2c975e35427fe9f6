import { assumeUnmoved } from '../../fixtures/check/buying/index.ts'
import { type Offer, spread } from '../../fixtures/check/products/index.ts'
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
  type Actor,
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

/** The companies of a check: an offer is valid only for its own company. */
interface Searchers {
  by: Actor
  resorts(): Promise<Actor>
}

async function searchersOf({ arrange }: ProductCheck<'hotels'>): Promise<Searchers> {
  let resorts: Promise<Actor> | undefined
  return { by: await arrange.actor(), resorts: () => (resorts ??= arrange.actor('resort')) }
}

/** Yields offers of hotels, place by place; for accounts with special hotels, resort hotels first. */
async function* offersOfHotels({ arrange }: ProductCheck<'hotels'>, { by, resorts }: Searchers) {
  const { adapter } = arrange
  yield { by, offers: await adapter.find(by, {}) }
  const seller = await resorts()
  // In a long list of places, theirs may be the last ones, and full on the day of the first search.
  const theirs = await adapter.resorts(seller, async () => by)
  const places = [...new Set([...theirs, ...(await adapter.destinations(seller))])].slice(0, TRIES)
  for (const destination of [...places, ...theirs.slice(0, TRIES)]) {
    const { started, toItsEnd } = await adapter.try(seller, { destination, checkIn: adapter.day() })
    if (!succeeded(started)) continue
    const search = await toItsEnd()
    const hotels = search.hotels.filter(({ cancellableOnline }) => cancellableOnline !== false)
    yield { by: seller, offers: hotels.flatMap(hotel => adapter.offersOf(search, hotel)) }
  }
}

/**
 * Returns a checked offer with alternatives, if there is one: with several where one hotel in a few has them. Possibly only
 * resort hotels have any.
 *
 * @param only the company whose offers are considered. Absent: any
 */
async function withAlternatives(context: ProductCheck<'hotels'>, searchers: Searchers, only?: Actor) {
  for await (const { by, offers } of offersOfHotels(context, searchers)) {
    if (only !== undefined && by !== only) continue
    const hotels = [...new Map(offers.map(offer => [offer.productId, offer])).values()]
    let most: { by: Actor; offer: Offer; answer: Exchange; alternatives: JsonObject[] } | undefined
    for (const offer of hotels.slice(0, TRIES)) {
      const answer = await by.v2.checkOffer(offer.offerId, { headers: GZIP })
      const found = succeeded(answer) ? checkedOfferOf(answer)?.alternatives : undefined
      const alternatives: JsonObject[] = objects(found)
      if (alternatives.length > (most?.alternatives.length ?? 0)) most = { by, offer, answer, alternatives }
      if (most !== undefined && (alternatives.length > 1 || !context.arrange.trafficIsFree)) break
    }
    if (most !== undefined) return most
  }
  assume(false, 'a hotel offer whose check shows alternatives')
}

describe('the alternatives of a checked hotel offer', () => {
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
    const { by, answer, alternatives } = await withAlternatives(context, await searchersOf(context))
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
    const searchers = await searchersOf(context)
    const areBooked = async (first: Awaited<ReturnType<typeof withAlternatives>>) => {
      const { by, alternatives } = first
      // The next such offer may be long in coming.
      let next: typeof first | undefined = first
      for (const turn of arrange.drawn([...spread(alternatives).keys()], 1)) {
        const { answer } = await act.book({
          by,
          async what() {
            const checked = next ?? (await withAlternatives(context, searchers, by))
            next = undefined
            const { offer, answer: exchange, alternatives: found } = checked
            const { offer_id, total, currency } = found[turn % found.length]!
            return { ...offer, offerId: textOf(offer_id), total, currency, exchange }
          },
        })
        expect(answer).toHaveStatus(201, 202)
      }
    }
    const any = await withAlternatives(context, searchers)
    await independently(
      () => areBooked(any),
      // Those of resort hotels too, which have park tickets instead of boards.
      async () => {
        if (!arrange.trafficIsFree || any.by !== searchers.by) return
        await areBooked(await withAlternatives(context, searchers, await searchers.resorts()))
      },
    )
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
    const first = await grownOld()
    let used = first[0]
    /** Returns the old offer, or the checked one; in later rounds of another offer. */
    const oldOne = (which: 0 | 1) => async (round: number) => {
      used = (round === 1 ? first : await grownOld())[which]
      return used
    }
    const { answer: check } = await act.under({ expecting: GONE }).check(oldOne(0))
    await assumeUnmoved(context, used, check)
    const second = check.response.status < 400 ? check : await v2.checkOffer(used.offerId)
    const bookings: Exchange[] = []
    const again: Exchange[] = []
    for (const which of [0, 1] as const) {
      const { answer: booked, key, sent } = await act.under({ expecting: GONE }).book({ what: oldOne(which) })
      await assumeUnmoved(context, used, booked)
      bookings.push(booked)
      // A repeat with the first key must be refused like the first attempt.
      if (booked.response.status >= 400) again.push(await v2.book({ key, body: sent }))
    }
    // Control may accept without effect; one refusal shows that it works.
    const isSeen = [check, ...bookings].some(({ response }) => response.status >= 400)
    assume(
      isSeen || arrange.trafficIsFree || ofCheck === old[0],
      'control.expireOffers or setOutcome to remove a rate',
    )
    await independently(
      async () => expect(check, ofCheck).toFailWith(...GONE),
      async () => expect(second, ofCheck).not.toSucceed(),
      ...bookings.map(booked => async () => expect(booked, ofBooking).toFailWith(...GONE)),
      ...again.map(booked => async () => expect(booked, ofBooking).not.toSucceed()),
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
