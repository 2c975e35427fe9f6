import { apart } from '../../fixtures/check/apart.ts'
import type { Offer } from '../../fixtures/check/shops/shop.ts'
import { ONE_ADULT } from '../../fixtures/check/shops/transfers.ts'
import { at, bookingOf, offeredDays } from '../../fixtures/contracts/reading.ts'
import { type Bench, describe, EVERY_KIND, test } from '../../fixtures/test.ts'

/** An offer whose price has moved since it was made. */
async function offerThenMoved(bench: Bench, by: number) {
  const { given, control } = bench
  const party = await given.party()
  const slippery = by === 0.01 && given.kind === 'transfers'
  const offer = slippery ? await offerThatSlips(bench) : await given.offer()
  await control.changePrice(party, offer.productId, by)
  return offer
}

/** As binary fractions, a cent more is less than 0.01 more for about every second price. */
const slips = ({ total }: { total: unknown }): boolean =>
  Number((Number(total) + 0.01).toFixed(2)) - Number(total) < 0.01

/** An offer that whoever compares prices as binary fractions gets wrong, if there is one within some weeks. */
async function offerThatSlips({ v2, given }: Bench): Promise<Offer> {
  const from = given.date()
  const product_ids = (await given.transferProducts()).slice(0, 10)
  const exchange = await v2.transferAvailability({
    product_ids,
    from,
    to: given.after(from, 20),
    pax: ONE_ADULT,
  })
  const day = offeredDays(exchange).find(slips)
  return day === undefined
    ? given.offer()
    : { ...day, kind: 'transfers', pax: ONE_ADULT, people: 1, exchange }
}

const MOVES = [
  ['has risen', 3.5, 'V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-BOOK'],
  ['has fallen', -3.5, 'V2-OFFER-PRICE-CHECK-LOWER', 'V2-OFFER-PRICE-BOOK-LOWER'],
  ['differs by exactly 0.01', 0.01, 'V2-OFFER-PRICE-CHECK-EDGE', 'V2-OFFER-PRICE-BOOK-EDGE'],
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
      ],
      kinds: EVERY_KIND,
    }, async bench => {
      const { v2, given, control, expect, claim } = bench
      const party = await given.party()
      const offer = await offerThenMoved(bench, by)
      expect(await v2.checkOffer(offer.offerId), onCheck).toFailWith('PRICE_CHANGED')
      const answer = await v2.book({ key: given.idempotencyKey(), body: given.bookingBody([offer]) })
      expect(answer, onBook).toFailWith('PRICE_CHANGED')
      expect(bookingOf(answer), onBook).toBeUndefined()
      // A tried booking of the kit may stand on this company already; it was made at the old price.
      const before = await control.counters(party)
      const again = await v2.book({ key: given.idempotencyKey(), body: given.bookingBody([offer]) })
      const after = await control.counters(party)
      claim('V2-OFFER-PRICE-NOTHING-CREATED', after.bookings[given.kind] === before.bookings[given.kind], {
        tried: 'A booking answered with PRICE_CHANGED',
        expected: `${before.bookings[given.kind]} bookings as before`,
        observed: `${after.bookings[given.kind]}`,
        exchanges: [answer, again],
      })
    })
  }

  test('by less than 0.01 is no change', {
    tags: ['V2-OFFER-PRICE-CHECK-WITHIN', 'V2-OFFER-PRICE-BOOK-WITHIN'],
    kinds: EVERY_KIND,
  }, async bench => {
    const { v2, given, expect } = bench
    const offer = await offerThenMoved(bench, 0.004)
    await apart(
      async () => {
        expect(await v2.checkOffer(offer.offerId), 'V2-OFFER-PRICE-CHECK-WITHIN').toHaveStatus(200)
      },
      async () => {
        const answer = await v2.book({ key: given.idempotencyKey(), body: given.bookingBody([offer]) })
        expect(answer, 'V2-OFFER-PRICE-BOOK-WITHIN').toHaveStatus(201, 202)
      },
    )
  })

  test('and after the check is told when the checked offer is booked', {
    tags: ['V2-OFFER-PRICE-BOOK-CHECKED'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, control, expect }) => {
    const party = await given.party()
    const offer = await given.offer()
    const checked = given.checkedOffer(await v2.checkOffer(offer.offerId))
    await control.changePrice(party, offer.productId, 2)
    const body = given.bookingBody([{ ...offer, offerId: checked }])
    expect(await v2.book({ key: given.idempotencyKey(), body })).toFailWith('PRICE_CHANGED')
  })

  test('comes with an offer at the new price that can be booked', {
    tags: ['V2-PRICE-CHANGED-OFFER-BOOKABLE'],
    kinds: EVERY_KIND,
  }, async bench => {
    const { v2, given, expect } = bench
    const offer = await offerThenMoved(bench, 4)
    const refused = given.refused(await v2.checkOffer(offer.offerId), 'an offer whose price has moved')
    const current = at(refused.response.json, 'error.details.current_offer.offer_id')
    if (typeof current !== 'string') throw given.lacking('an offer_id in details.current_offer')
    const body = given.bookingBody([{ ...offer, offerId: current }])
    expect(await v2.book({ key: given.idempotencyKey(), body })).toHaveStatus(201, 202)
  })
})
