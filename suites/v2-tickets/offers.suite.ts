import type { Offer } from '../../fixtures/check/shops/shop.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { at, bookingOf, type JsonObject, textOf } from '../../fixtures/contracts/reading.ts'
import { addDays, describe, type ProductCheck, test } from '../../fixtures/test.ts'

/** More products than are worth asking for when none of the first is sold to families. */
const TRIES = 3

const FAMILY = { adult: 2, child: 1, infant: 0 }

interface Booked {
  offer: Offer
  answer: Exchange
}

/** A booking for adults and a child, where one can be had: what families are sold, and need, is not shown. */
async function familyBooking({ v2, arrange }: ProductCheck<'parkA' | 'parkB'>): Promise<Booked[]> {
  const by = await arrange.party()
  const shop = arrange.adapter
  for (const product of (await shop.products(by)).slice(0, TRIES)) {
    const from = product.days?.from ?? shop.day()
    const to = product.days?.to ?? addDays(from, 1)
    const availability = await v2.ticketAvailability(shop.ask(product, from, to, FAMILY))
    const [offer] = shop.read(availability, product, FAMILY)
    if (offer === undefined) continue
    const body = arrange.anyBody([offer])
    const [{ travelers }] = body.items as [{ travelers: JsonObject[] }]
    const child = travelers.at(-1)!
    // Of an age at which everybody is a child.
    if ('birth_date' in child) child.birth_date = `${Number(from.slice(0, 4)) - 7}-01-15`
    const answer = await v2.book({ key: arrange.key(), body })
    if (answer.response.status === 201) return [{ offer, answer }]
  }
  return []
}

/** Whether two prices differ by less than 0.01, in decimal: as binary fractions, a cent can be less than one. */
const isSamePrice = (one: unknown, other: unknown): boolean =>
  Math.abs(Math.round(Number(one) * 1e6) - Math.round(Number(other) * 1e6)) < 10_000

describe('what the offer of a ticket carries', () => {
  test('is what is booked: product, day, people and price, as far as they were told', {
    tags: [
      'V2-OFFER-CARRIES-PRODUCT',
      'V2-OFFER-CARRIES-DATE',
      'V2-OFFER-CARRIES-PAX',
      'V2-OFFER-CARRIES-PRICE',
    ],
    kinds: ['parkA', 'parkB'],
  }, async bench => {
    const { arrange, claim } = bench
    const { exchange, offers } = await arrange.booking()
    for (const { offer, answer } of [
      { offer: offers[0]!, answer: exchange },
      ...(await familyBooking(bench)),
    ]) {
      const booking = bookingOf(answer)
      const item = at(booking, 'items[0]')
      const carries = (clause: Parameters<typeof claim>[0], offered: unknown, path: string, same: boolean) =>
        claim(clause, same, {
          tried: 'Booking the offer of a ticket',
          expected: `${path} to be ${offered}`,
          observed: `${at(item, path) ?? at(booking, path)}`,
          exchanges: [offer.exchange, answer],
        })
      const { namedProduct, date, total, currency, pax } = offer
      if (namedProduct !== undefined) {
        const booked = at(item, 'product.product_id')
        const same = textOf(booked) === textOf(namedProduct)
        carries('V2-OFFER-CARRIES-PRODUCT', namedProduct, 'product.product_id', same)
      }
      if (date !== undefined) carries('V2-OFFER-CARRIES-DATE', date, 'date', at(item, 'date') === date)
      for (const [who, quantity] of Object.entries(pax ?? {})) {
        const booked = at(item, `pax.${who}`)
        // Nobody of a kind may be written as 0 or left out.
        const same = booked === quantity || (quantity === 0 && booked == null)
        carries('V2-OFFER-CARRIES-PAX', quantity, `pax.${who}`, same)
      }
      if (typeof total === 'number') {
        carries('V2-OFFER-CARRIES-PRICE', total, 'total', isSamePrice(at(item, 'total'), total))
      }
      // The same number in another currency is another price.
      if (typeof currency === 'string') {
        carries('V2-OFFER-CARRIES-PRICE', currency, 'currency', at(booking, 'currency') === currency)
      }
    }
  })
})
