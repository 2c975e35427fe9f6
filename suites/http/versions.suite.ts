import { isInProgress, isLimited, untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import type { ParkACheck, V1HotelAdapter } from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { errorCode, flagged, isObject, textOf } from '../../fixtures/contracts/index.ts'
import { kindOf } from '../../fixtures/service/index.ts'
import {
  assume,
  describe,
  EVERY_V1_KIND,
  type Exchange,
  outcomeOf,
  type ProductKind,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

/** The clause that a kind of product is on sale in both versions. */
const BOTH: Record<ProductKind, ClauseId> = {
  transfers: 'VERSION-BOTH-TRANSFERS',
  parkA: 'VERSION-BOTH-TICKETS',
  parkB: 'VERSION-BOTH-TICKETS',
  hotels: 'VERSION-BOTH-HOTELS',
}

/** Returns whether a value looks like a record: it has scalar fields. */
const isRecord = (value: unknown): boolean =>
  isObject(value) && Object.values(value).some(field => ['string', 'number'].includes(typeof field))

/** Returns whether a record just wraps empty lists: one of a product may have an empty list beside others. */
const wrapsNothing = (record: unknown): boolean => {
  const lists = Object.values(Object(record)).filter(Array.isArray)
  return lists.length > 0 && lists.every(list => list.length === 0)
}

/** Returns whether a value contains records, in a list or keyed by id. Most catalog shapes are open. */
const listsSomething = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(isObject) || value.some(listsSomething)
  if (!isObject(value)) return false
  const values = Object.values(value)
  return (values.every(isRecord) && !values.every(wrapsNothing)) || values.some(listsSomething)
}

/** Returns the requests for the lists of products, in either version. */
async function catalogs({ arrange }: V1Check): Promise<[version: string, ask: () => Promise<Exchange>][]> {
  const by = await arrange.actor()
  const { v1, v2 } = by
  const ofV1: Record<ProductKind, () => Promise<Exchange>> = {
    transfers: () => v1.transfers.catalog(),
    async parkA() {
      const answer = await v1.parkA.catalog({})
      const brand = (arrange as unknown as ParkACheck['arrange']).adapter.brands.at(-1)
      // Either brand may have no catalog.
      return listsSomething(answer.response.json) ? answer : v1.parkA.catalog({ brand })
    },
    parkB: () => v1.parkB.catalog({}),
    async hotels() {
      // The number of the first page is open.
      const page = await (arrange.adapter as V1HotelAdapter).firstPage(by)
      return v1.hotels.destinations({ page, limit: 10 })
    },
  }
  const ofV2: Record<ProductKind, () => Promise<Exchange>> = {
    transfers: () => v2.transferProducts(),
    parkA: () => v2.ticketProducts(),
    parkB: () => v2.ticketProducts(),
    hotels: () => v2.hotelDestinations(),
  }
  return [
    ['v1', ofV1[arrange.kind]],
    ['v2', ofV2[arrange.kind]],
  ]
}

describe('v1 and v2 side by side', () => {
  for (const product of EVERY_V1_KIND)
    test(`list the same kinds of product (${product})`, {
      tags: [BOTH[kindOf(product)]],
      kinds: [product],
    }, async check => {
      const { arrange, beside, expect } = check
      beside(arrange.kind)
      for (const [version, ask] of await catalogs(check)) {
        const answer = await untilSupplierAnswers(ask, 'what is on sale')
        assume(!isLimited(answer), 'a credential below its rate limit')
        const { status, json } = answer.response
        // The paths of v1 are partly open: with a 404 the definition may have the wrong path.
        if (version === 'v1' && status === 404) {
          // Ends the check if the product is only assumed to be sold.
          await arrange.adapter.find(await arrange.actor(), {})
          assume.accepted(answer, 'what v1 has on sale')
        }
        assume(status < 500, `a list that can be read: ${version} answered ${outcomeOf(answer)}`)
        assume(status >= 300 || json !== undefined, 'a list in JSON')
        const holds = status < 300 && listsSomething(json)
        expect(answer, BOTH[arrange.kind]).toGive('a list with something in it', holds)
      }
    })

  test('a value used as a reference in v1 can be an Idempotency-Key in v2', {
    tags: ['VERSION-IDEM-APART'],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, beside, expect }) => {
    const v2 = beside(arrange.kind)
    const { reference } = await arrange.order()
    const { answer } = await v2.act.book({
      what: v2.arrange.body(await v2.arrange.offer()),
      spelled: { key: reference },
    })
    const taken =
      flagged(answer, 'idempotent_replay') ||
      ['IDEMPOTENCY_KEY_REUSED', 'BOOKING_IN_PROGRESS'].includes(textOf(errorCode(answer)))
    assume(taken || answer.response.status < 300, 'a booking of v2 that is not refused for another reason')
    expect(answer, 'VERSION-IDEM-APART').toGive('a new booking', !taken)
  })

  test('a value used as an Idempotency-Key in v2 can be a reference in v1', {
    tags: ['VERSION-IDEM-APART'],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, act, beside, expect }) => {
    const confirm = async () => {
      const { key } = await beside(arrange.kind).arrange.booking()
      const { answer } = await act.book({ what: () => arrange.offer(), spelled: { key } })
      return { answer, isRunning: isInProgress(answer) }
    }
    // The result of a confirmation may be unknown for a while, so confirmations with other references are compared.
    let tried = await confirm()
    for (let more = 1; more <= MORE && tried.isRunning; more++) {
      // Now one, now two: what every third confirmation is answered is not in step.
      for (let others = more % 2; others >= 0; others--) {
        const { answer } = await act.book({ what: () => arrange.offer() })
        assume(!isInProgress(answer), 'orders of v1 whose result is known')
      }
      tried = await confirm()
    }
    const { answer, isRunning } = tried
    const taken = isRunning || flagged(answer, 'idempotent_replay')
    assume(taken || answer.response.status < 300, 'an order of v1 that is not refused for another reason')
    expect(answer, 'VERSION-IDEM-APART').toGive('a new order', !taken)
  })
})

/**
 * The number of further references that must be unknown as well: three in a row may be a coincidence if a third of all
 * results are unknown.
 */
const MORE = 8

/** Products whose orders show their mode; v1 tickets do not. */
const TELLING = ['v1-hotels', 'v1-transfers'] as const

describe('X-Test-Mode', () => {
  test('does not turn an order of a production credential into a test order', {
    tags: ['TEST-MODE-HEADER-LIVE-V1'],
    kinds: TELLING,
  }, async ({ arrange, act, expect }) => {
    const by = await arrange.actor('live')
    // Only an order shows it, which is made where orders are free.
    assume(arrange.realIsFree, 'a deployment on which real orders are free')
    const { answer } = await act.booked('an order with X-Test-Mode', {
      by,
      what: () => arrange.offer({ actor: by }),
      spelled: { headers: { 'X-Test-Mode': 'true' } },
    })
    expect(answer).not.toShow('test_mode', true)
  })

  test('does not turn an order of a test credential into a real order', {
    tags: ['TEST-MODE-HEADER-V1'],
    kinds: TELLING,
  }, async ({ arrange, act, expect }) => {
    await arrange.testCredential()
    for (const value of arrange.drawn(['false', '0'], 1)) {
      const { answer } = await act.booked('an order with X-Test-Mode', {
        spelled: { headers: { 'X-Test-Mode': value } },
      })
      expect(answer).toShow('test_mode', true)
    }
  })
})
