import fc from 'fast-check'
import { type Mutation, mutationsOf } from '../../fixtures/arbitraries/index.ts'
import { isAway, isMarketRefusal, UNKNOWN_ID } from '../../fixtures/check/buying/index.ts'
import { transferQuestionOf } from '../../fixtures/check/products/index.ts'
import { isObject, type JsonObject, sentIn } from '../../fixtures/contracts/index.ts'
import { bookingRequest, offerCheck, transferQuestion } from '../../fixtures/service/index.ts'
import {
  assume,
  describe,
  type Exchange,
  independently,
  outcomeOf,
  type ProductCheck,
  type ProductKind,
  test,
} from '../../fixtures/test.ts'

/** The number of cases if requests are limited. */
const LIVE = 4

/** Sends every invalid form of a request. Records results that the document leaves open. */
async function tryAll(
  { arrange, expect, holds }: Pick<ProductCheck, 'arrange' | 'expect' | 'holds'>,
  what: string,
  mutations: readonly Mutation[],
  send: (mutation: Mutation) => Promise<Exchange>,
): Promise<void> {
  await holds(
    fc.constantFrom(...mutations),
    async mutation => {
      const { field, change, refused } = mutation
      const answer = await send(mutation)
      const { status } = answer.response
      // Such an answer says nothing about the request.
      if (isAway(answer) || status === 429) return
      const tried = `${what} with ${field}: ${change}`
      expect(answer, 'V2-INVALID-NOT-5XX').not.toBreakDown()
      if (refused) expect(answer, 'V2-INVALID-REFUSED').toBeAnError()
      else if (!isMarketRefusal(answer)) expect.fact(`${tried}: ${outcomeOf(answer)}`)
    },
    // All cases once if requests are free; otherwise a few, drawn by the seed, with a list as the body.
    {
      runs: mutations.length,
      live: LIVE,
      examples: arrange.trafficIsFree
        ? mutations
        : mutations.filter(({ body }) => Array.isArray(body)).slice(0, 1),
    },
  )
}

/** Kinds that share the faults which the document leaves open: each tries others. */
const SHARING: readonly ProductKind[] = ['parkA', 'parkB', 'hotels']

/** Sends bookings with one wrong field each, and then a valid one. */
async function bookingsWrongInOneField(context: ProductCheck, isShared = false): Promise<void> {
  const { v2, act, arrange } = context
  const body: JsonObject = arrange.body(await arrange.offer(), 'a reference')
  const turn = SHARING.indexOf(arrange.kind)
  const mutationsIn = (valid: JsonObject) =>
    mutationsOf(bookingRequest.type, valid, ['items', 'items[]', 'items[].offer_id']).filter(
      ({ refused }, at) => !isShared || refused || at % SHARING.length === turn,
    )
  const send = ({ body: wrong }: Mutation) => v2.book({ key: arrange.key(), body: wrong })
  await independently(
    () => tryAll(context, 'Booking', mutationsIn(body), send),
    async () => {
      if (!arrange.trafficIsFree) return
      const both = mutationsIn(arrange.body(await arrange.offersTogether(2)))
      const ofSecond = both.filter(({ field, refused }) => refused && field.startsWith('items[1]'))
      await tryAll(context, 'Booking two items', ofSecond, send)
    },
  )
  await act.booked('the same booking without the fault')
}

/** Values that no field of a quote request must accept. */
const NONSENSE = [null, [], 'x', -1, {}, '', true]

/** Returns the values with nonsense in one place each: in any field, and in lists and objects within. */
const spoiledWithin = (asked: unknown, path = ''): { field: string; value: unknown; body: unknown }[] =>
  Object.entries(isObject(asked) || Array.isArray(asked) ? asked : {}).flatMap(([name, inner]) => {
    const field = path === '' ? name : `${path}.${name}`
    const others = path === '' ? NONSENSE : NONSENSE.slice(0, 4)
    const within = spoiledWithin(inner, field)
    const all = [...others.map(value => ({ field, value, body: value as unknown })), ...within]
    return all.map(one => ({
      ...one,
      body: Object.assign(structuredClone(asked) as object, { [name]: one.body }),
    }))
  })

/** Returns the request with one wrong value each. The required fields of a quote request are open. */
const spoiled = (exchange: Exchange): Mutation[] =>
  spoiledWithin(sentIn(exchange)).map(({ field, value, body }) => ({
    field,
    change: JSON.stringify(value),
    body,
    refused: false,
  }))

describe('requests with one invalid field', () => {
  test(
    'to book: refused with 4xx if something required is missing, never answered with 5xx',
    { tags: ['V2-INVALID-REFUSED', 'V2-INVALID-NOT-5XX'], kinds: 'any' },
    context => bookingsWrongInOneField(context),
  )

  test('to book other kinds of product: never answered with 5xx', {
    tags: ['V2-INVALID-REFUSED', 'V2-INVALID-NOT-5XX'],
    kinds: SHARING,
  }, async context => {
    assume(context.arrange.realIsFree, 'a deployment on which requests cost nobody anything')
    await bookingsWrongInOneField(context, true)
  })

  test('for ticket availability: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { v2, arrange } = context
    const { exchange } = await arrange.offer()
    await tryAll(context, 'Asking for tickets', spoiled(exchange), ({ body }) => v2.ticketAvailability(body))
  })

  test('to search for hotels: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: ['hotels'],
  }, async context => {
    const { adapter, ...arrange } = context.arrange
    const by = await arrange.actor()
    const [destination] = await adapter.destinations(by)
    const ask = { destination: destination!, checkIn: adapter.day() }
    const { started } = await adapter.start(by, ask)
    await tryAll(context, 'Searching for hotels', spoiled(started), async ({ body }) => {
      return (await adapter.try(by, ask, () => body)).started
    })
  })

  test('to check an offer: refused with 4xx, never answered with 5xx', {
    tags: ['V2-INVALID-REFUSED', 'V2-INVALID-NOT-5XX'],
    kinds: 'any',
  }, async context => {
    const { v2, act, arrange } = context
    const offer = await arrange.offer()
    const mutations = mutationsOf(offerCheck.type, { offer_id: offer.offerId }, ['offer_id'])
    await tryAll(context, 'Checking an offer', mutations, ({ body }) => v2.checkOffer(body))
    await act.checked('the same check without the fault', offer)
  })

  // Which fields a quote request needs is not stated.
  test('for transfer availability: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: ['transfers'],
  }, async context => {
    const { v2, arrange } = context
    const ask = await transferQuestionOf(arrange)
    assume.accepted(await v2.transferAvailability(ask), 'the same request without the fault')
    const beside = { ...ask, product_ids: [...ask.product_ids, UNKNOWN_ID] }
    const mutations = [
      ...mutationsOf(transferQuestion.type, ask, []),
      { field: 'product_ids', change: 'with an unknown one', body: beside, refused: false },
    ]
    await tryAll(context, 'Asking for transfers', mutations, ({ body }) => v2.transferAvailability(body))
  })

  test('with a JSON body that is not an object: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: 'any',
  }, async ({ send, arrange, expect }) => {
    const bodies = ['null', '[]', '"x"', '5', 'true']
    for (const path of ['/api/v2/bookings', '/api/v2/offers/check', '/api/v2/bookings/0/cancel']) {
      for (const body of arrange.trafficIsFree ? bodies : arrange.drawn(bodies, 1)) {
        const headers = { 'idempotency-key': arrange.key() }
        expect(await send({ method: 'POST', path, headers, body })).not.toBreakDown()
      }
    }
  })

  test('with a booking id that cannot exist: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: 'any',
  }, async ({ v2, arrange, expect }) => {
    for (const id of arrange.drawn(['no-number', '99999999999999999999', '0', '-1', '1.5'], 2)) {
      const calls = [v2.booking, v2.voucher, (id: string) => v2.cancel(id)]
      for (const call of arrange.trafficIsFree ? calls : calls.slice(0, 1)) {
        expect(await call(id), 'V2-INVALID-NOT-5XX').not.toBreakDown()
      }
    }
  })

  test('with an Idempotency-Key that is empty or too long: never answered with 5xx', {
    tags: ['V2-IDEM-KEY-NOT-5XX'],
    kinds: 'any',
  }, async context => {
    const { v2, act, arrange, expect } = context
    for (const length of [0, 192, 1000]) {
      const answer = await v2.book({
        key: arrange.key().padEnd(length, 'k').slice(0, length),
        body: arrange.anyBody([await arrange.offer()]),
      })
      if (isMarketRefusal(answer)) continue
      const tried = `Booking with an Idempotency-Key of ${length} bytes`
      expect(answer, 'V2-IDEM-KEY-NOT-5XX').not.toBreakDown()
      expect.fact(`${tried}: ${outcomeOf(answer)}`)
    }
    await act.booked('a booking with a key of 191 bytes', {
      key: arrange.key().padEnd(191, 'k'),
      body: arrange.body(await arrange.offer()),
    })
  })
})
