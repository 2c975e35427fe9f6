import {
  assumeStock,
  assumeUnmoved,
  isAway,
  type ProductArrange,
  untilSupplierAnswers,
} from '../../fixtures/check/buying/index.ts'
import type { Offer } from '../../fixtures/check/products/index.ts'
import { at, bookingOf, errorCode, type JsonObject } from '../../fixtures/contracts/index.ts'
import { assume, describe, EVERY_KIND, EVERY_SORT, type Exchange, ifHad, test } from '../../fixtures/test.ts'

/** Enough stock for further bookings of the check. */
const PLENTY = 20

/**
 * Returns two offers for one booking, of one product and day if possible, and the second one with an id that was never
 * issued.
 */
async function twoOffers(arrange: ProductArrange): Promise<{ one: Offer; other: Offer; forged: Offer }> {
  const pair = async (): Promise<readonly Offer[]> => {
    // Rooms of one booking come from one search.
    if (arrange.kind === 'hotels') return arrange.offersTogether(2)
    const one = await arrange.offer()
    return [one, await arrange.offer({ date: one.date })]
  }
  const [one, other] = await pair()
  return { one: one!, other: other!, forged: { ...other!, offerId: 'no-offer-that-anyone-has-issued' } }
}

/**
 * Returns whether two offers certainly use the same stock: rooms with different prices may be of different types, and slots
 * may have separate seats.
 */
const wantTheSame = (one: Offer, other: Offer): boolean =>
  one.productId === other.productId &&
  one.date === other.date &&
  one.timeSlot === other.timeSlot &&
  one.total === other.total

describe('a v2 booking that cannot be made in full', () => {
  test('is refused as a whole if one item cannot be booked', {
    kinds: EVERY_SORT,
    tags: ['V2-BOOK-ALL-OR-NOTHING', 'V2-BOOK-REFUSED-NOTHING'],
  }, async context => {
    const { v2, arrange, expect, control } = context
    const actor = await arrange.actor()
    const { one, other, forged } = await twoOffers(arrange)
    /** Sends a booking that must be refused between two counts of the deployment, which must agree. */
    const refused = async (body: JsonObject, ask?: (answer: Exchange) => Promise<void>) => {
      await control.counted(actor)
      const answer = await untilSupplierAnswers(
        () => v2.book({ key: arrange.key(), body }),
        'a booking of several items',
      )
      await control.counted(actor)
      await ask?.(answer)
      expect(answer, 'V2-BOOK-ALL-OR-NOTHING').toBeRefused()
      expect(answer, 'V2-BOOK-ALL-OR-NOTHING').toGive('no booking', bookingOf(answer) === undefined)
    }
    for (const items of [
      [one, forged],
      [forged, one],
    ])
      await refused(arrange.anyBody(items))
    // Services may look only at the first two items.
    const isThird = arrange.trafficIsFree && (await ifHad(arrange.booking({ items: 3 }))) !== undefined
    const third = isThird ? await arrange.offer({ date: one.date }) : one
    if (control.offers('setStock') && wantTheSame(one, other))
      for (const wanted of third === one
        ? [[one, other]]
        : [
            [one, other],
            [one, other, third],
          ]) {
        if (!wantTheSame(one, wanted.at(-1)!)) continue
        await control.setStock(actor, one.productId, wanted.length - 1)
        await refused(arrange.anyBody(wanted), answer => assumeStock(context, one, answer))
      }
    assume((await control.counted(actor)) !== undefined, `control that counts bookings of ${arrange.kind}`)
  })

  for (const by of ['one of its items', 'a failure of its source', 'a price that has moved'] as const)
    test(`leaves its items on sale if it is refused because of ${by}`, {
      tags: ['V2-BOOK-ALL-OR-NOTHING-STOCK'],
      kinds: EVERY_KIND,
    }, async context => {
      const { v2, act, arrange, expect, control } = context
      const actor = await arrange.actor()
      let last: Offer | undefined
      /** Restores the stock that an earlier round used up. */
      const refill = async () => {
        if (last !== undefined) await control.setStock(actor, last.productId, PLENTY)
      }
      const refuse = async (items: readonly Offer[]) =>
        v2.book({ key: arrange.key(), body: arrange.anyBody(items) })
      // A product with so little stock may refuse any booking, so it is refilled first.
      const beside = async () => {
        await refill()
        const alone = await arrange.offer()
        last = alone
        await control.setStock(actor, alone.productId, 1)
        return arrange.body(alone)
      }
      const { answer, offer } = await act.under({ beside }).book<Offer>({
        async what() {
          await refill()
          const { one, other, forged } = await twoOffers(arrange)
          last = one
          if (by === 'a price that has moved') {
            await control.setStock(actor, one.productId, 1)
            await control.changePrice(actor, one.productId, 3)
            const refusal = await refuse([one])
            assume(errorCode(refusal) === 'PRICE_CHANGED', 'an offer whose price changed')
            const { offer_id, total } = Object(at(refusal.response.json, 'error.details.current_offer'))
            assume(typeof offer_id === 'string', 'an offer_id in details.current_offer')
            return { ...one, offerId: offer_id, total, exchange: refusal }
          }
          const isFailure = by === 'a failure of its source'
          // What a source refuses may be sold out from then on.
          if (isFailure) await control.setOutcome(actor, 'book', { kind: 'providerError' })
          await control.setStock(actor, one.productId, 1)
          for (const second of isFailure ? [] : wantTheSame(one, other) ? [forged, other] : [forged]) {
            const refusal = await refuse([one, second])
            if (second !== forged) await assumeStock(context, one, refusal)
            if (!isAway(refusal)) expect(refusal).toBeRefused()
          }
          if (isFailure) assume.refused(await refuse([one]), 'a booking whose source fails')
          await control.takeBackOutcomes()
          return one
        },
      })
      // The market may have changed the price between these requests.
      await assumeUnmoved(context, offer, answer)
      expect(assume.notPending(answer)).toHaveStatus(201)
    })
})
