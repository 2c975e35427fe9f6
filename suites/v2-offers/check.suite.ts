import { Stop } from '../../fixtures/check/stop.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { currencyCode } from '../../fixtures/contracts/field.ts'
import { at, bookingOf, checkedOfferOf } from '../../fixtures/contracts/reading.ts'
import { describe, EVERY_KIND, type ProductCheck, test } from '../../fixtures/test.ts'

const sentBody = ({ request }: Exchange): unknown => JSON.parse(Buffer.from(request.body ?? []).toString())

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
    kinds: EVERY_KIND,
  }, async ({ act, arrange, expect, claim }) => {
    const offer = await arrange.offer()
    const answer = await act.check(offer)
    expect(answer, 'V2-OFFER-CHECK-OK').toHaveStatus(200)
    const checked = checkedOfferOf(answer)
    claim('V2-OFFER-CHECK-OK', checked !== undefined, {
      tried: 'Checking an offer of the credential',
      expected: 'the checked offer in the answer',
      observed: 'no object with an offer_id',
      exchanges: [offer.exchange, answer],
    })
    // Where the market refused the first one, another was checked.
    const sent = at(sentBody(answer), 'offer_id')
    claim('V2-OFFER-CHECK-NEW', checked?.offer_id !== sent, {
      tried: 'Checking an offer at an unchanged price',
      expected: 'an offer_id of its own',
      observed: 'the offer_id that was sent',
      exchanges: [offer.exchange, answer],
    })
  })

  test('a checked transfer has no alternatives', {
    tags: ['V2-OFFER-CHECK-ALTERNATIVES-TRANSFER'],
    kinds: ['transfers'],
  }, async ({ act, arrange, claim }) => {
    const offer = await arrange.offer()
    const answer = await act.checked('a checked offer', offer)
    const alternatives = checkedOfferOf(answer)?.alternatives
    claim('V2-OFFER-CHECK-ALTERNATIVES-TRANSFER', !Array.isArray(alternatives) || alternatives.length === 0, {
      tried: 'Checking a transfer offer',
      expected: 'no alternatives',
      observed: `${(alternatives as unknown[] | undefined)?.length} of them`,
      exchanges: [offer.exchange, answer],
    })
  })

  test('expires_at of a checked offer is a timestamp in UTC where it is set', {
    tags: ['FORMAT-V2-TIMESTAMP-CHECKED-EXPIRES-AT', 'FORMAT-V2-KEYS-OFFER-CHECK'],
    kinds: EVERY_KIND,
  }, async ({ act, arrange, expect }) => {
    const offer = await arrange.offer()
    const answer = await act.checked('a checked offer', offer)
    expect(answer, 'FORMAT-V2-KEYS-OFFER-CHECK').toHaveSnakeCaseKeys()
  })

  test('the original offer can be booked after the check', {
    tags: ['V2-OFFER-CHECK-ORIGINAL-BOOKABLE'],
    kinds: EVERY_KIND,
  }, async ({ act, arrange, expect }) => {
    const answer = await act.book({
      async body() {
        const offer = await arrange.offer()
        await arrange.checkedOffer(offer)
        return arrange.body(offer)
      },
    })
    expect(answer).toHaveStatus(201, 202)
  })

  test('the checked offer can be booked', {
    tags: ['V2-OFFER-CHECK-CHECKED-BOOKABLE'],
    kinds: EVERY_KIND,
  }, async ({ act, arrange, expect }) => {
    const answer = await act.book({
      body: async () => arrange.body(await arrange.checkedOffer(await arrange.offer())),
    })
    expect(answer).toHaveStatus(201, 202)
  })

  test('an offer can be booked without a check', { tags: ['V2-BOOK-UNCHECKED'], kinds: EVERY_KIND }, async ({
    act,
    arrange,
    expect,
  }) => {
    const answer = await act.book({
      body: async () => arrange.body(await arrange.offer()),
      beside: async () => arrange.body(await arrange.checkedOffer(await arrange.offer())),
    })
    expect(answer).toHaveStatus(201, 202)
  })

  test('a check without offer_id is refused, and the refusal names the field', {
    tags: [
      'V2-OFFER-CHECK-REQUIRED',
      'V2-OFFER-CHECK-REQUIRED-FIELD',
      'V2-VALIDATION-REQUIRED',
      'V2-ERR-STATUS-VALIDATION-ERROR',
    ],
    kinds: 'any',
  }, async ({ v2, act, arrange, expect }) => {
    await act.checked('the same check with its offer_id', await arrange.offer())
    const answer = await v2.checkOffer({})
    expect(answer, 'V2-OFFER-CHECK-REQUIRED').toFailWith('VALIDATION_ERROR')
    expect(answer, 'V2-OFFER-CHECK-REQUIRED-FIELD').toReportField('offer_id')
    expect(answer, 'V2-VALIDATION-REQUIRED').toReportField('offer_id', 'REQUIRED')
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

/** Whether two prices differ by less than 0.01, in decimal: as binary fractions, a cent can be less than one. */
const isSamePrice = (one: number, other: number): boolean =>
  Math.abs(Math.round(one * 1e6) - Math.round(other * 1e6)) < 10_000

/** A booking for adults, children and infants, where one can be had: what groups need is not shown. */
async function bookingOfGroup(arrange: ProductCheck<'transfers'>['arrange']) {
  try {
    const offer = await arrange.offer({ pax: { adult: 3, child: 2, infant: 1 } })
    const {
      exchange,
      offers: [booked],
    } = await arrange.booking({ offers: offer })
    return [{ offer: booked!, exchange }]
  } catch (error) {
    if (error instanceof Stop) return []
    throw error
  }
}

describe('what an offer carries', () => {
  test('an item is booked with the product, day, quantities and price that were offered', {
    tags: [
      'V2-OFFER-CARRIES-PRODUCT',
      'V2-OFFER-CARRIES-DATE',
      'V2-OFFER-CARRIES-PAX',
      'V2-OFFER-CARRIES-PRICE',
      'V2-BOOKING-PRODUCT-TYPE-TRANSFER',
      'V2-BOOKING-LOGISTICS',
    ],
    kinds: ['transfers'],
  }, async ({ arrange, expect, claim }) => {
    const { exchange, offers } = await arrange.booking()
    const offer = offers[0]!
    expect(exchange, 'V2-OFFER-CARRIES-PRODUCT').toShowBooking('items[0].product.product_id', offer.productId)
    expect(exchange, 'V2-OFFER-CARRIES-DATE').toShowBooking('items[0].date', offer.date)
    for (const { offer: offered, exchange: answer } of [
      { offer, exchange },
      ...(await bookingOfGroup(arrange)),
    ]) {
      for (const [kind, quantity] of Object.entries(offered.pax ?? {})) {
        const booked = at(bookingOf(answer), `items[0].pax.${kind}`)
        // Nobody of a kind may be written as 0 or left out.
        claim('V2-OFFER-CARRIES-PAX', booked === quantity || (quantity === 0 && booked == null), {
          tried: 'Booking an offer',
          expected: `${quantity} ${kind}`,
          observed: `${booked}`,
          exchanges: [offered.exchange, answer],
        })
      }
    }
    const total = Number(at(bookingOf(exchange), 'items[0].total'))
    claim('V2-OFFER-CARRIES-PRICE', isSamePrice(total, Number(offer.total)), {
      tried: `Booking an offer of ${offer.total}`,
      expected: 'a total that differs by less than 0.01',
      observed: `${total}`,
      exchanges: [offer.exchange, exchange],
    })
    // The same number in another currency is another price.
    const currencies = [offer.currency, at(bookingOf(exchange), 'currency')]
    if (currencies.every(code => currencyCode.safeParse(code).success)) {
      expect(exchange, 'V2-OFFER-CARRIES-PRICE').toShowBooking('currency', offer.currency)
    }
    expect(exchange, 'V2-BOOKING-PRODUCT-TYPE-TRANSFER').toShowBooking(
      'items[0].product.product_type',
      'transfer',
    )
  })
})
