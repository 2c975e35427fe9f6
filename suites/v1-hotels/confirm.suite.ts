import { isInProgress } from '../../fixtures/check/buying/index.ts'
import {
  type Beside,
  claimClosed,
  type HotelArrange,
  type HotelOffer,
  roomsApart,
  roomsTogether,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at, type JsonObject } from '../../fixtures/contracts/index.ts'
import { assume, describe, order, orderAt, pair, story, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

type Found = readonly [string, (check: { arrange: HotelArrange }) => Promise<HotelOffer>]

const APART: Found = ['for rooms apart', ({ arrange }) => roomsApart(arrange)]

const together = (count: 2 | 3, beside?: Beside): Found => [
  `for ${count} rooms at one rate${beside === undefined ? '' : ` beside ${beside}`}`,
  ({ arrange }) => roomsTogether(arrange, count, { beside }),
]

const OF_ROOMS = [
  'V1-HOTEL-CONFIRM-FIRST-NO-REPLAY',
  'V1-HOTEL-CONFIRM-ROOMS',
  'V1-HOTEL-CONFIRM-LOCATOR',
  'V1-HOTEL-CONFIRM-TOTAL-SUM',
  'V1-HOTEL-CONFIRM-CHECK-IN',
  'V1-HOTEL-CONFIRM-CHECK-OUT',
] as const

describe('POST /api/v1/hotel/distribution/bookingConfirm', () => {
  story([orderAt], {
    for: [
      'V1-HOTEL-CHECK-HOLDS',
      'V1-HOTEL-CONFIRM-STATUS-CODE',
      'V1-HOTEL-CONFIRM-ID',
      'V1-HOTEL-CONFIRM-STATUS',
      'V1-HOTEL-CONFIRM-TOTAL-PRICE',
      'V1-HOTEL-CONFIRM-TOTAL-CURRENCY',
      'V1-HOTEL-CONFIRM-REQUEST-ID',
      ...OF_ROOMS,
    ],
    kinds,
  })

  story([order], {
    title: 'order with a test credential',
    for: ['V1-HOTEL-CONFIRM-TEST-MODE', 'V1-HOTEL-CONFIRM-PDF-TEST'],
    kinds,
    over: { account: ['ordinary'] },
  })

  // A market may sell dearer for a moment, but not each time.
  story(
    Array.from({ length: 6 }, () => orderAt({ found: APART })),
    { title: 'order six times for rooms apart', for: OF_ROOMS, kinds },
  )

  const noGuests = (body: JsonObject) => ({ ...body, guests: [] })
  pair('guests may be left out', {
    for: ['V1-HOTEL-CONFIRM-NO-GUESTS'],
    act: { with: orderAt, without: orderAt({ form: ['with an empty list of guests', noGuests] }) },
    kinds,
  })

  pair('rooms are booked by their own keys as often as one', {
    for: ['V1-HOTEL-CONFIRM-RATEKEY-LIST'],
    act: { with: orderAt({ found: APART }), without: orderAt },
    kinds,
  })

  const onlyOnce = (body: JsonObject) => ({ ...body, ratekey: [...new Set(body.ratekey as string[])] })
  for (const found of [together(2), together(3), together(2, 'a room'), together(2, 'a group')]) {
    const [each, once] = [{ found }, { found, form: ['by its key once', onlyOnce] as const }].map(orderAt)
    pair(`a grouped key is accepted once for each room, ${found[0]}`, {
      for: ['V1-HOTEL-CONFIRM-GROUP-EACH'],
      act: { with: each!, without: once! },
      kinds,
    })

    pair(`a grouped key is accepted once for all rooms, ${found[0]}`, {
      for: ['V1-HOTEL-CONFIRM-GROUP-ONCE'],
      act: { with: once!, without: each! },
      kinds,
    })

    story(
      [1, 2, 3].flatMap(() => [each!, once!]),
      {
        title: `order six times ${found[0]}`,
        for: OF_ROOMS,
        kinds,
      },
    )
  }

  test('a booking with a production credential does not say test_mode: true', {
    tags: ['V1-HOTEL-CONFIRM-LIVE-MODE', 'V1-HOTEL-CONFIRM-PDF', 'AUTH-V1-HOTEL-VOUCHER'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const { exchange, id } = await arrange.order({ actor: await arrange.actor('live') })
    expect(exchange).not.toShow('test_mode', true)
    // The link is optional; the contract judges it.
    const link = at(exchange.response.json, 'pdf_voucher')
    assume(link != null, 'a confirmation with a link to its voucher')
    await claimClosed(context, exchange, id)
  })

  test('a repeat with a test credential is not a replay', {
    tags: ['V1-HOTEL-CONFIRM-TEST-NO-SHORTCUT'],
    kinds,
  }, async ({ v1, arrange, expect }) => {
    await arrange.testCredential()
    const { body } = await arrange.order()
    // The repeat may fail or make another booking.
    expect(await v1.hotels.confirm(body)).not.toBeFlagged('idempotent_replay')
  })

  test('a test credential may send its reference in the body or in the header', {
    tags: ['TEST-MODE-V1-HOTEL-REFERENCE-BODY', 'TEST-MODE-V1-HOTEL-REFERENCE-HEADER'],
    kinds,
  }, async ({ v1, arrange, act, expect }) => {
    await arrange.testCredential()
    // An ordinary confirmation with the reference in the body.
    const { answer: inBody } = await act.book()
    // If it is refused, but accepted without a reference, the reference is the reason.
    if (!succeeded(inBody)) {
      const bare = await v1.hotels.confirm(arrange.anyBody(await arrange.offer()))
      assume(succeeded(bare), 'a confirmation that is accepted without a reference')
    }
    expect(inBody, 'TEST-MODE-V1-HOTEL-REFERENCE-BODY').toSucceed()
    const { answer: inHeader } = await act.book({
      spelled: { key: null, headers: { 'X-Idempotency-Key': arrange.reference() } },
    })
    assume(!isInProgress(inHeader), 'a confirmation whose result is known')
    expect(inHeader, 'TEST-MODE-V1-HOTEL-REFERENCE-HEADER').toSucceed()
  })
})
