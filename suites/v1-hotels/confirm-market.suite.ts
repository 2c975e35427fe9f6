import { isInProgress, isMarketRefusal, soldOnce } from '../../fixtures/check/buying/index.ts'
import {
  type HotelArrange,
  type HotelOffer,
  isRefusedOrder,
  roomsApart,
  roomsTogether,
} from '../../fixtures/check/v1/index.ts'
import {
  assume,
  counted,
  describe,
  type Exchange,
  findAt,
  ifHad,
  offers,
  order,
  orderAt,
  price,
  rate,
  repeat,
  settled,
  stock,
  story,
  supplier,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

type Hotels = V1Check<'v1-hotels'>

const succeeded = ({ response }: Exchange): boolean => response.status < 400

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
})

type Found = readonly [string, (check: { arrange: HotelArrange }) => Promise<HotelOffer>]
const APART: Found = ['for rooms apart', ({ arrange }) => roomsApart(arrange)]
const TOGETHER: Found = ['for rooms at one rate', ({ arrange }) => roomsTogether(arrange)]
const needs = ['control:outcome'] as const

describe('bookingConfirm: what changes after it was found', () => {
  for (const [find, move] of [
    [findAt, 'rises'],
    [findAt({ found: APART }), 'falls'],
    [findAt({ found: TOGETHER }), 'rises'],
  ] as const)
    story([find, price(move), orderAt, orderAt, orderAt], {
      for: ['V1-HOTEL-CONFIRM-QUOTES-AGAIN', 'V1-HOTEL-CHECK-CURRENT'],
      needs: ['control:price'],
      kinds,
    })

  // An earlier quote does not fix the price.
  story([findAt, price('falls'), orderAt({ unasked: true }), orderAt, orderAt], {
    for: ['V1-HOTEL-CONFIRM-QUOTES-AGAIN'],
    needs: ['control:price'],
    kinds,
  })

  story([order, findAt, stock('is sold out'), orderAt], {
    for: ['V1-HOTEL-ERR-CONFIRM-NOT-BOOKABLE'],
    opportunistic: ['V1-HOTEL-ERR-NOT-BOOKABLE-MESSAGE'],
    needs: ['control:stock'],
    kinds,
  })

  for (const find of [findAt, findAt({ found: TOGETHER }), findAt({ found: APART })])
    story([order, find, offers('expire'), orderAt], {
      for: ['V1-HOTEL-ERR-RATEKEY-EXPIRED', 'V1-HOTEL-CONFIRM-FAILED-NO-ID'],
      needs: ['control:offers'],
      kinds,
    })

  story([order, rate('is gone'), order], {
    for: ['V1-HOTEL-ERR-RATEKEY-EXPIRED', 'V1-HOTEL-CONFIRM-FAILED-NO-ID'],
    needs,
    kinds,
  })

  story([order, supplier('refuses'), order], {
    for: ['V1-HOTEL-ERR-REJECTED', 'V1-HOTEL-CONFIRM-FAILED-NO-ID'],
    needs,
    kinds,
  })

  story([order, counted, supplier('refuses'), order, counted], {
    for: ['V1-HOTEL-ERR-REJECTED-NOTHING'],
    needs: [...needs, 'control:counters'],
    kinds,
  })

  // The order may have been made. Its reference finds it, so that it can be cancelled.
  story([order, supplier('does not answer, booked'), order, settled, repeat], {
    for: ['V1-HOTEL-ERR-UNKNOWN-RESULT'],
    needs: [...needs, 'control:clock'],
    kinds,
  })

  story([order, offers('expire'), repeat], {
    for: ['V1-HOTEL-CONFIRM-REPLAY-EXPIRED-KEY'],
    needs: ['control:offers'],
    kinds,
    over: { mode: ['live'] },
  })
})

/** Returns the price of one room in the answer of its check. */
const priceIn = ({ adapter }: Hotels['arrange'], answer: unknown): number | undefined => {
  const { prices, total } = adapter.checked(answer)
  return prices[0] ?? total
}
