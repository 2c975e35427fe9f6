import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import { type Offer, offerOf, spread } from '../../fixtures/check/products/index.ts'
import { isTicketExcuse } from '../../fixtures/checkers/index.ts'
import { at, bookingOf, checkedOfferOf } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  type Exchange,
  independently,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/** Checks, books, reads and cancels a ticket, and downloads its voucher. */
async function walk(
  { v2, act, arrange, expect }: ProductCheck<'parkA' | 'parkB'>,
  offer: Offer,
  plain: boolean,
): Promise<void> {
  const served = (answer: Exchange, what: string, ...statuses: number[]) => {
    if (isTicketExcuse(answer) && !statuses.includes(answer.response.status)) {
      if (plain && !isMarketRefusal(answer)) assume.accepted(answer, what)
      assume(false, `${what} that is not refused (exchange ${answer.id})`)
    }
    expect(answer).toHaveStatus(...statuses)
    return answer
  }
  // Other tickets may have requirements that the kit does not know, so only the plainest one's refusal is judged.
  const check = plain ? (await act.check(offer)).answer : await v2.checkOffer(offer.offerId)
  const checked = served(check, 'a checked ticket', 200, 201, 202)
  expect(checked, 'V2-TICKET-BOOKING').not.toTell('the checked offer', checkedOfferOf(checked), undefined)
  const booked = plain
    ? (await act.book({ what: arrange.body(offer) })).answer
    : await v2.book({ key: arrange.key(), body: arrange.anyBody([offer]) })
  const made = served(booked, 'a booking of a ticket', 201, 202)
  const { booking_id } = bookingOf(assume.notPending(made)) ?? {}
  const read = await v2.booking(booking_id as number)
  expect(read).toHaveStatus(200)
  served(await v2.voucher(booking_id as number), 'the voucher of a ticket', 200, 409)
  served(await v2.cancel(booking_id as number), 'the cancellation of a ticket', 200, 201, 202, 204, 409)
}

/** Returns the brand in the record of a product, if there is one. */
const brandOf = ({ record }: { record?: unknown }) => at(record, 'brand')

describe('a v2 ticket', () => {
  test('is checked, booked, read and cancelled by the same calls as a transfer', {
    // Some are sold by slots.
    tags: ['V2-TICKET-BOOKING', 'V2-BOOKING-ITEM-TIME-SLOT'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { arrange } = context
    const by = await arrange.actor()
    const plainest = await arrange.offer()
    await walk(context, plainest, true)
    const adapter = context.arrange.adapter
    const others = (await adapter.products(by)).filter(({ id }) => id !== plainest.productId)
    const brand = brandOf(adapter.productOf(plainest))
    const telling = [others.find(product => brandOf(product) !== brand), others.at(-1)]
    await independently(
      ...(arrange.trafficIsFree
        ? spread(others)
        : arrange.drawn([...new Set(telling.flatMap(product => product ?? []))], 1)
      ).map(product => async () => {
        await walk(context, await offerOf(adapter, by, product), false)
      }),
    )
  })
})
