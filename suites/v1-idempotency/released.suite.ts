import { isInProgress, PEOPLE } from '../../fixtures/check/buying/index.ts'
import {
  assumeSoldBeside,
  REFERENCE_HEADER,
  repeat,
  replayed,
  type V1Offer,
  type V1OfferOf,
} from '../../fixtures/check/v1/index.ts'
import { type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  clauseFor,
  describe,
  EVERY_V1_KIND,
  type Exchange,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

/** What a transfer is refused for, as far as its requests say anything of it. */
const spoiledTransfers = (
  { adapter }: V1Check<'v1-transfers'>['arrange'],
  offer: V1OfferOf<'v1-transfers'>,
  body: JsonObject,
): JsonObject[] => {
  const capacity = adapter.capacity(offer.productData.transfer)
  return [
    { passengers: [{ ...PEOPLE[0]!, firstName: '', lastName: '' }] },
    { date: '2020-01-01' },
    ...(capacity === undefined ? [] : [{ people: { adults: capacity + 1, children: 0 } }]),
  ]
    .map(change => adapter.altered(offer, change))
    .filter(spoilt => textOf(spoilt) !== textOf(body))
}

/** What every confirmation of the product is refused for: other code may release the reference of each. */
const spoiled = ({ arrange }: V1Check, offer: V1Offer, body: JsonObject): readonly JsonObject[] => {
  const { product } = arrange
  if (product === 'v1-hotels')
    return [{ bookingHolder: undefined }, { ratekey: undefined }, { ratekey: ['none-that-was-found'] }].map(
      change => ({ ...body, ...change }),
    )
  const atAnotherPrice = { ...body, total_amount: Number(body.total_amount) + 100 }
  if (product === 'v1-transfers')
    return [
      atAnotherPrice,
      ...spoiledTransfers(
        arrange as unknown as V1Check<'v1-transfers'>['arrange'],
        offer as V1OfferOf<'v1-transfers'>,
        body,
      ),
    ]
  const pax = Array.isArray(body.pax) ? body.pax : []
  return [
    atAnotherPrice,
    { ...body, pax: [...pax, ...pax] },
    { ...body, pax: pax.map((one: JsonObject) => ({ ...one, surname: undefined })) },
    // Whose ticket this would be, and how it is delivered, is asked of one operator each.
    ...(product === 'v1-park-a'
      ? [
          { ...body, pax: pax.map((one: JsonObject) => ({ ...one, birthdate: body.date })) },
          { ...body, product_id_adult: 'NO-SUCH-TICKET' },
          { ...body, adults: 41 },
          { ...body, date: '2020-01-01' },
        ]
      : [
          { ...body, DeliveryMethod: 'none that is listed' },
          { ...body, plu: 'NO-SUCH-TICKET' },
          { ...body, plu: undefined },
        ]),
  ]
}

/**
 * Who confirms: test credentials of transfers have no reference that could be kept, and those of hotels may have none,
 * since they book with every repeat.
 */
const sendersOf = ({ arrange }: V1Check): (() => Promise<Actor>)[] => {
  if (arrange.product === 'v1-transfers') return [() => replayed(arrange)]
  return [() => arrange.actor(), ...(arrange.trafficIsFree ? [() => arrange.actor('live')] : [])]
}

/** So many are left that nobody runs out of them. */
const PLENTY = 100

/** Number of times that a new attempt is made whose result is not known. */
const ATTEMPTS = 4

/**
 * Lets a confirmation fail and confirms again under its reference. A new attempt may have a result that is not known
 * yet, which reads like a reference that was kept; of several in a row, one is known.
 *
 * @param fail lets a confirmation fail that is sent with a reference, and returns what to confirm next
 */
async function confirmedAfter(
  { arrange, act }: V1Check,
  { by, inHeader = false }: { by: Actor; inHeader?: boolean },
  fail: (send: (body: JsonObject) => Promise<Exchange>) => Promise<JsonObject>,
): Promise<Exchange> {
  for (let attempt = 1; ; attempt++) {
    let reference = arrange.reference()
    const headers = { [REFERENCE_HEADER]: reference }
    const { answer } = await act.book({
      by,
      async body() {
        if (inHeader) return fail(body => repeat(arrange, by, body, headers))
        reference = arrange.reference()
        return fail(body => repeat(arrange, by, { ...body, external_reference: reference }))
      },
      ...(inHeader ? { key: null, headers, sameReference: true } : { key: () => reference }),
      ...(by.role === 'live' ? { judged: true } : {}),
    })
    if (by.role === 'live') await assumeSoldBeside(arrange, by, answer)
    if (!isInProgress(answer) || attempt === ATTEMPTS) return answer
    // What sells for real is never booked to compare.
    if (by.role !== 'live') await arrange.order({ actor: by })
  }
}

/** Lets confirmations fail, and decides that they have made no order, where the deployment counts them. */
async function madeNone(
  { arrange, control, claim }: V1Check,
  by: Actor,
  fail: () => Promise<readonly Exchange[]>,
): Promise<void> {
  const before = await control.counted(by)
  const refusals = await fail()
  const after = await control.counted(by)
  const clause = clauseFor('V1-IDEM-RELEASED', arrange.product)
  claim(clause, before === undefined || after === undefined || after <= before, {
    tried: `Confirming in vain, ${refusals.length} times`,
    expected: `${before} orders by the deployment's own count, as before`,
    observed: `${after}`,
    exchanges: refusals,
  })
}

/** Seconds after which it is known that an order was not made, and how far the clock is moved then. */
const [FAILS_AFTER, LATER] = [1, 90]

describe('external_reference: after a confirmation that failed', () => {
  test('the reference is free for one that is put right', {
    tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, expect } = context
    for (const sender of sendersOf(context)) {
      const by = await sender()
      const answer = await confirmedAfter(context, { by }, async send => {
        const offer = await arrange.offer({ actor: by })
        const body = arrange.anyBody(offer)
        await madeNone(context, by, async () => {
          const refusals: Exchange[] = []
          for (const faulty of arrange.drawn(spoiled(context, offer, body), 4)) {
            const refused = await send(faulty)
            assume.refused(refused, 'a confirmation with a fault')
            if (isInProgress(refused)) break
            refusals.push(refused)
          }
          return refusals
        })
        // Meanwhile its price may have changed.
        return arrange.anyBody(await arrange.requoted(offer, by))
      })
      expect(answer).toSucceed()
      expect(answer).not.toBeFlagged('idempotent_replay')
    }
  })

  for (const [kind, what] of [
    ['refused', 'a refusal'],
    ['expired', 'the end of a rate'],
    ['providerError', 'a failure'],
    ['providerUnavailable', 'an outage'],
  ] as const) {
    test(`the same confirmation is a new attempt, after ${what} of the source`, {
      tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
      kinds: EVERY_V1_KIND,
    }, async context => {
      const { arrange, control, expect } = context
      for (const sender of sendersOf(context)) {
        const by = await sender()
        const inHeader = kind === 'providerError'
        const answer = await confirmedAfter(context, { by, inHeader }, async send => {
          const body = arrange.anyBody(await arrange.offer({ actor: by }))
          await madeNone(context, by, async () => {
            await control.setOutcome(by, 'book', { kind })
            const failed = await send(body)
            // What the market refused before its source was asked would leave the outcome to the repeat.
            await control.takeBackOutcomes()
            // A result that is not known yet is no failure.
            assume(!isInProgress(failed), 'a confirmation that fails')
            assume(failed.response.status >= 400, 'control that lets a confirmation fail')
            return [failed]
          })
          return kind === 'expired' ? arrange.anyBody(await arrange.offer({ actor: by })) : body
        })
        expect(answer).toSucceed()
        expect(answer).not.toBeFlagged('idempotent_replay')
      }
    })
  }

  test('for want of anything left, it is a new attempt where there is some again', {
    tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, control, expect } = context
    const by = await replayed(arrange)
    const answer = await confirmedAfter(context, { by }, async send => {
      const offer = await arrange.offer({ actor: by })
      await madeNone(context, by, async () => {
        await control.setStock(by, offer.productId, 0)
        const refused = await send(arrange.anyBody(offer))
        assume(refused.response.status >= 400, 'control that leaves nothing to sell')
        await control.setStock(by, offer.productId, PLENTY)
        return [refused]
      })
      return arrange.anyBody(await arrange.requoted(offer, by))
    })
    expect(answer).toSucceed()
    expect(answer).not.toBeFlagged('idempotent_replay')
  })

  test('whose result was not known, it is a new attempt once that is known', {
    tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, control, expect, claim } = context
    control.require('advanceClock')
    const by = await replayed(arrange)
    let before: number | undefined
    const answer = await confirmedAfter(context, { by }, async send => {
      const body = arrange.anyBody(await arrange.offer({ actor: by }))
      await control.setOutcome(by, 'book', { kind: 'unknown', settles: 'failed', afterSeconds: FAILS_AFTER })
      const unknown = await send(body)
      await control.takeBackOutcomes()
      assume(unknown.response.status >= 400, 'control that keeps a result from being known')
      await control.advanceClock(by, LATER)
      before = await control.counted(by)
      return arrange.anyBody(await arrange.offer({ actor: by }))
    })
    assume(!isInProgress(answer), 'a confirmation whose result comes to be known')
    expect(answer).toSucceed()
    expect(answer).not.toBeFlagged('idempotent_replay')
    const after = await control.counted(by)
    claim(clauseFor('V1-IDEM-RELEASED', arrange.product), before === undefined || after !== before, {
      tried: 'Confirming again what was not made after all',
      expected: `one order more than ${before} by the deployment's own count`,
      observed: `${after}`,
      answer,
    })
  })
})
