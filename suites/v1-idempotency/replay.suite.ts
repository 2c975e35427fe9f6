import {
  type Accepted,
  type Carried,
  claimAccepted,
  idIn,
  judgeFree,
  judgeReplay,
  judgeUsedElsewhere,
  ordered,
  othersOf,
  REFERENCE_HEADER,
  repeat,
  replay,
  replayed,
  replaysOf,
  seldomOrder,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, isSameAmount } from '../../fixtures/contracts/index.ts'
import type { V1Product } from '../../fixtures/service/index.ts'
import {
  type Actor,
  clauseFor,
  describe,
  EVERY_V1_KIND,
  type Exchange,
  independently,
  testFor,
  type V1Check,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_V1_KIND)

/** Returns the total of an order, if its answer shows it, as for hotels. */
const totalOf = ({ response: { json } }: Exchange): number | undefined => {
  const total = at(json, 'booking.total.price')
  return typeof total === 'number' ? total : undefined
}

/** Seconds before a repeat: the few minutes that clients are told to wait, and some hours. */
const MINUTES = 10 * 60 + 30
const HOURS = 2 * 60 * 60

/** The clauses that a new order is not flagged as a replay. */
const FIRST = {
  'v1-hotels': 'V1-HOTEL-CONFIRM-FIRST-NO-REPLAY',
  'v1-transfers': 'V1-TRANSFER-CONFIRM-FIRST-NO-REPLAY',
  'v1-park-a': 'V1-PARK-A-CONFIRM-FIRST-NO-REPLAY',
  'v1-park-b': 'V1-PARK-B-CONFIRM-FIRST-NO-REPLAY',
} as const satisfies Record<V1Product, ClauseId>

/** Makes an order with a reference at some place, and decides that it is not flagged as a replay. */
async function firstOrder(
  { arrange, act, expect }: Pick<V1Check, 'arrange' | 'act' | 'expect'>,
  by: Actor,
  carried: Carried,
): Promise<Accepted> {
  const first = await ordered({ arrange, act }, by, carried)
  expect(first.exchange, FIRST[arrange.product]).not.toBeFlagged('idempotent_replay')
  return first
}

describe('external_reference: a repeat of a finished confirmation', () => {
  test('returns the same order, marked as a replay', {
    tags: product => [clauseFor('V1-IDEM-REPLAY-ORDER', product), ...replaysOf(product)],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const { product } = arrange
    // In body and header, so that it counts in either case.
    const reference = arrange.reference()
    const headers = { [REFERENCE_HEADER]: reference }
    const fields = { external_reference: reference }
    const { id, body, exchange } = await ordered({ arrange, act }, by, { fields, headers })
    const total = totalOf(exchange)
    // Several repeats: a service may forget the reference after the first, or after the next order.
    for (let time = 1; time <= (arrange.trafficIsFree ? 3 : 2); time++) {
      const other =
        time === 3
          ? await ordered({ arrange, act }, by, { fields: { external_reference: arrange.reference() } })
          : undefined
      const again = await replay(arrange, by, body, headers)
      const clause = clauseFor('V1-IDEM-REPLAY-ORDER', product)
      await judgeReplay({ arrange, expect }, again, { id, clause })
      // A repeat may have the request id of the first answer, but not that of another order.
      if (other) await replay(arrange, by, other.body)
      const repeated = totalOf(again)
      if (total === undefined || repeated === undefined) continue
      expect(again, clause).toGive(`the total ${total}`, isSameAmount(repeated, total), `${repeated}`)
    }
  })

  test('returns the same order minutes and hours later, even if the price changed', {
    tags: product => [
      clauseFor('V1-IDEM-REPLAY-ORDER', product),
      clauseFor('V1-IDEM-REPLAY-LATER', product),
      ...replaysOf(product),
    ],
  }, async ({ arrange, control, expect }) => {
    const { product } = arrange
    control.require('mint')
    control.require('advanceClock')
    const by = await replayed(arrange)
    const { id, body, offer } = await seldomOrder(arrange, by, 1)
    // The current price does not matter for an order that was made.
    if (control.offers('changePrice')) await control.changePrice(by, offer.productId, 3)
    for (const [clause, seconds] of [
      [clauseFor('V1-IDEM-REPLAY-ORDER', product), MINUTES],
      [clauseFor('V1-IDEM-REPLAY-LATER', product), HOURS],
    ] as const) {
      await control.advanceClock(by, seconds)
      await judgeReplay({ arrange, expect }, await replay(arrange, by, body), { id, clause })
    }
  })

  test('is recognized by external_reference in the body', {
    tags: product => [clauseFor('V1-IDEM-BODY', product), ...replaysOf(product)],
  }, async ({ arrange, expect }) => {
    const by = await replayed(arrange)
    for (const turn of arrange.unusualTurns) {
      const { id, body } = await seldomOrder(arrange, by, turn)
      await judgeReplay({ arrange, expect }, await replay(arrange, by, body), { id })
    }
  })

  test('is recognized by the header if the body has no reference', {
    tags: product => [clauseFor('V1-IDEM-HEADER', product), FIRST[product], ...replaysOf(product)],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const headers = { [REFERENCE_HEADER]: arrange.reference() }
    const first = await firstOrder({ arrange, act, expect }, by, { headers })
    await judgeReplay({ arrange, expect }, await replay(arrange, by, first.body, headers), first)
    if (!arrange.realIsFree) return
    // Also for a family and a live credential: whether sold offers can be sold again is open.
    const seller = await arrange.actor('live')
    const { external_reference: _, ...body } = (await seldomOrder(arrange, seller, 0)).body
    const carried = { [REFERENCE_HEADER]: arrange.reference() }
    const id = idIn(await repeat(arrange, seller, body, carried))
    if (id === undefined) return
    await judgeReplay({ arrange, expect }, await replay(arrange, seller, body, carried), { id })
  })

  test('is recognized by the header if the order was made with the reference in the body', {
    tags: product => [clauseFor('V1-IDEM-EITHER-PLACE', product)],
  }, async ({ arrange, expect }) => {
    const by = await replayed(arrange)
    const { id, body, reference } = await arrange.order({ actor: by })
    const { external_reference: _, ...rest } = body
    expect(await replay(arrange, by, rest, { [REFERENCE_HEADER]: reference })).toShowOrder(id)
  })

  test('is recognized by the body if body and header differ', {
    tags: product => [clauseFor('V1-IDEM-BODY-WINS', product), FIRST[product]],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const fields = { external_reference: arrange.reference() }
    const inHeader = { [REFERENCE_HEADER]: arrange.reference() }
    const first = await firstOrder({ arrange, act, expect }, by, { fields, headers: inHeader })
    const again = await replay(arrange, by, first.body, { [REFERENCE_HEADER]: arrange.reference() })
    expect(again).toShowOrder(first.id)
    // The other way round: a known reference in the header, and a new one in the body.
    const other = {
      fields: { external_reference: arrange.reference() },
      headers: { [REFERENCE_HEADER]: fields.external_reference },
    }
    const clause = clauseFor('V1-IDEM-BODY-WINS', arrange.product)
    await judgeFree({ arrange, act, expect }, by, other, { clause, than: first.id })
  })
})

describe('a reference', () => {
  test('may be in the body, the header or both, with another one for tracking', {
    tags: product => [clauseFor('V1-IDEM-CARRIED', product)],
  }, async check => {
    const { arrange } = check
    const clause = clauseFor('V1-IDEM-CARRIED', arrange.product)
    const body = async () => arrange.anyBody(await arrange.offer())
    const headers = () => ({ [REFERENCE_HEADER]: arrange.reference() })
    const inHeader = () => ({ key: null, headers: headers() })
    const inBoth = () => ({ key: arrange.reference(), headers: headers() })
    const tracked = async () => ({ ...(await body()), reference: arrange.reference() })
    await independently(
      () =>
        claimAccepted(check, {
          clause,
          tried: `Confirming with ${REFERENCE_HEADER} alone`,
          make: async () => ({ tested: await body(), beside: await body() }),
          carry: { tested: inHeader },
        }),
      () =>
        claimAccepted(check, {
          clause,
          tried: `Confirming with external_reference, ${REFERENCE_HEADER} and reference`,
          make: async () => ({ tested: await tracked(), beside: await body() }),
          carry: { tested: inBoth, beside: inHeader },
        }),
    )
  })
})

describe('external_reference: what does not count as a repeat', () => {
  test('the field reference is for tracking only and prevents no second order', {
    tags: product => [clauseFor('V1-IDEM-TRACKING-ONLY', product), FIRST[product]],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const clause = clauseFor('V1-IDEM-TRACKING-ONLY', arrange.product)
    // Alone, and beside a reference that prevents a second order.
    const places: readonly ((reference: string) => Carried)[] = [
      () => ({}),
      own => ({ fields: { external_reference: own } }),
      own => ({ headers: { [REFERENCE_HEADER]: own } }),
    ]
    for (const place of places.slice(0, arrange.trafficIsFree ? places.length : 2)) {
      const reference = arrange.reference()
      const carried = (): Carried => {
        const { fields, ...headers } = place(arrange.reference())
        return { ...headers, fields: { reference, ...fields } }
      }
      const first = await firstOrder({ arrange, act, expect }, by, carried())
      await judgeFree({ arrange, act, expect }, by, carried(), { clause, than: first.id })
    }
  })

  test('a reference used by another company can be used', {
    tags: product => [clauseFor('V1-IDEM-PER-ACCOUNT', product)],
  }, async ({ arrange, act, expect }) => {
    const by = await replayed(arrange)
    const { kind } = arrange
    const stranger = await arrange.actor('otherCompany', { modes: { [kind]: by.modes[kind] ?? 'test' } })
    const clause = clauseFor('V1-IDEM-PER-ACCOUNT', arrange.product)
    const selling = { arrange, act, expect }
    const ofTheirs = () => arrange.order({ actor: by })
    await judgeUsedElsewhere(selling, stranger, ofTheirs, clause)
    if (!arrange.trafficIsFree) return
    // What stands in the header, or is cut, may be looked for elsewhere.
    for (const [carry, length] of [
      [(reference: string): Carried => ({ headers: { [REFERENCE_HEADER]: reference } }), 0],
      [(external_reference: string): Carried => ({ fields: { external_reference } }), 80],
    ] as const) {
      const used = async () => {
        const reference = arrange.reference().padEnd(length, 'x')
        return { reference, id: (await ordered(selling, by, carry(reference))).id }
      }
      await judgeUsedElsewhere(selling, stranger, used, clause, carry)
    }
  })

  test('a reference used for another product can be used', {
    tags: product => [clauseFor('V1-IDEM-PER-PRODUCT', product)],
  }, async ({ arrange, act, beside, expect }) => {
    // For some products, references of test orders may be ignored.
    const by = arrange.trafficIsFree ? await arrange.actor('live') : await replayed(arrange)
    const others = othersOf(arrange.product, by, beside)
    const clause = clauseFor('V1-IDEM-PER-PRODUCT', arrange.product)
    // All products if requests are free: two may share references while a third does not.
    for (const other of arrange.trafficIsFree ? others : others.slice(0, 1)) {
      const used = () => other.arrange.order({ actor: by })
      await judgeUsedElsewhere({ arrange, act, expect }, by, used, clause)
    }
  })

  test('transfers with a test credential ignore it', {
    tags: ['V1-IDEM-TEST-TRANSFER-IGNORED'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    await arrange.testCredential()
    const by = await arrange.actor()
    const first = await arrange.order()
    const fields = { external_reference: first.reference }
    const clause = 'V1-IDEM-TEST-TRANSFER-IGNORED'
    await judgeFree({ arrange, act, expect }, by, { fields }, { clause, than: first.id })
  })
})
