import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { endpointOf, resend, v1EndpointCalls, v2EndpointCalls } from '../../fixtures/check/sending/index.ts'
import { seldomOrder, type V1Order } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { flagged } from '../../fixtures/contracts/index.ts'
import {
  assume,
  type Check,
  type Counters,
  describe,
  EVERY_KIND,
  EVERY_V1_KIND,
  type Exchange,
  independently,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

/** Values of test_mode in a body. */
const SAID = ['false', false] as const

/** Returns the counts of the source before and after an action with a test credential. */
async function countsAround<Done>(
  { arrange, control }: V1Check,
  act: () => Promise<Done>,
): Promise<{ done: Done; changed(count: 'reached' | 'issued'): number | undefined }> {
  control.require('counters')
  await arrange.testCredential()
  const by = await arrange.actor()
  const before = await control.counters(by)
  const done = await act()
  const after = await control.counters(by)
  const of = (counted: Counters, count: 'reached' | 'issued') =>
    counted[count]?.[arrange.kind] ?? counted[count]?.total
  return {
    done,
    changed(count) {
      const [first, later] = [of(before, count), of(after, count)]
      return first === undefined || later === undefined ? undefined : later - first
    },
  }
}

function claimUnchanged(
  { expect }: Pick<Check, 'expect'>,
  clause: ClauseId,
  count: 'reached' | 'issued',
  changed: number | undefined,
  exchange: Exchange,
): void {
  assume(changed !== undefined, `control that counts ${count} bookings`)
  expect(exchange, clause).toTell(`the number of ${count} added at the source`, changed, 0)
}

describe('an order of API v1 with a test credential', () => {
  test('is not made at the supplier even if X-Test-Mode says false', {
    tags: ['TEST-MODE-HEADER-V1'],
    kinds: EVERY_V1_KIND,
  }, async check => {
    const { done, changed } = await countsAround(check, () =>
      check.act.booked('an order with X-Test-Mode', {
        spelled: { headers: { 'X-Test-Mode': 'false' } },
      }),
    )
    claimUnchanged(check, 'TEST-MODE-HEADER-V1', 'issued', changed('issued'), done.answer)
  })

  test('is cancelled by a cancellation that carries X-Test-Mode', {
    tags: ['TEST-MODE-HEADER-CANCEL'],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange, act, expect }) => {
    assume(arrange.realIsFree, 'a deployment on which requests are free')
    const by = await arrange.actor()
    const cancelledWith = async (headers: Record<string, string>) => {
      const order = await arrange.order()
      const first = await act.cancel(order, by, { headers })
      if (!succeeded(first)) return { answer: first, holds: false }
      const cancelAgain = () => arrange.adapter.cancel(by, order.id)
      const answer = await untilSupplierAnswers(cancelAgain, 'a second cancellation')
      return { answer, holds: !succeeded(answer) || flagged(answer, 'already_cancelled') }
    }
    const { answer, holds } = await cancelledWith({ 'X-Test-Mode': 'true' })
    // What a test order is told at a second cancellation is not shown for every product.
    assume(holds || (await cancelledWith({})).holds, 'orders whose cancellation without it can be seen')
    expect(answer).toGive('an order that is cancelled, as without the header', holds)
  })

  test('is not made at the supplier; operator A neither issues nor charges it', {
    tags: ['TEST-MODE-V1-NOTHING-REAL'],
    kinds: EVERY_V1_KIND,
  }, async check => {
    const { arrange } = check
    const counts = arrange.product === 'v1-park-a' ? (['issued'] as const) : (['issued', 'reached'] as const)
    const isReal = async (order: () => Promise<V1Order>) => {
      const { done, changed } = await countsAround(check, order)
      await independently(
        ...counts.map(
          count => () =>
            claimUnchanged(check, 'TEST-MODE-V1-NOTHING-REAL', count, changed(count), done.exchange),
        ),
      )
    }
    // Also for families and groups.
    const turns = arrange.trafficIsFree ? [0, 1] : []
    await independently(
      () => isReal(() => arrange.order()),
      ...turns.map(turn => () => isReal(async () => seldomOrder(arrange, await arrange.actor(), turn))),
    )
  })

  test('of operator B is cancelled without contacting the operator', {
    tags: ['TEST-MODE-V1-PARK-B-SIMULATED'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { v1, arrange, act } = check
    const isSimulated = async (order: V1Order) => {
      const { done, changed } = await countsAround(check as V1Check, async () => {
        const cancelled = await act.cancelled(order)
        await v1.parkB.cancel({ id_order: order.id })
        return cancelled
      })
      claimUnchanged(check, 'TEST-MODE-V1-PARK-B-SIMULATED', 'reached', changed('reached'), done)
    }
    await isSimulated(await arrange.order())
    if (arrange.trafficIsFree) await isSimulated(await arrange.unusualOrder())
  })

  test('stays a test order, whatever test_mode says in its body and URL', {
    tags: ['TEST-MODE-REQUEST-V1'],
    // v1 tickets do not show their mode.
    kinds: ['v1-hotels', 'v1-transfers'],
  }, async check => {
    const { arrange, act, send, expect } = check
    await arrange.testCredential()
    const made: Exchange[] = []
    for (const value of arrange.drawn(SAID, 1)) {
      const what = async () => ({ ...arrange.anyBody(await arrange.offer()), test_mode: value })
      made.push((await act.book({ what })).answer)
    }
    const { request } = (await arrange.order()).exchange
    const inUrl = await send({
      method: request.method,
      path: `${request.path}?test_mode=false`,
      body: { ...arrange.anyBody(await arrange.offer()), external_reference: arrange.reference() },
      kind: arrange.kind,
    })
    // Whether unknown fields are accepted is open; if not, nothing is booked.
    const booked = [...made, inUrl].filter(({ response }) => response.status < 300)
    assume(booked.length > 0, 'an order that says test_mode: false')
    for (const answer of booked) expect(answer).toShow('test_mode', true)
  })
})

/** Statuses of a request that is not understood. A live account may be refused for other reasons. */
const NOT_UNDERSTOOD = [400, 404, 405, 410, 415, 422, 501]

/** The requests that name a hotel, which production may not describe, and the statuses that say nothing of that hotel. */
const NAMES_A_HOTEL = new Set<string>(['v1 hotel data', 'v1 hotel details'])
const NOT_SERVED = [405, 415, 501]

/** Decides that the lists of a test credential can be requested in the same way with a production credential. */
async function asksTheSame(check: Check, offered: readonly (() => Promise<Exchange>)[]): Promise<void> {
  const live = await check.arrange.actor('live')
  await independently(
    ...offered.map(ready => async () => {
      const served = assume.sold(await ready(), 'the same call with a test credential')
      // Other calls need an offer, which is valid only for its credential.
      if (endpointOf(served).does !== 'lists') return
      const answer = await resend({ arrange: check.arrange, send: live.send }, served, {})
      const wrong = NAMES_A_HOTEL.has(endpointOf(served).id) ? NOT_SERVED : NOT_UNDERSTOOD
      check.expect(answer, 'TEST-MODE-SAME-INTERFACE').not.toHaveStatus(...wrong)
    }),
  )
}

describe('a list requested with a production credential', () => {
  for (const product of EVERY_V1_KIND)
    test(
      `is requested at the same URL as with a test credential (${product})`,
      { tags: ['TEST-MODE-SAME-INTERFACE'], kinds: [product] },
      async check => asksTheSame(check as Check, (await v1EndpointCalls(check)).offered),
    )

  for (const kind of EVERY_KIND)
    test(
      `is requested at the same URL as with a test credential (v2, ${kind})`,
      { tags: ['TEST-MODE-SAME-INTERFACE'], kinds: [kind] },
      async check => asksTheSame(check, (await v2EndpointCalls(check)).offered),
    )
})
