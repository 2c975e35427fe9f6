import { soldOnce } from '../../fixtures/check/buying/index.ts'
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
  findAt,
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
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

describe('bookingConfirm: rates that change', () => {
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

  // What passes its check can be confirmed: once it cannot, it does not pass any more.
  for (const find of [findAt, findAt({ found: TOGETHER })])
    story([find, stock('is sold out'), orderAt({ unasked: true }), orderAt, orderAt, orderAt], {
      for: ['V1-HOTEL-CHECK-HOLDS'],
      needs: ['control:stock'],
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
