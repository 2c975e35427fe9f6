import { isInProgress } from '../../fixtures/check/buying/index.ts'
import {
  type Beside,
  claimClosed,
  type HotelArrange,
  type HotelOffer,
  ratesOf,
  roomsApart,
  roomsTogether,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import {
  at,
  currencyCode,
  type JsonObject,
  objects,
  roundingOf,
  textOf,
} from '../../fixtures/contracts/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  independently,
  orOrdinary,
  test,
  untilAgreed,
  type V1Check,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

type Hotels = V1Check<'v1-hotels'>

/** The maximum number of places searched for a room. */
const PLACES = 3

const roomsIn = ({ response }: Exchange): JsonObject[] => {
  const hotels = at(response.json, 'booking.hotels')
  return (Array.isArray(hotels) ? hotels : []).flatMap(hotel => {
    const rooms = at(hotel, 'rooms')
    return objects(rooms)
  })
}

const sumOf = ({ productData: { rates } }: HotelOffer): number =>
  rates.reduce((sum, { price }) => sum + Number(price), 0)

/** Returns whether the rates of an offer are still sold at the prices found. */
async function pricesStand(
  { adapter }: HotelArrange,
  offer: HotelOffer,
  { arrange }: Hotels,
): Promise<boolean> {
  const { rooms, nights, hotel, rates } = offer.productData
  const places = await adapter.places(await arrange.actor())
  for (const { id: place } of places.slice(0, 3)) {
    const ask = { place, checkIn: offer.date, rooms, nights }
    const search = await adapter.follow(await arrange.actor(), ask)
    const again = search.hotels.find(({ id_hotel: id }) => id === hotel.id_hotel)
    if (again === undefined) continue
    const perRoom = ratesOf(again)
    return rates.every((rate, at) => perRoom[at]?.some(other => isSameRate(rate, other)))
  }
  return false
}

const isSameRate = (one: JsonObject, other: JsonObject): boolean =>
  ['id_room', 'room_name', 'board', 'price', 'room_quantity'].every(
    field => textOf(one[field] ?? null) === textOf(other[field] ?? null),
  )

/** A booking, and its offer. */
interface Booked {
  offer: HotelOffer
  answer: Exchange
}

const totalIn = ({ response }: Exchange): unknown => at(response.json, 'booking.total.price')
const currenciesOf = ({ offer, answer }: Booked) => [
  at(answer.response.json, 'booking.total.currency'),
  ...offer.productData.rates.map(rate => rate.currency),
]

/** Returns whether a booking costs the sum of the prices found. */
function costsTheSum(booked: Booked): boolean {
  const { rates } = booked.offer.productData
  const [total, sum] = [totalIn(booked.answer), sumOf(booked.offer)]
  if (typeof total !== 'number') return false
  // The price of a room with a grouped rate is a share, which may be rounded. Other prices are exact.
  const shares = rates.filter(rate => rate.room_quantity !== 1).length
  const most = shares > 0 ? roundingOf(currenciesOf(booked), total, sum) * (shares + 0.5) : 0.005
  return Math.abs(total - sum) < most + 1e-6
}

/** Decides that a booking costs the sum of its rooms, whose prices may change at any time. */
async function judgeTotal(context: Hotels, book: () => Promise<Booked>, first: Booked): Promise<void> {
  const { agrees, booked, exchanges } = await untilAgreed(async time => {
    const booked = time === 1 ? first : await book()
    const { offer, answer } = booked
    assume.accepted(answer, 'a booking of such rooms')
    const agrees = costsTheSum(booked)
    // The number of price requests varies, so that a market that changes every nth request does not stay in step.
    for (let asked = 0; asked <= time % 3 && !agrees; asked++) {
      const stand = await pricesStand(context.arrange, offer, context)
      assume(stand, 'prices that do not change between search and confirmation')
    }
    return { agrees, booked, exchanges: [offer.exchange, answer] }
  })
  const sum = sumOf(booked.offer).toFixed(2)
  context.expect.claim('V1-HOTEL-CONFIRM-TOTAL-SUM', agrees, {
    tried: `Confirming rooms whose price is ${sum} together, before and after`,
    expected: `booking.total.price ${sum}`,
    observed: JSON.stringify(totalIn(booked.answer) ?? null),
    exchanges,
  })
  // The currency of the total must be that of the prices. Its form is open: a sign cannot be compared with a code.
  const [currency, ...currencies] = currenciesOf(booked)
  const isTold = [currency, ...currencies].every(one => currencyCode.safeParse(one).success)
  context.expect.claim('V1-HOTEL-CONFIRM-TOTAL-SUM', !isTold || currencies.includes(currency), {
    tried: `Confirming rooms whose price is in ${textOf(currencies[0] ?? null)}`,
    expected: 'booking.total in that currency',
    observed: textOf(currency ?? null),
    exchanges: [booked.offer.exchange, booked.answer],
  })
}

/** Decides that a booking is for the nights of the search. */
function claimStay({ expect }: Hotels, { date, productData }: HotelOffer, answer: Exchange): void {
  expect(answer, 'V1-HOTEL-CONFIRM-CHECK-IN').toShow('booking.checkIn', date)
  expect(answer, 'V1-HOTEL-CONFIRM-CHECK-OUT').toShow('booking.checkOut', addDays(date, productData.nights))
}

/** Decides that a booking is new, and has the rooms and nights of the search. */
function claimRooms(context: Hotels, { offer, answer }: Booked): void {
  const { expect } = context
  const locators = roomsIn(answer).map(({ hotelLocator }) => hotelLocator)
  const pending = offer.productData.rooms.map(() => 'pending')
  expect(answer, 'V1-HOTEL-CONFIRM-FIRST-NO-REPLAY').not.toBeFlagged('idempotent_replay')
  expect(answer, 'V1-HOTEL-CONFIRM-ROOMS').toTell('the number of rooms', locators.length, pending.length)
  expect(answer, 'V1-HOTEL-CONFIRM-LOCATOR').toTell('hotelLocator of the rooms', locators, pending)
  claimStay(context, offer, answer)
}

/** Clauses that it decides. */
const OF_ROOMS = [
  'V1-HOTEL-CONFIRM-FIRST-NO-REPLAY',
  'V1-HOTEL-CONFIRM-ROOMS',
  'V1-HOTEL-CONFIRM-LOCATOR',
  'V1-HOTEL-CONFIRM-CHECK-IN',
  'V1-HOTEL-CONFIRM-CHECK-OUT',
] as const

/** Rooms with one key, and what is booked with them. */
interface Group {
  count: 2 | 3
  beside?: Beside
}

/** Clauses about the answer of hotelCheckPrice. */
const CHECKED = [
  'V1-HOTEL-CHECK-PRICE',
  'V1-HOTEL-CHECK-TOTAL',
  'V1-HOTEL-CHECK-TOTAL-SUM',
  'V1-HOTEL-CHECK-RATE-KEY',
] as const

describe('POST /api/v1/hotel/distribution/bookingConfirm', () => {
  test('a room is booked, and the answer describes the booking', {
    tags: [
      'V1-HOTEL-CONFIRM-STATUS-CODE',
      'V1-HOTEL-CONFIRM-ID',
      'V1-HOTEL-CONFIRM-STATUS',
      ...OF_ROOMS,
      'V1-HOTEL-CONFIRM-TOTAL-PRICE',
      'V1-HOTEL-CONFIRM-TOTAL-CURRENCY',
      'V1-HOTEL-CONFIRM-REQUEST-ID',
      'V1-HOTEL-CONFIRM-NO-GUESTS',
      'V1-HOTEL-CONFIRM-TEST-MODE',
      'V1-HOTEL-CONFIRM-PDF-TEST',
    ],
    kinds,
    forReal: false,
  }, async context => {
    const { arrange, act, expect } = context
    const { answer, offer } = await act.book({
      offer: () => arrange.offer(),
      beside: async () => ({ ...arrange.anyBody(await arrange.offer()), guests: [] }),
    })
    expect(answer, 'V1-HOTEL-CONFIRM-NO-GUESTS').toSucceed()
    expect(answer, 'V1-HOTEL-CONFIRM-STATUS-CODE').toShow('statusCode', 'SUCCESS')
    expect(answer, 'V1-HOTEL-CONFIRM-ID').toShowType('id_orden', 'number')
    expect(answer, 'V1-HOTEL-CONFIRM-STATUS').toShow('booking.status', 'CO')
    expect(answer, 'V1-HOTEL-CONFIRM-TOTAL-PRICE').toShowType('booking.total.price', 'number')
    expect(answer, 'V1-HOTEL-CONFIRM-TOTAL-CURRENCY').toShowType('booking.total.currency', 'string')
    claimRooms(context, { offer, answer })
  })

  test('a stay across the end of a month ends in the next month', {
    tags: ['V1-HOTEL-CONFIRM-CHECK-IN', 'V1-HOTEL-CONFIRM-CHECK-OUT'],
    kinds,
  }, async context => {
    const { arrange, act } = context
    const day = arrange.adapter.day()
    const date = addDays(`${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1)
    const { answer, offer } = await act.booked('a stay from the last day of a month', {
      offer: () => arrange.offer({ date }),
    })
    claimStay(context, { ...offer, date }, answer)
  })

  test('a stay has the nights that were booked, at the price shown for them', {
    tags: ['V1-HOTEL-CONFIRM-CHECK-IN', 'V1-HOTEL-CONFIRM-CHECK-OUT', 'V1-HOTEL-CONFIRM-TOTAL-SUM'],
    kinds,
  }, async context => {
    const { arrange, act } = context
    const { adapter } = arrange
    const by = await arrange.actor()
    const ends = async (nights: number) => {
      const find = async () => {
        for (const { id: place } of (await adapter.places(by)).slice(0, PLACES)) {
          const search = await adapter.follow(by, { place, checkIn: adapter.day(), nights })
          const found = search.hotels.map(hotel => adapter.offerOf(search, hotel)).find(Boolean)
          if (found !== undefined) return found
        }
        assume(false, `a room on sale for ${nights} nights`)
      }
      const book = () => act.booked(`a stay of ${nights}`, { offer: find })
      const first = await book()
      claimStay(context, first.offer, first.answer)
      await judgeTotal(context, book, first)
    }
    await independently(...[1, 7].map(nights => () => ends(nights)))
  })

  test('two rooms are booked by their own keys, for the sum of their prices', {
    tags: ['V1-HOTEL-CONFIRM-RATEKEY-LIST', ...OF_ROOMS, 'V1-HOTEL-CONFIRM-TOTAL-SUM'],
    kinds,
  }, async context => {
    const { arrange, act, expect } = context
    const book = () => act.book({ offer: () => roomsApart(arrange) })
    const { answer, offer } = await book()
    expect(answer, 'V1-HOTEL-CONFIRM-RATEKEY-LIST').toSucceed()
    claimRooms(context, { offer, answer })
    await judgeTotal(context, book, { offer, answer })
  })

  for (const [how, clause, groups] of [
    [
      'once for each room',
      'V1-HOTEL-CONFIRM-GROUP-EACH',
      [{ count: 3 }, { count: 2, beside: 'a room' }, { count: 2, beside: 'a group' }],
    ],
    [
      'once for all rooms',
      'V1-HOTEL-CONFIRM-GROUP-ONCE',
      [{ count: 2 }, { count: 3, beside: 'a room' }, { count: 2, beside: 'a group' }],
    ],
  ] as const satisfies readonly (readonly [string, ClauseId, readonly Group[]])[]) {
    test(`a grouped key is accepted ${how} that it covers`, {
      tags: [clause, ...OF_ROOMS, 'V1-HOTEL-CONFIRM-TOTAL-SUM'],
      kinds,
      opportunistic: CHECKED,
      forReal: true,
    }, async context => {
      const { arrange, act, expect } = context
      const isAccepted = async ({ count, beside }: Group) => {
        const find = () => roomsTogether(arrange, count, { beside })
        const once = (offer: HotelOffer) => ({
          ...arrange.anyBody(offer),
          ratekey: [...new Set(offer.productData.rateKeys)],
        })
        const isOnce = clause === 'V1-HOTEL-CONFIRM-GROUP-ONCE'
        const book = () =>
          act.book({
            async offer() {
              const rooms = await find()
              if (!isOnce) return rooms
              const quote = await arrange.adapter.quote(await arrange.actor(), rooms)
              return arrange.adapter.quotedAs(rooms, quote) ?? rooms
            },
            body: offer => (isOnce ? once(offer) : arrange.anyBody(offer)),
            beside: async () => {
              const rooms = await find()
              return isOnce ? arrange.anyBody(rooms) : once(rooms)
            },
          })
        const { answer, offer } = await book()
        expect(answer, clause).toSucceed()
        claimRooms(context, { offer, answer })
        await judgeTotal(context, book, { offer, answer })
      }
      if (arrange.trafficIsFree) await independently(...groups.map(group => () => isAccepted(group)))
      else
        await orOrdinary(
          () => isAccepted(arrange.drawn<Group>(groups, 1)[0]!),
          () => isAccepted({ count: 2 }),
        )
    })
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
    const { answer: inBody } = await act.book({
      offer: () => arrange.offer(),
      beside: null,
    })
    // If it is refused, but accepted without a reference, the reference is the reason.
    if (!succeeded(inBody)) {
      const bare = await v1.hotels.confirm(arrange.anyBody(await arrange.offer()))
      assume(succeeded(bare), 'a confirmation that is accepted without a reference')
    }
    expect(inBody, 'TEST-MODE-V1-HOTEL-REFERENCE-BODY').toSucceed()
    const { answer: inHeader } = await act.book({
      offer: () => arrange.offer(),
      key: null,
      headers: { 'X-Idempotency-Key': arrange.reference() },
    })
    assume(!isInProgress(inHeader), 'a confirmation whose result is known')
    expect(inHeader, 'TEST-MODE-V1-HOTEL-REFERENCE-HEADER').toSucceed()
  })
})
