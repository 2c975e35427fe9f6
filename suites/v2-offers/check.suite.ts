import {
  assumeCarried,
  type BookedOffer,
  CARRIED,
  CARRIED_BY_ROOMS,
  CLOCKS_DIFFER,
  claimCarried,
  isLongPast,
} from '../../fixtures/check/buying/index.ts'
import { type Offer, ONE_ADULT } from '../../fixtures/check/products/index.ts'
import {
  areSameAmounts,
  at,
  bookingOf,
  checkedOfferOf,
  errorCode,
  sentIn,
  textOf,
} from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  type Exchange,
  Inconclusive,
  independently,
  orOrdinary,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/**
 * Returns an offer for two adults, on a day that was just requested for one: the answer for one must not be reused for two.
 *
 * @throws Inconclusive if none is sold, since the capacity is not shown
 */
async function offerForTwo(arrange: ProductCheck['arrange']): Promise<Offer> {
  const { date } = await arrange.offer({ pax: ONE_ADULT })
  try {
    // The first offer may come from a longer range: the exact request for one is sent now.
    await arrange.offer({ pax: ONE_ADULT, date })
    return await arrange.offer({ pax: { adult: 2, child: 0, infant: 0 }, date })
  } catch (error) {
    if (error instanceof Inconclusive) assume(false, 'an offer for two adults')
    throw error
  }
}

/** Decides that a booking carries the data of its offer, and of the check. Returns the decided clauses. */
function claimOfferedAndChecked(claim: ProductCheck['claim'], { offer, answer }: BookedOffer) {
  const { total = offer.total, currency = offer.currency } = checkedOfferOf(offer.exchange) ?? {}
  claimCarried(claim, { offer: { ...offer, total, currency }, answer })
  return claimCarried(claim, { offer, answer })
}

/** Returns the offer in the answer to a check. */
function asChecked(offer: Offer, answer: Exchange): Offer {
  const offerId = checkedOfferOf(answer)?.offer_id
  assume(typeof offerId === 'string', 'a checked offer that shows its offer_id')
  return { ...offer, offerId, exchange: answer }
}

/** Books an offer that was checked before, twice. */
async function originalIsBooked({ v2, act, arrange, expect }: ProductCheck): Promise<void> {
  const { answer } = await act.book({
    async body() {
      const offer = await arrange.offer()
      const checked = await arrange.checkedOffer(offer)
      // Whether that may be checked in its turn is open; what it came from stays as it is.
      if (arrange.trafficIsFree) await v2.checkOffer(checked.offerId)
      const again = await v2.checkOffer(offer.offerId)
      const isJudged = errorCode(again) !== 'OFFER_INVALID'
      expect(again, 'V2-OFFER-CHECK-ORIGINAL-BOOKABLE').toGive('an answer about its price', isJudged)
      return arrange.body(offer)
    },
  })
  expect(answer, 'V2-OFFER-CHECK-ORIGINAL-BOOKABLE').toHaveStatus(201, 202)
}

describe('POST /api/v2/offers/check', () => {
  test('an offer at its price is answered with a new, checked offer', {
    tags: [
      'V2-OFFER-CHECK-OK',
      'V2-OFFER-CHECK-NEW',
      'V2-OFFER-CHECK-STAGE',
      'V2-OFFER-CHECK-OFFER-ID',
      'V2-OFFER-CHECK-EXPIRES-AT',
      'V2-OFFER-CHECK-POLICY',
      'V2-OFFER-CHECK-CONDITIONS',
      'V2-OFFER-CHECK-ALTERNATIVES',
      'V2-OFFER-CHECK-REQUEST-ID',
      'CACHE-V2-OFFER-CHECK',
    ],
    kinds: EVERY_SORT,
  }, async ({ v2, act, arrange, expect }) => {
    const offer = await arrange.offer()
    const { answer, offer: first } = await act.check(offer)
    expect(answer, 'V2-OFFER-CHECK-OK').toSucceed()
    const checked = checkedOfferOf(answer)
    expect(answer, 'V2-OFFER-CHECK-EXPIRES-AT').toGive(
      `expires_at null, or ${CLOCKS_DIFFER} minutes ago at most`,
      !isLongPast(checked?.expires_at, answer),
      textOf(checked?.expires_at ?? null),
    )
    // Whether a checked offer may be checked again is open; if so, the answer is a checked offer too.
    if (arrange.trafficIsFree && typeof checked?.offer_id === 'string') await v2.checkOffer(checked.offer_id)
    // After a market refusal, another offer was checked.
    const sent = at(sentIn(answer), 'offer_id')
    expect(answer, 'V2-OFFER-CHECK-NEW').toGive('an offer_id of its own', checked?.offer_id !== sent)
    // Hotel offers are short-lived; other offers stay valid at their price.
    if (arrange.kind === 'hotels') return
    const { answer: again } = await act.check(async round => {
      if (round === 1) return first
      const another = await arrange.offer()
      await arrange.checkedOffer(another)
      return another
    })
    expect(again, 'V2-OFFER-CHECK-OK').toSucceed()
  })

  for (const [kinds, clause] of [
    [['transfers'], 'V2-OFFER-CHECK-ALTERNATIVES-TRANSFER'],
    [['parkA', 'parkB'], 'V2-OFFER-CHECK-ALTERNATIVES-TICKET'],
  ] as const) {
    test(`a checked offer of ${kinds.join(' and ')} has no alternatives`, {
      tags: [clause],
      kinds,
    }, async ({ act, arrange }) => {
      const offer = await arrange.offer()
      // Checked before or not, and for any group.
      const family = { adult: 2, child: 1, infant: 0 }
      const forFamily = await orOrdinary(
        () => arrange.offer({ pax: family }),
        async () => offer,
      )
      for (const one of arrange.trafficIsFree ? [offer, offer, forFamily] : [forFamily])
        await act.checked('a checked offer', one)
    })
  }

  test('a checked offer is written in snake_case, its amounts as JSON numbers, expires_at in UTC where it is set', {
    tags: [
      'FORMAT-V2-KEYS-OFFER-CHECK',
      'FORMAT-V2-AMOUNT-OFFER-CHECK',
      'FORMAT-V2-CURRENCY-OFFER-CHECK',
      'FORMAT-V2-TIMESTAMP-CHECKED-EXPIRES-AT',
    ],
    // Offers for several people may have different fields.
    opportunistic: ['V2-OFFER-CARRIES-DATE'],
    kinds: EVERY_KIND,
  }, async ({ act, arrange }) => {
    const offers = arrange.trafficIsFree ? await arrange.offersTogether(2) : [await arrange.offer()]
    const answers: Exchange[] = []
    for (const offer of offers) answers.push((await act.checked('a checked offer', offer)).answer)
    const expires = answers.some(answer => checkedOfferOf(answer)?.expires_at != null)
    assume(expires, 'a checked offer that has an expires_at')
  })

  test(
    'the original offer can be booked after the check',
    {
      tags: ['V2-OFFER-CHECK-ORIGINAL-BOOKABLE'],
      kinds: EVERY_KIND,
    },
    originalIsBooked,
  )

  test('the original offer of a resort hotel can be booked after the check', {
    tags: ['V2-OFFER-CHECK-ORIGINAL-BOOKABLE'],
    kinds: ['resortHotels'],
  }, async context => {
    assume(context.arrange.realIsFree, 'a deployment on which requests cost nobody anything')
    await originalIsBooked(context)
  })

  for (const [what, kinds, carried] of [
    ['transfer or ticket', ['transfers', 'parkA', 'parkB'], CARRIED],
    ['room', ['hotels'], CARRIED_BY_ROOMS],
  ] as const) {
    test(`the checked offer of a ${what} can be booked: what was offered, at the price that it shows`, {
      tags: ['V2-OFFER-CHECK-CHECKED-BOOKABLE', ...carried],
      kinds,
    }, async ({ act, arrange, expect, claim }) => {
      const { answer, offer } = await act.book({
        offer: async () => arrange.checkedOffer(await arrange.offer()),
      })
      expect(answer, 'V2-OFFER-CHECK-CHECKED-BOOKABLE').toHaveStatus(201, 202)
      assume.notPending(answer)
      assumeCarried(claimOfferedAndChecked(claim, { offer, answer }), carried)
    })
  }

  test('an offer for several people is good at its price, and is booked for all of them', {
    tags: ['V2-OFFER-CHECK-OK', 'V2-OFFER-CARRIES-PAX'],
    opportunistic: CARRIED.filter(clause => clause !== 'V2-OFFER-CARRIES-PAX'),
    kinds: ['transfers', 'parkA', 'parkB'],
  }, async ({ act, arrange, expect, claim }) => {
    const { answer: check, offer: first } = await act.check(() => offerForTwo(arrange))
    expect(check, 'V2-OFFER-CHECK-OK').toSucceed()
    const { answer, offer } = await act.booked('a checked offer for several people', {
      offer: async round =>
        round === 1 ? asChecked(first, check) : arrange.checkedOffer(await offerForTwo(arrange)),
    })
    assume.notPending(answer)
    assumeCarried(claimOfferedAndChecked(claim, { offer, answer }), ['V2-OFFER-CARRIES-PAX'])
  })

  test('an offer can be booked without a check', {
    tags: ['V2-BOOK-UNCHECKED'],
    kinds: EVERY_KIND,
  }, async ({ v2, act, arrange, expect }) => {
    const { answer } = await act.book({
      offer: () => arrange.offer(),
      orLeft: ({ offer }) => checkedOfferOf(offer.exchange) === undefined,
      // The market may refuse at a check whatever it may refuse at a booking.
      async beside() {
        const offer = await arrange.offer()
        const check = await v2.checkOffer(offer.offerId)
        // After a price change, the current offer is booked.
        const { offer_id: offerId, total } = checkedOfferOf(check) ?? {}
        return typeof offerId === 'string' ? arrange.body({ ...offer, offerId, total }) : check
      },
    })
    expect(answer).toHaveStatus(201, 202)
  })

  test('an offer_id in the URL is not taken', {
    tags: ['V2-OFFER-CHECK-NOT-IN-URL'],
    kinds: 'any',
  }, async ({ send, act, arrange, expect }) => {
    const offer = await arrange.offer()
    await act.checked('the same offer in the body', offer)
    const answer = await send({
      method: 'POST',
      path: `/api/v2/offers/check?offer_id=${encodeURIComponent(offer.offerId)}`,
      body: '{}',
    })
    expect(answer).toFailWith('VALIDATION_ERROR')
  })
})

/** Returns a checked offer for a group. @throws Inconclusive if it is refused, since the capacity is not shown */
async function checkedGroup(
  { act, expect }: ProductCheck<'transfers'>,
  find: () => Promise<Offer>,
): Promise<Offer> {
  const { answer, offer } = await act.check(find)
  // The price was for exactly this group.
  if (errorCode(answer) === 'PRICE_CHANGED') expect(answer, 'V2-OFFER-CHECK-OK').toSucceed()
  return asChecked(offer, answer)
}

/**
 * Makes bookings for adults, children and infants, unchecked and checked, if possible. The requirements for groups are not
 * shown.
 */
async function bookingsOfGroup(context: ProductCheck<'transfers'>): Promise<BookedOffer[]> {
  const { act, arrange, expect } = context
  const forGroup = async (pax: typeof ONE_ADULT) => {
    // The answer for the others must not be reused for the infant. The first offer may come from a longer range.
    const others = { ...pax, infant: 0 }
    const { date } = await arrange.offer({ pax: others })
    await arrange.offer({ pax: others, date })
    return orOrdinary(
      () => arrange.offer({ pax, date }),
      () => arrange.offer({ pax }),
    )
  }
  const find = () =>
    orOrdinary(
      () => forGroup({ adult: 3, child: 2, infant: 1 }),
      () => forGroup({ adult: 2, child: 0, infant: 1 }),
    )
  const infants = { adult: 2, child: 0, infant: 1 }
  const booked: BookedOffer[] = []
  for (const [offer, clause] of [
    ...(arrange.trafficIsFree ? [[() => arrange.offer({ pax: infants }), 'V2-BOOK-UNCHECKED'] as const] : []),
    [find, 'V2-BOOK-UNCHECKED'],
    [() => checkedGroup(context, find), 'V2-OFFER-CHECK-CHECKED-BOOKABLE'],
  ] as const) {
    try {
      const { answer, offer: one } = await act.book({ offer, expecting: ['OFFER_INVALID'] })
      // Whatever a group needs, its own offer is not invalid.
      if (errorCode(answer) === 'OFFER_INVALID') expect(answer, clause).toSucceed()
      assume.notPending(assume.accepted(answer, 'a booking for a group'))
      booked.push({ offer: one, answer })
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error
    }
  }
  return booked
}

describe('what an offer carries', () => {
  test('an item is booked with the product, day, quantities and price that were offered', {
    tags: [...CARRIED, 'V2-BOOKING-PRODUCT-TYPE-TRANSFER', 'V2-BOOKING-LOGISTICS'],
    opportunistic: ['V2-OFFER-CHECK-OK', 'V2-BOOK-UNCHECKED', 'V2-OFFER-CHECK-CHECKED-BOOKABLE'],
    kinds: ['transfers'],
  }, async context => {
    const { arrange, expect, claim } = context
    const { exchange, offers } = await arrange.booking()
    const told = claimCarried(claim, { offer: offers[0]!, answer: exchange })
    expect(exchange, 'V2-BOOKING-PRODUCT-TYPE-TRANSFER').toShowBooking(
      'items[0].product.product_type',
      'transfer',
    )
    for (const booked of await bookingsOfGroup(context)) claimCarried(claim, booked)
    assumeCarried(told, CARRIED)
  })

  test('each of several items is booked for the day and at the price that were offered for it', {
    tags: ['V2-OFFER-CARRIES-DATE', 'V2-OFFER-CARRIES-PRICE'],
    opportunistic: ['V2-OFFER-CARRIES-PRODUCT', 'V2-OFFER-CARRIES-PAX', 'V2-OFFER-CARRIES-TIME'],
    kinds: EVERY_SORT,
  }, async ({ arrange, expect }) => {
    const { exchange: answer, offers } = await arrange.booking({ items: 2 })
    const items = at(bookingOf(answer), 'items')
    assume(Array.isArray(items) && items.length === offers.length, 'a booking that shows each item')
    // The order of items is open.
    const alike =
      (
        clause: (typeof CARRIED)[number],
        field: 'date' | 'total',
        isSame: (offered: readonly unknown[], shown: readonly unknown[]) => boolean,
      ) =>
      () => {
        const [offered, shown] = [offers.map(one => one[field]), items.map(item => at(item, field))]
        // Which fields an item shows depends on its type.
        assume(
          ![...offered, ...shown].some(value => value == null),
          `offers and items that show their ${field}`,
        )
        const [expected, observed] = [offered, shown].map(all => all.map(textOf).sort().join(', '))
        const what = `${field} of the items together: ${expected}`
        expect(answer, clause).toGive(what, isSame(offered, shown), observed!)
      }
    await independently(
      alike('V2-OFFER-CARRIES-DATE', 'date', (...both) => {
        const [one, other] = both.map(all => all.map(textOf).sort().join())
        return one === other
      }),
      alike('V2-OFFER-CARRIES-PRICE', 'total', areSameAmounts),
    )
  })

  test('a room is booked for the days and at the price that were offered', {
    tags: CARRIED_BY_ROOMS,
    kinds: ['hotels'],
  }, async ({ arrange, claim }) => {
    const { exchange, offers } = await arrange.booking()
    assumeCarried(claimCarried(claim, { offer: offers[0]!, answer: exchange }), CARRIED_BY_ROOMS)
  })
})
