import {
  claimNothingBooked,
  isInProgress,
  isMarketRefusal,
  PUT_RIGHT,
  soldOnce,
  v1ErrorsOf,
} from '../../fixtures/check/buying/index.ts'
import { type HotelOffer, isRefusedOrder, roomsApart, roomsTogether } from '../../fixtures/check/v1/index.ts'
import { at, sumOf } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  ifHad,
  independently,
  type Outcome,
  test,
  untilAgreed,
  type V1Check,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

type Hotels = V1Check<'v1-hotels'>

/** A rate that is gone and one that cannot be booked are hard to distinguish: either string fits both. */
const GONE = ['RateKey expired', 'Rate not bookable'] as const
const REJECTED = ['Booking rejected', 'Rate not bookable'] as const
const SOLD_OUT = ['Rate not bookable', 'RateKey expired', 'Booking rejected'] as const

const succeeded = ({ response }: Exchange): boolean => response.status < 400

/** Confirms a room with an arranged outcome of its source. */
const confirmAfter = async (
  { arrange, act, control }: Hotels,
  outcome: Outcome,
  expecting: readonly string[],
  { reference, find = () => arrange.offer() }: { reference?: string; find?: () => Promise<HotelOffer> } = {},
) => {
  const { answer } = await act.book({
    async body() {
      const body = arrange.body(await find())
      await control.setOutcome(await arrange.actor(), 'book', outcome)
      return body
    },
    expecting,
    ...(reference === undefined ? {} : { key: reference }),
  })
  return answer
}

/** Confirms a room that control has made unbookable since it was found, so that its check fails already. */
async function confirmSpoilt(
  { arrange, act }: Hotels,
  {
    spoil,
    control,
    expecting,
    shownAs,
    find = () => arrange.offer(),
  }: {
    spoil(actor: Actor, offer: HotelOffer): Promise<void>
    control: string
    expecting: readonly string[]
    /** The error of a check of such a rate, twice: once may be chance. */
    shownAs?: string
    find?: () => Promise<HotelOffer>
  },
): Promise<Exchange> {
  const actor = await arrange.actor()
  await arrange.order()
  const { answer } = await act.book({
    async body() {
      const offer = await find()
      await spoil(actor, offer)
      for (let time = 1; time <= (shownAs === undefined ? 1 : 2); time++) {
        const quote = await arrange.adapter.quote(actor, offer)
        const shown = shownAs === undefined || v1ErrorsOf(quote).includes(shownAs)
        assume(quote.response.status >= 400 && shown, `${control}, so that the check of one fails`)
      }
      return arrange.body(offer)
    },
    expecting,
  })
  return answer
}

/** The number of rates that pass every check and cannot be booked, before that is no coincidence. */
const RATES = 4

/** Decides that a rate of more rooms than are left fails its check before and after a confirmation that is refused for it. */
async function judgeSoldOut(
  { v1, arrange, control, expect }: Hotels,
  offer: HotelOffer,
  left: number,
): Promise<void> {
  const actor = await arrange.actor()
  await arrange.adapter.quote(actor, offer)
  await control.setStock(actor, offer.productId, left)
  const exchanges: Exchange[] = []
  for (let time = 1; time <= 2; time++) {
    const checked = await arrange.adapter.quote(actor, offer)
    if (!succeeded(checked)) return
    const answer = await v1.hotels.confirm({
      ...arrange.anyBody(offer),
      external_reference: arrange.reference(),
    })
    // A failing source says nothing about availability.
    if (succeeded(answer) || isInProgress(answer) || answer.response.status >= 500) return
    exchanges.push(checked, answer)
  }
  const last = await arrange.adapter.quote(actor, offer)
  expect(last, 'V1-HOTEL-CHECK-HOLDS').toGive('a refusal, as the confirmation of that rate', !succeeded(last))
}

describe('bookingConfirm: prices and rates that change', () => {
  test('a rate that passes its check before and after can be booked', {
    tags: ['V1-HOTEL-CHECK-HOLDS'],
    kinds,
  }, async context => {
    const { v1, arrange, control, expect } = context
    const actor = await arrange.actor()
    const refused: Exchange[] = []
    for (let rate = 1; rate <= RATES; rate++) {
      const offer = await arrange.offer()
      const body = { ...arrange.anyBody(offer), external_reference: arrange.reference() }
      const answer = await v1.hotels.confirm(body)
      if (succeeded(answer)) break
      assume(!isInProgress(answer), 'a confirmation whose result is known')
      assume(isMarketRefusal(answer), 'a refusal about the rate')
      const again = await arrange.adapter.quote(actor, offer)
      // A rate that has changed since may be refused.
      const was = priceIn(arrange, offer.exchange.response.json)
      assume(
        succeeded(again) && priceIn(arrange, again.response.json) === was,
        'a rate that does not change during the check',
      )
      refused.push(answer)
    }
    expect.claim('V1-HOTEL-CHECK-HOLDS', refused.length < RATES, {
      tried: `Confirming ${RATES} rates that pass their check before and after`,
      expected: 'bookings',
      observed: `${refused.length} refusals`,
      exchanges: refused,
    })
    if (!control.offers('setStock')) return
    const group = await ifHad(roomsTogether(arrange))
    if (group !== undefined) await judgeSoldOut(context, group, 1)
    await judgeSoldOut(context, await arrange.offer(), 0)
  })

  for (const [what, find, isQuoted, move] of [
    ['a price that changed after the check is', (arrange: Hotels['arrange']) => arrange.offer(), true, 7.25],
    [
      'prices of several rooms that changed after the search are',
      (arrange: Hotels['arrange']) => roomsApart(arrange),
      true,
      -7.25,
    ],
    [
      'prices of rooms at one rate that changed after the search are',
      (arrange: Hotels['arrange']) => roomsTogether(arrange),
      true,
      7.25,
    ],
    // An earlier quote does not fix the price.
    [
      'a changed price that was not requested again is',
      (arrange: Hotels['arrange']) => arrange.offer(),
      false,
      -7.25,
    ],
  ] as const) {
    test(`${what} the price charged`, {
      tags: ['V1-HOTEL-CONFIRM-QUOTES-AGAIN', ...(isQuoted ? (['V1-HOTEL-CHECK-CURRENT'] as const) : [])],
      kinds,
      forReal: !isQuoted,
    }, async ({ arrange, act, control, expect }) => {
      const actor = await arrange.actor()
      /** Returns the current price of the rooms, each requested separately. */
      const cost = async ({ productData: { rateKeys } }: HotelOffer) => {
        const prices = []
        for (const rate_key of rateKeys)
          prices.push(priceIn(arrange, (await actor.v1.hotels.price({ rate_key })).response.json))
        return prices.every(price => price !== undefined) ? sumOf(prices) : undefined
      }
      const moved = async () => {
        const rooms = await find(arrange)
        const was = await cost(rooms)
        await control.changePrice(actor, rooms.productId, move)
        return { rooms, was, ...(isQuoted && { now: await cost(rooms) }) }
      }
      const { agrees, isStale, was, now, total, exchanges } = await untilAgreed(async () => {
        const { answer, offer } = await act.book({
          offer: moved,
          body: ({ rooms }) => arrange.body(rooms),
          expecting: ['Price changed'],
        })
        const { rooms, was } = offer
        const now = isQuoted ? offer.now : await cost(rooms)
        const total = at(answer.response.json, 'booking.total.price')
        // The price of a room with a grouped rate is a share, which may be rounded.
        const rounding = 0.0101 * rooms.productData.rateKeys.length
        const is = (price: number) => typeof total === 'number' && Math.abs(total - price) < rounding
        if (isQuoted && was !== undefined && was === now && typeof total === 'number' && !is(was))
          return { agrees: false, isStale: true, was, now, total, exchanges: [answer] }
        assume(
          was !== undefined && now !== undefined && was !== now,
          'control.changePrice to affect the checked price',
        )
        // A market may refuse it for any other reason at any time.
        if (!v1ErrorsOf(answer).includes('Price changed')) assume.accepted(answer, 'a confirmation')
        expect(answer).toSucceed()
        const agrees = is(now)
        const later = agrees ? now : await cost(rooms)
        assume(later === undefined || later === now, 'a price that does not change again during the check')
        return { agrees, isStale: false, was, now, total, exchanges: [answer] }
      })
      if (isQuoted)
        expect.claim('V1-HOTEL-CHECK-CURRENT', !isStale, {
          tried: 'Checking the price of rooms before and after it moved, and confirming them',
          expected: `the price of the booking, ${JSON.stringify(total ?? null)}`,
          observed: String(now),
          exchanges,
        })
      if (isStale) return
      expect.claim('V1-HOTEL-CONFIRM-QUOTES-AGAIN', agrees, {
        tried: `Confirming rooms that cost ${was} when they were found, and ${now} now`,
        expected: `booking.total.price ${now}`,
        observed: JSON.stringify(total ?? null),
        exchanges,
      })
    })
  }

  test('a room that has sold out is refused, with the reason', {
    tags: ['V1-HOTEL-ERR-CONFIRM-NOT-BOOKABLE', 'V1-HOTEL-ERR-NOT-BOOKABLE-MESSAGE'],
    kinds,
  }, async context => {
    const { expect } = context
    const answer = await confirmSpoilt(context, {
      spoil: (actor, { productId }) => context.control.setStock(actor, productId, 0),
      control: 'control that leaves no room',
      expecting: SOLD_OUT,
    })
    expect(answer, 'V1-HOTEL-ERR-CONFIRM-NOT-BOOKABLE').toHaveStatus(400)
    expect(answer, 'V1-HOTEL-ERR-CONFIRM-NOT-BOOKABLE').toSay(...SOLD_OUT)
  })

  test('the last room is sold only once', {
    tags: ['V1-HOTEL-ERR-CONFIRM-NOT-BOOKABLE'],
    kinds,
    forReal: false,
  }, async ({ arrange, control, expect }) => {
    assume(arrange.realIsFree, 'a deployment on which real bookings are free')
    const actor = await arrange.actor('live')
    const offer = await arrange.offer({ actor })
    await soldOnce({ expect }, 'V1-HOTEL-ERR-CONFIRM-NOT-BOOKABLE', {
      what: 'room',
      left: count => control.setStock(actor, offer.productId, count),
      buy: () =>
        actor.v1.hotels.confirm({ ...arrange.anyBody(offer), external_reference: arrange.reference() }),
      isSold: answer => !isRefusedOrder(answer),
    })
  })

  test('a rate that no longer exists is refused', {
    tags: ['V1-HOTEL-ERR-RATEKEY-EXPIRED', 'V1-HOTEL-CONFIRM-FAILED-NO-ID'],
    kinds,
    forReal: false,
  }, async context => {
    const { arrange, control, expect } = context
    control.require('setOutcome')
    await arrange.order()
    const answer = await confirmAfter(context, { kind: 'expired' }, GONE)
    assume(!succeeded(answer), 'control.setOutcome to remove a rate')
    expect(answer, 'V1-HOTEL-ERR-RATEKEY-EXPIRED').toRefuseAsStated()
  })

  for (const [what, find] of [
    ['a rate whose key has expired is', undefined],
    ['a rate of two rooms whose key has expired is', roomsTogether],
    ['rooms whose keys have expired are', roomsApart],
  ] as const)
    test(`${what} refused`, {
      tags: ['V1-HOTEL-ERR-RATEKEY-EXPIRED', 'V1-HOTEL-CONFIRM-FAILED-NO-ID'],
      kinds,
      forReal: find === undefined,
    }, async context => {
      const { arrange, control, expect } = context
      control.require('expireOffers')
      const answer = await confirmSpoilt(context, {
        spoil: actor => control.expireOffers(actor),
        control: 'control that lets keys expire',
        expecting: GONE,
        ...(find && { find: () => find(arrange) }),
      })
      expect(answer, 'V1-HOTEL-ERR-RATEKEY-EXPIRED').toRefuseAsStated()
    })

  test('a booking rejected by the hotel is refused, and nothing is reserved', {
    tags: ['V1-HOTEL-ERR-REJECTED', 'V1-HOTEL-ERR-REJECTED-NOTHING', 'V1-HOTEL-CONFIRM-FAILED-NO-ID'],
    kinds,
  }, async context => {
    const { arrange, control, expect } = context
    control.require('setOutcome')
    const actor = await arrange.actor()
    await arrange.order()
    const finds = [() => arrange.offer(), () => roomsTogether(arrange), () => roomsApart(arrange)]
    await independently(
      ...arrange.drawn(finds, 1).map(find => async () => {
        const before = await control.counted(actor)
        const answer = await confirmAfter(context, { kind: 'refused' }, REJECTED, { find })
        const after = await control.counted(actor)
        assume(!succeeded(answer), 'control.setOutcome that makes the hotel reject a booking')
        expect(answer, 'V1-HOTEL-ERR-REJECTED').toRefuseAsStated()
        claimNothingBooked({ expect }, 'V1-HOTEL-ERR-REJECTED-NOTHING', {
          tried: 'A confirmation that the hotel rejects',
          before,
          after,
          answer,
        })
      }),
    )
  })

  test('a result that is not known yet is answered with ORDER_CONFIRMATION_IN_PROGRESS', {
    tags: ['V1-HOTEL-ERR-UNKNOWN-RESULT'],
    kinds,
  }, async context => {
    const { arrange, expect, act, control } = context
    const actor = await arrange.actor()
    const reference = arrange.reference()
    const outcome: Outcome = { kind: 'unknown', settles: 'confirmed', afterSeconds: 60 }
    const answer = await confirmAfter(context, outcome, ['ORDER_CONFIRMATION_IN_PROGRESS'], { reference })
    assume(!succeeded(answer), 'control.setOutcome that keeps a result unknown')
    expect(answer).toRefuseAsStated()
    if (!control.offers('advanceClock')) return
    await control.advanceClock(actor, 60 + PUT_RIGHT)
    // The order may have been made. Its reference finds it, so that it can be cancelled.
    await act.book({ body: async () => arrange.body(await arrange.offer()), key: reference })
  })

  test('a repeat is replayed even if its rate no longer exists', {
    tags: ['V1-HOTEL-CONFIRM-REPLAY-EXPIRED-KEY'],
    kinds,
    forReal: false,
  }, async ({ arrange, control, expect }) => {
    const actor = await arrange.actor('live')
    const order = await arrange.order({ actor })
    await control.expireOffers(actor)
    const again = await actor.v1.hotels.confirm(order.body)
    expect(again).toHaveStatus(200)
    expect(again).toShow('id_orden', order.id)
    expect(again).toBeFlagged('idempotent_replay')
  })
})

/** Returns the price of one room in the answer of its check. */
const priceIn = ({ adapter }: Hotels['arrange'], answer: unknown): number | undefined => {
  const { prices, total } = adapter.checked(answer)
  return prices[0] ?? total
}
