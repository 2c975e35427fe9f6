import {
  assumeCarried,
  CARRIED,
  CARRIED_BY_ROOMS,
  claimCarried,
  claimCurrentCarries,
  isMarketRefusal,
  itemsToRefuse,
  refusedInPart,
} from '../../fixtures/check/buying/index.ts'
import { assumeMoved, assumeMovedWithin, assumeNewPrice } from '../../fixtures/check/control/index.ts'
import type { Offer } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, errorCode, isSameAmount, type JsonObject } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  type Exchange,
  ifHad,
  independently,
  orOrdinary,
  type ProductCheck,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_KIND)

/** Returns an offer whose price has changed since. */
async function offerThenMoved(
  context: ProductCheck,
  by: number,
  find: () => Promise<Offer> = () => context.arrange.offer(),
  forOne = false,
) {
  const { arrange, control } = context
  const actor = await arrange.actor()
  const slippery = by === 0.01 && arrange.kind === 'transfers'
  // Two tickets, so that a cent in total differs from half a cent each.
  const forTwo = !forOne && Math.abs(by) === 0.01 && arrange.realIsFree && arrange.kind.startsWith('park')
  const pax = { adult: 2, child: 0, infant: 0 }
  const offer = slippery
    ? await offerThatSlips(context)
    : forTwo
      ? await orOrdinary(() => arrange.offer({ pax }), find)
      : await find()
  await control.changePrice(actor, offer.productId, by)
  return offer
}

/**
 * Returns whether price plus a cent minus price is below 0.01 in floating-point arithmetic, as for about every second price.
 */
const slips = ({ total }: { total?: unknown }): boolean =>
  Number((Number(total) + 0.01).toFixed(2)) - Number(total) < 0.01

/** Returns an offer whose price is affected by that, if there is one on that day. */
async function offerThatSlips({ arrange }: ProductCheck): Promise<Offer> {
  const ordinary = await arrange.offer()
  const others = await arrange.adapter.find(await arrange.actor(), { date: ordinary.date })
  return others.find(slips) ?? ordinary
}

const CURRENT_ID = 'error.details.current_offer.offer_id'

/** Decides that the offer returned after a price change has the new price, if it shows a total. */
function claimAtNewPrice(
  { expect }: ProductCheck,
  { total: old, offerId }: Offer,
  answer: Exchange,
  others: readonly unknown[] = [],
): void {
  const current = at(answer.response.json, CURRENT_ID)
  const isOwn = current !== offerId && !others.includes(current)
  expect(answer, 'V2-OFFER-PRICE-CURRENT-OFFER').toGive('another offer than was sent', isOwn)
  const total = at(answer.response.json, 'error.details.current_offer.total')
  if (typeof total !== 'number' || typeof old !== 'number') return
  expect(answer, 'V2-OFFER-PRICE-CURRENT-OFFER').toGive('a new price', !isSameAmount(total, old), `${total}`)
}

/** Decides that an offer with an old price is not sold or checked after the change was reported. */
async function claimToldAgain(
  context: ProductCheck,
  clause: ClauseId,
  { offer, told, again }: { offer: Offer; told: Exchange; again: Exchange },
): Promise<void> {
  const { v2, claim } = context
  if (again.response.status >= 300) return
  // If the price has changed back, its check succeeds, and the offer at the other price is refused.
  const still = await v2.checkOffer(offer.offerId)
  const current = at(told.response.json, CURRENT_ID)
  const isTold = errorCode(still) === 'PRICE_CHANGED'
  const other = isTold || typeof current !== 'string' ? still : await v2.checkOffer(current)
  const holds = !isTold && (other === still || !succeeded(other))
  if (!holds) await assumeNewPrice(context, offer, again)
  claim(clause, holds, {
    tried: 'Using an offer whose price has moved, as was told before, and stands after it',
    expected: 'PRICE_CHANGED',
    exchanges: [told, again, other],
    observed: `${again.response.status}`,
  })
}

/** The number of bookings refused for an unchanged price before that is no coincidence. */
const ROUNDS = 4

const MOVES = [
  ['has risen', 3.5, 'V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-BOOK'],
  ['has fallen', -3.5, 'V2-OFFER-PRICE-CHECK-LOWER', 'V2-OFFER-PRICE-BOOK-LOWER'],
  ['differs by exactly 0.01', 0.01, 'V2-OFFER-PRICE-CHECK-EDGE', 'V2-OFFER-PRICE-BOOK-EDGE'],
  ['has fallen by exactly 0.01', -0.01, 'V2-OFFER-PRICE-CHECK-EDGE', 'V2-OFFER-PRICE-BOOK-EDGE'],
] as const

describe('a price that moves after the offer', () => {
  for (const [how, by, onCheck, onBook] of MOVES) {
    test(`and ${how} is told by the check, and books nothing`, {
      tags: [
        onCheck,
        onBook,
        'V2-ERR-STATUS-PRICE-CHANGED',
        'V2-OFFER-PRICE-CURRENT-OFFER',
        'V2-PRICE-CHANGED-OFFER-ID',
        'V2-OFFER-PRICE-NOTHING-CREATED',
        'FORMAT-V2-AMOUNT-CURRENT-OFFER',
        'FORMAT-V2-CURRENCY-CURRENT-OFFER',
      ],
    }, async context => {
      const { v2, act, arrange, control, expect, claim } = context
      const actor = await arrange.actor()
      const expecting = ['PRICE_CHANGED']
      const moved = () => offerThenMoved(context, by)
      await independently(
        async () => {
          // For one person: for two, a change of a cent may be two cents.
          const forOne = () => offerThenMoved(context, by, undefined, true)
          const { answer, sent, offer } = await act.book({ offer: forOne, expecting })
          await assumeMoved(context, offer, answer)
          expect(answer, onBook).toFailWith('PRICE_CHANGED')
          expect(answer, onBook).not.toHoldBooking()
          claimAtNewPrice(context, offer, answer)
          // A trial booking of the kit may exist already, made at the old price.
          const before = await control.counters(actor)
          const again = await v2.book({ key: arrange.key(), body: sent })
          const after = await control.counters(actor)
          await claimToldAgain(context, onBook, { offer, told: answer, again })
          assume(errorCode(again) === 'PRICE_CHANGED', 'a price that stays where it has moved to')
          claim(
            'V2-OFFER-PRICE-NOTHING-CREATED',
            // There may be fewer if a pending booking has failed by now.
            (after.bookings[arrange.kind] ?? 0) <= (before.bookings[arrange.kind] ?? 0),
            {
              tried: 'A booking answered with PRICE_CHANGED',
              expected: `${before.bookings[arrange.kind]} bookings as before`,
              observed: `${after.bookings[arrange.kind]}`,
              exchanges: [answer, again],
            },
          )
        },
        async () => {
          const { answer, offer } = await act.check(moved, { expecting })
          await assumeMoved(context, offer, answer)
          expect(answer, onCheck).toFailWith('PRICE_CHANGED')
          claimAtNewPrice(context, offer, answer)
          if (!arrange.realIsFree) return
          const checked = await v2.checkOffer(offer.offerId)
          await claimToldAgain(context, onCheck, { offer, told: answer, again: checked })
          const again = await v2.book({ key: arrange.key(), body: arrange.anyBody([offer]) })
          await claimToldAgain(context, onBook, { offer, told: answer, again })
        },
      )
    })
  }

  test('comes with an offer that states when it expires as any other does', {
    tags: ['FORMAT-V2-TIMESTAMP-CURRENT-OFFER'],
    // For the same group, if one is sold.
    opportunistic: ['V2-OFFER-PRICE-CURRENT-OFFER', ...CARRIED],
    // Hotel offers have no expiry before they are checked.
    kinds: ['transfers', 'parkA', 'parkB'],
  }, async context => {
    const { act, arrange } = context
    const forFamily = () =>
      orOrdinary(
        () => arrange.offer({ pax: { adult: 2, child: 1, infant: arrange.kind === 'transfers' ? 1 : 0 } }),
        () => arrange.offer(),
      )
    const moved = () => offerThenMoved(context, 4, forFamily)
    const { answer, offer } = await act.check(moved, { expecting: ['PRICE_CHANGED'] })
    await claimCurrentCarries(context, offer, answer)
    assume(
      at(answer.response.json, 'error.details.current_offer.expires_at') != null,
      'a details.current_offer that has an expires_at',
    )
  })

  test('by less than 0.01 is no change', {
    tags: ['V2-OFFER-PRICE-CHECK-WITHIN', 'V2-OFFER-PRICE-BOOK-WITHIN'],
  }, async context => {
    const { act, expect } = context
    const moved = () => offerThenMoved(context, 0.004)
    await independently(
      async () => {
        const { answer, offer } = await act.check(moved)
        await assumeMovedWithin(context, offer, answer)
        expect(answer, 'V2-OFFER-PRICE-CHECK-WITHIN').toSucceed()
      },
      async () => {
        const { answer, offer } = await act.book({ offer: moved })
        await assumeMovedWithin(context, offer, answer)
        expect(answer, 'V2-OFFER-PRICE-BOOK-WITHIN').toHaveStatus(201, 202)
      },
    )
  })

  test('and after the check is told when the checked offer is booked, or checked once more', {
    kinds: EVERY_SORT,
    tags: ['V2-OFFER-PRICE-BOOK-CHECKED', 'V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-CURRENT-OFFER'],
    opportunistic: ['V2-OFFER-CARRIES-PRICE', 'V2-OFFER-PRICE-BOOK'],
  }, async context => {
    const { v2, act, arrange, control, expect } = context
    control.require('changePrice')
    const actor = await arrange.actor()
    const expecting = ['PRICE_CHANGED']
    const movedSinceCheck = (by: number) => async () => {
      const checked = await arrange.checkedOffer(await arrange.offer())
      await control.changePrice(actor, checked.productId, by)
      return checked
    }
    await independently(
      ...[2, -2].map(by => async () => {
        const { answer, offer } = await act.book({ offer: movedSinceCheck(by), expecting })
        await assumeMoved(context, offer, answer)
        expect(answer, 'V2-OFFER-PRICE-BOOK-CHECKED').toFailWith('PRICE_CHANGED')
        claimAtNewPrice(context, offer, answer)
        // The current price is that of its check.
        const current = at(answer.response.json, CURRENT_ID)
        if (!arrange.trafficIsFree || by < 0 || typeof current !== 'string') return
        await v2.checkOffer(current)
        // The price of that offer may change as that of any other.
        await control.changePrice(actor, offer.productId, 3)
        const total = at(answer.response.json, 'error.details.current_offer.total')
        const late = { ...offer, offerId: current, total }
        const again = await v2.book({ key: arrange.key(), body: arrange.anyBody([late]) })
        await assumeMoved(context, late, again)
        if (!isMarketRefusal(again) || errorCode(again) === 'PRICE_CHANGED')
          expect(again, 'V2-OFFER-PRICE-BOOK').toFailWith('PRICE_CHANGED')
      }),
      async () => {
        const { answer, offer } = await act.check(movedSinceCheck(-2), { expecting })
        await assumeMoved(context, offer, answer)
        // Whether a checked offer may be checked again is open.
        const isTold = errorCode(answer) === 'PRICE_CHANGED'
        assume(isTold || answer.response.status < 300, 'a checked offer that may be checked once more')
        expect(answer, 'V2-OFFER-PRICE-CHECK').toFailWith('PRICE_CHANGED')
      },
    )
  })

  for (const [what, isChecked] of [
    ['an offer', false],
    ['a checked offer', true],
  ] as const) {
    test(`of ${what} is told where another item of the booking costs what it did`, {
      tags: ['V2-OFFER-PRICE-BOOK', 'V2-OFFER-PRICE-NOTHING-CREATED', 'V2-OFFER-PRICE-CURRENT-OFFER'],
      // Rooms of one booking are of one hotel, and prices change by hotel.
      kinds: ['transfers', 'parkA', 'parkB'],
    }, async context => {
      const { act, arrange, control, expect } = context
      const actor = await arrange.actor()
      const items = isChecked ? 2 : await itemsToRefuse(context)
      const {
        answer,
        sent,
        offer: moved,
      } = await act.book({
        async offer() {
          const offer = await arrange.offer()
          const one = isChecked ? await arrange.checkedOffer(offer) : offer
          await control.changePrice(actor, one.productId, 4)
          return one
        },
        async body(moved) {
          const before = [await arrange.offer()]
          if (items > 2) before.push(await arrange.offer())
          return arrange.anyBody([...before, moved])
        },
        expecting: ['PRICE_CHANGED'],
      })
      await assumeMoved(context, moved, answer)
      assume.notPending(answer)
      // Whether separately found offers can be booked together is open.
      const isTold = errorCode(answer) === 'PRICE_CHANGED'
      assume(isTold || answer.response.status < 300, 'items of one booking, offered one after the other')
      expect(answer, 'V2-OFFER-PRICE-BOOK').toFailWith('PRICE_CHANGED')
      const all = (sent.items as JsonObject[]).map(({ offer_id: id }) => id)
      claimAtNewPrice(context, moved, answer, all.slice(0, -1))
      control.require('counters')
      const part = { body: sent, why: 'one costs something else by now' }
      const [again, turned] = await refusedInPart(context, 'V2-OFFER-PRICE-NOTHING-CREATED', part)
      await claimToldAgain(context, 'V2-OFFER-PRICE-BOOK', { offer: moved, told: answer, again: again! })
      assume(errorCode(again!) === 'PRICE_CHANGED', 'a price that stays where it has moved to')
      assume.notPending(turned!)
      expect(turned!, 'V2-OFFER-PRICE-BOOK').not.toHoldBooking()
    })
  }

  test('is told of no booking of several items whose prices stand', {
    tags: ['V2-OFFER-PRICE-STANDS'],
  }, async ({ v2, arrange, claim }) => {
    const told: Exchange[] = []
    // A booking of several items that another check made is one that stood.
    const isMade = !arrange.realIsFree && (await ifHad(arrange.booking({ items: 2 }))) !== undefined
    for (let round = 1; !isMade && round <= ROUNDS; round++) {
      const offers = await arrange.offersTogether(2)
      const stands = async () => {
        for (const { offerId } of offers) {
          if ((await v2.checkOffer(offerId)).response.status >= 300) return false
        }
        return true
      }
      const answer = await v2.book({ key: arrange.key(), body: arrange.anyBody(offers) })
      if (answer.response.status < 300) break
      // A price may change at any time, but not always between two checks that both find the old one.
      const isTold = errorCode(answer) === 'PRICE_CHANGED'
      assume(isTold && (await stands()), 'a booking of several items that is made, or refused for a price')
      told.push(answer)
    }
    claim('V2-OFFER-PRICE-STANDS', told.length < ROUNDS, {
      tried: `Booking two items together, ${ROUNDS} times, at prices that a check of each still found after it`,
      expected: 'a booking',
      observed: 'PRICE_CHANGED every time',
      exchanges: told,
    })
  })

  /** A check, a booking, or a booking whose first item has its old price, where offers are easily confused. */
  const toldBy = async ({ act, arrange, v2 }: ProductCheck, offer: Offer, turn: number) => {
    if (turn === 0) return (await act.check(async () => offer, { expecting: ['PRICE_CHANGED'] })).answer
    // Rooms of one booking are of one hotel, and prices change by hotel.
    const before = turn === 2 && arrange.kind !== 'hotels' ? [await arrange.offer()] : []
    const told = await v2.book({ key: arrange.key(), body: arrange.anyBody([...before, offer]) })
    // Which item's price has changed need not be stated.
    for (const { offerId } of [...before, ...before, ...before])
      assume.accepted(await v2.checkOffer(offerId), 'a first item whose price stands')
    return told
  }

  test('comes with an offer at the new price that can be booked', {
    kinds: EVERY_SORT,
    tags: ['V2-PRICE-CHANGED-OFFER-BOOKABLE', ...CARRIED_BY_ROOMS],
    opportunistic: CARRIED.filter(clause => !(CARRIED_BY_ROOMS as readonly ClauseId[]).includes(clause)),
  }, async context => {
    const { act, arrange, expect, claim } = context
    // If requests are limited, kinds of product take turns.
    const turn = EVERY_KIND.indexOf(arrange.kind)
    for (const one of arrange.trafficIsFree ? [0, 1, 2] : [turn]) {
      const { answer, offer: current } = await act.book({
        movesPrice: true,
        async offer() {
          const offer = await offerThenMoved(context, 4)
          const told = await toldBy(context, offer, one)
          await assumeMoved(context, offer, told)
          const refused = assume.refused(told, 'an offer whose price has moved')
          const shown = at(refused.response.json, 'error.details.current_offer')
          const offerId = at(shown, 'offer_id')
          assume(typeof offerId === 'string', 'an offer_id in details.current_offer')
          const currency = at(shown, 'currency') ?? offer.currency
          return { ...offer, offerId, exchange: refused, total: at(shown, 'total'), currency }
        },
      })
      expect(answer).toHaveStatus(201, 202)
      assume.notPending(answer)
      const told = claimCarried(claim, { offer: current, answer })
      assumeCarried(told, CARRIED_BY_ROOMS)
    }
  })
})
