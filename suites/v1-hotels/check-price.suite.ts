import { untilJudged, v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import { checksOf, type V1Requests } from '../../fixtures/check/requests/index.ts'
import {
  attempt,
  found,
  type HotelCheck,
  type HotelOffer,
  notLimited,
  ratesOf,
  resortsOf,
  type V1Room,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import {
  at,
  isLongPast,
  isObject,
  isSameAmount,
  type JsonObject,
  objectsIn,
  timeOf,
} from '../../fixtures/contracts/index.ts'
import { hotelCheck } from '../../fixtures/service/index.ts'
import {
  assume,
  describe,
  type Exchange,
  independently,
  notExercised,
  type Outcome,
  orOrdinary,
  outcomeOf,
  test,
  untilAgreed,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/** Returns an offer that was not checked yet. */
async function anOffer({ arrange }: HotelCheck) {
  const [offer] = await arrange.adapter.find(await arrange.actor(), {})
  return offer!
}

/** Clauses about every answer. */
const CHECKED = [
  'V1-HOTEL-CHECK-PRICE',
  'V1-HOTEL-CHECK-TOTAL',
  'V1-HOTEL-CHECK-TOTAL-SUM',
  'V1-HOTEL-CHECK-RATE-KEY',
] as const

describe('POST hotelCheckPrice', () => {
  test('answers the price, the total and the key to confirm with', {
    tags: CHECKED,
    kinds,
  }, async context => {
    const { answer } = await context.act.checked('a check of a rate', () => anOffer(context))
    const { prices, total } = context.arrange.adapter.checked(answer.response.json)
    if (prices.length !== 1 || total === undefined) return
    const isSum = isSameAmount(total, prices[0])
    context.expect(answer, 'V1-HOTEL-CHECK-TOTAL-SUM').toGive(`total.price ${prices[0]}`, isSum, `${total}`)
  })
})

const TWO = { adults: 2 }

type Search = Awaited<ReturnType<typeof found>>

/** Positions of rates that a service forgets if it keeps only the first of each list. */
const PLACES: readonly (readonly [where: string, rates: (search: Search) => (JsonObject | undefined)[]])[] = [
  ['the last of its room', ({ hotels }) => hotels.map(hotel => ratesOf(hotel)[0]?.slice(1).at(-1))],
  ['that of the last room', ({ hotels }) => hotels.map(hotel => ratesOf(hotel).slice(1).at(-1)?.[0])],
  ['the first of another hotel', ({ hotels }) => hotels.slice(1).map(hotel => ratesOf(hotel)[0]?.[0])],
]

/** Decides that a rate, another one in each round, is checked where ordinary ones are: any hotel may be sold out. */
async function claimChecked(
  context: HotelCheck,
  tried: string,
  find: (round: number) => Promise<unknown>,
): Promise<void> {
  const { v1, expect } = context
  const ask = async (rate_key: unknown) => notLimited(await v1.hotels.price({ rate_key }))
  const answer = await untilJudged({
    act: async round => ask(await find(round)),
    compare: async () => ask((await anOffer(context)).productData.rateKeys[0]),
    refused: last =>
      notExercised(`needs rates that can be checked: ${outcomeOf(last)} (exchange ${last.id})`),
  })
  const expected = 'a price, as for the first of each list'
  expect.claim('V1-HOTEL-CHECK-PRICE', succeeded(answer), { tried, expected, answer })
}

describe('POST hotelCheckPrice of any rate', () => {
  test('answers its price and its key: refundable or not, for one room or several', {
    tags: CHECKED,
    kinds,
  }, async context => {
    const { arrange, act } = context
    const find = () =>
      orOrdinary(
        () => found(context, [TWO, TWO]),
        () => found(context, [TWO]),
      )
    const search = await find()
    const more = arrange.trafficIsFree
      ? await orOrdinary(() => found(context, [TWO, TWO, TWO]), find)
      : search
    const rates = [search, more].flatMap(search =>
      search.hotels.flatMap(hotel =>
        ratesOf(hotel)
          .flat()
          .map(rate => ({ search, hotel, rate })),
      ),
    )
    const sorts = Map.groupBy(rates, ({ rate }) => `${rate.non_refundable} ${rate.room_quantity}`)
    const checks = [...sorts.values()].flatMap(([first]) => {
      const { search, hotel, rate } = first!
      const offer = arrange.adapter.offerOf(search, hotel, one => one.rate_key === rate.rate_key)
      return (
        offer ??
        arrange.adapter.offerOf(search, hotel, one => one.non_refundable === rate.non_refundable) ??
        []
      )
    })
    const places = arrange.drawn(PLACES, 1)
    await independently(
      ...checks.map(offer => async () => void (await act.checked('a check of a rate', offer))),
      ...places.map(
        ([where, ratesAt]) =>
          () =>
            claimChecked(context, `Checking a rate that is ${where}`, async round => {
              const rates = ratesAt(round === 1 ? search : await find()).filter(rate => rate !== undefined)
              assume(rates.length > 1, `several hotels with a rate that is ${where}`)
              return rates[(round - 1) % rates.length]!.rate_key
            }),
      ),
    )
  })
})

describe('POST hotelCheckPrice of a rate found by a full search', () => {
  test('is answered as for a rate found by a paged search', {
    tags: ['V1-HOTEL-CHECK-PRICE'],
    kinds,
  }, async context => {
    const { adapter, ...arrange } = context.arrange
    const by = await arrange.actor()
    await claimChecked(context, 'Checking a rate that a full search has just found', async round => {
      const [place] = await adapter.places(by)
      const search = await adapter.follow(by, { place: place!.id, checkIn: adapter.day(), mode: 'full' })
      const offers = search.hotels.flatMap(hotel => adapter.offerOf(search, hotel) ?? [])
      assume(offers.length > 0, 'a full search that finds a room')
      return offers[(round - 1) % offers.length]!.productData.rateKeys[0]
    })
  })
})

const prices: V1Requests<'v1-hotels'> = {
  kinds: ['v1-hotels'],
  refusal: 'a refusal (400 or higher, not 500)',
  isRefused: ({ response }) => response.status >= 400,
  valid: async check => ({ rate_key: (await anOffer(check)).productData.rateKeys[0] }),
  // The names of the key in other steps: in the answer of the check, and in a confirmation.
  others: ({ rate_key: key }) => ['rateKey', 'ratekey'].map(name => ({ rate_key: key, [name]: key })),
  send: async ({ v1 }, body) => notLimited(await v1.hotels.price(body)),
  async proves(check) {
    await check.act.checked('the same check with rate_key', () => anOffer(check))
  },
  takes: async ({ v1 }, make) => v1.hotels.price(await make()),
}

describe(hotelCheck.subject, () => {
  for (const { title, body, ...options } of checksOf(hotelCheck, prices)) test(title, options, body)
})

/** Checks a price with an arranged refusal, in each round for another rate. */
async function refusedCheck(
  context: HotelCheck,
  outcome: Outcome | 'expireOffers',
  expecting: readonly string[],
): Promise<Exchange> {
  const { act, arrange, control, v1 } = context
  const by = await arrange.actor()
  const arranged = async () => {
    const offer = await anOffer(context)
    if (outcome === 'expireOffers') await control.expireOffers(by)
    else await control.setOutcome(by, 'check', outcome)
    return offer
  }
  const { answer, offer } = await act.under({ expecting }).check(arranged)
  // An arranged outcome counts only if an answer shows it: that of the check, or of a confirmation.
  if (succeeded(answer) && outcome === 'expireOffers') {
    const body = { ...arrange.anyBody(offer), external_reference: arrange.reference() }
    const confirmed = await v1.hotels.confirm(body)
    if (v1ErrorsOf(confirmed).includes('RateKey expired')) return answer
  }
  assume(!succeeded(answer), 'control.setOutcome to affect hotelCheckPrice')
  return answer
}

describe('a price that cannot be checked', () => {
  for (const [what, outcome] of [
    ['its rate is gone', { kind: 'expired' }],
    ['its key has expired', 'expireOffers'],
  ] as const) {
    test(`is answered with External API error when ${what}`, {
      tags: ['V1-HOTEL-ERR-CHECK-GONE'],
      kinds,
    }, async context => {
      if (outcome === 'expireOffers') context.control.require('expireOffers')
      const answer = await refusedCheck(context, outcome, ['External API error'])
      context.expect(answer).toRefuseAsStated()
    })
  }

  test('is answered with Rate not bookable and the reason when its rate cannot be booked', {
    tags: ['V1-HOTEL-ERR-CHECK-NOT-BOOKABLE', 'V1-HOTEL-ERR-NOT-BOOKABLE-MESSAGE'],
    kinds,
  }, async context => {
    const { expect } = context
    const gone = 'External API error'
    const answer = await refusedCheck(context, { kind: 'refused' }, ['Rate not bookable', gone])
    const error = at(answer.response.json, 'error')
    // A rate that cannot be booked may be gone as well.
    assume(error !== gone, 'a rate that exists but cannot be booked')
    expect(answer).toRefuseAsStated()
    const message = at(answer.response.json, 'message')
    const says = typeof message === 'string' && message.trim() !== '' && message !== 'Rate not bookable'
    expect(answer, 'V1-HOTEL-ERR-NOT-BOOKABLE-MESSAGE').toGive('a message that says why', says)
  })
})

describe('a check of resort hotels A', () => {
  test('shows its expiry, the included ticket, and the other ticket packages', {
    tags: [
      'V1-HOTEL-RESORT-CHECK-EXPIRES-AT',
      'V1-HOTEL-RESORT-CHECK-TICKET',
      'V1-HOTEL-RESORT-CHECK-OPTIONS',
      'V1-HOTEL-RESORT-OPTION-KEY',
      'V1-HOTEL-RESORT-OPTION-PRICE',
      'V1-HOTEL-RESORT-OPTION-TERMS',
      'V1-HOTEL-RESORT-CHECKED-KEY',
    ],
    kinds,
  }, async context => {
    const { arrange, act, expect } = context
    const { adapter } = arrange
    const by = await arrange.actor('resort')
    const places = await resortsOf(context, by, await arrange.actor())
    const find = async (room: V1Room = TWO) => {
      for (const place of places.slice(0, 3)) {
        const search = await adapter.follow(by, { place, checkIn: adapter.day(), rooms: [room] })
        const offer = search.hotels.map(hotel => adapter.offerOf(search, hotel, () => true)).find(Boolean)
        // A rate need not say what it includes, and the booking of a resort hotel needs more than others.
        if (offer !== undefined) return { ...offer, productData: { ...offer.productData, isResort: true } }
      }
      assume(false, 'a resort hotel with a room on sale')
    }
    // Fields of the first check must be in the next one too, and in that of a room with a child.
    await act.checked('a check of a resort hotel', () => find(), by)
    const forFamily = () =>
      orOrdinary(
        () => find({ adults: 2, childrenAges: [8] }),
        () => find(),
      )
    const { answer: ofFamily } = await act.checked('a check of a resort hotel for a family', forFamily, by)
    const checked = () => act.checked('another check of a resort hotel', () => find(), by)
    const first = await checked()
    const { answer } = first
    const decide = (clause: ClauseId, holds: boolean, expected: string, observed: unknown, told = answer) =>
      expect(told, clause).toGive(expected, holds, (JSON.stringify(observed) ?? 'nothing').slice(0, 120))
    const optionsOf = (told: Exchange): unknown => {
      const [expiresAt, ticket, options] = ['expires_at', 'ticket', 'ticket_options'].map(field => {
        const held = [...objectsIn(told.response.json, '', 'ticket_options')]
        return held.find(({ object }) => field in object)?.object[field]
      })
      decide(
        'V1-HOTEL-RESORT-CHECK-EXPIRES-AT',
        typeof expiresAt === 'string' && !Number.isNaN(timeOf(expiresAt)) && !isLongPast(expiresAt, told),
        'the timestamp expires_at, not of long ago',
        expiresAt,
        told,
      )
      decide('V1-HOTEL-RESORT-CHECK-TICKET', ticket !== undefined, 'ticket, or null', ticket, told)
      const isList = Array.isArray(options)
      decide('V1-HOTEL-RESORT-CHECK-OPTIONS', isList, 'the array ticket_options', options, told)
      return options
    }
    optionsOf(ofFamily)
    const options = optionsOf(answer)
    const keysOf = (options: unknown) =>
      (Array.isArray(options) ? options : []).map(option => (isObject(option) ? option.rate_key : undefined))
    const keys = keysOf(options)
    assume(keys.length > 0, 'a resort hotel with other ticket packages')
    decide(
      'V1-HOTEL-RESORT-OPTION-KEY',
      keys.every(key => typeof key === 'string' && key !== '') && new Set(keys).size === keys.length,
      'a rate_key of its own for each option',
      keys.map(key => typeof key),
    )
    const packageOf = ({ response: { json } }: Exchange) => {
      const held = [...objectsIn(json, '', 'ticket_options')].find(({ object }) => 'ticket' in object)
      return JSON.stringify([held?.object.ticket, adapter.checked(json).total])
    }
    for (const place of arrange.drawn([...keys.keys()], 1)) {
      // A market may refuse any rate, but not the same package each time that a check has just listed it.
      const { other, listing, exchanges } = await untilAgreed(async time => {
        const { answer: listing, offer } = time === 1 ? first : await checked()
        const [key, room] = [
          keysOf(optionsOf(listing))[place],
          adapter.quotedAs(offer as HotelOffer, listing),
        ]
        assume(
          key !== undefined && room !== undefined,
          'a resort hotel whose ticket packages do not change during the check',
        )
        const other = await by.v1.hotels.price({ rate_key: key })
        const taken = succeeded(other) ? adapter.quotedAs(room, other) : undefined
        // Whether the key of a checked option must be checked again is not shown.
        const body = arrange.anyBody(taken ?? room)
        const send = () => attempt(context, taken === undefined ? { ...body, ratekey: [key] } : body, by)
        const once = await send()
        // A market that refuses one request of three does not refuse two in a row.
        const sold = succeeded(once) ? once : await send()
        return { agrees: succeeded(sold), other: taken && other, listing, exchanges: [listing, other, sold] }
      })
      const key = other === undefined ? 'V1-HOTEL-RESORT-OPTION-KEY' : 'V1-HOTEL-RESORT-CHECKED-KEY'
      const sold = exchanges.at(-1)!
      expect(sold, key).toGive('a package whose key can be checked and confirmed', succeeded(sold))
      if (other === undefined) continue
      optionsOf(other)
      expect(other, 'V1-HOTEL-RESORT-OPTION-KEY').toGive(
        'another package than that of the room',
        packageOf(other) !== packageOf(listing),
        packageOf(other).slice(0, 120),
      )
    }
  })
})
