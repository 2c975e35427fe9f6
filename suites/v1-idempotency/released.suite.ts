import {
  claimNoneMore,
  isInProgress,
  PEOPLE,
  PUT_RIGHT,
  UNKNOWN_ID,
} from '../../fixtures/check/buying/index.ts'
import {
  assumeSoldBeside,
  claimRefused,
  clauseOf,
  type HotelArrange,
  offerAmong,
  type Park,
  type ParkACheck,
  type ParkAOffer,
  REFERENCE_HEADER,
  repeat,
  replayed,
  roomsTogether,
  type V1Family,
  type V1Offer,
  type V1OfferOf,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { type JsonObject, sumOf, textOf } from '../../fixtures/contracts/index.ts'
import type { V1Product } from '../../fixtures/service/index.ts'
import {
  type Actor,
  assume,
  clauseFor,
  describe,
  EVERY_V1_KIND,
  type Exchange,
  orOrdinary,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

type TransferArrange = V1Check<'v1-transfers'>['arrange']

/**
 * The clause that a confirmation with such a fault is refused, if there is one, and a function that adds the fault; it
 * returns `undefined` if the request has no place for it.
 */
type Fault = readonly [
  clause: ClauseId | undefined,
  spoil: (body: JsonObject, arrange: V1Check['arrange'], offer: V1Offer) => JsonObject | undefined,
]

const withField =
  (change: JsonObject): Fault[1] =>
  body => ({ ...body, ...change })

const atAnotherPrice: Fault[1] = body => ({ ...body, total_amount: Number(body.total_amount) + 100 })

const withPassengers =
  (change: (pax: readonly JsonObject[], body: JsonObject) => readonly JsonObject[]): Fault[1] =>
  body => ({ ...body, pax: change(Array.isArray(body.pax) ? body.pax : [], body) })

const transferWith =
  (
    change: (
      offer: V1OfferOf<'v1-transfers'>,
      arrange: TransferArrange,
    ) => Partial<V1OfferOf<'v1-transfers'>> & Parameters<TransferArrange['adapter']['altered']>[1],
  ): Fault[1] =>
  (body, anyArrange, anyOffer) => {
    const [arrange, offer] = [anyArrange as unknown as TransferArrange, anyOffer as V1OfferOf<'v1-transfers'>]
    const changed = change(offer, arrange)
    const altered = arrange.adapter.altered({ ...offer, ...changed }, changed)
    return textOf(altered) === textOf(body) ? undefined : altered
  }

const ofTickets = (product: Park): Fault[] => [
  [clauseOf(product, 'CONFIRM-TOTAL-CENT'), atAnotherPrice],
  [clauseOf(product, 'CONFIRM-PAX-COUNT'), withPassengers(pax => [...pax, ...pax])],
  [clauseOf(product, 'PAX-SURNAME'), withPassengers(pax => pax.map(one => ({ ...one, surname: undefined })))],
]

/** Faults for which every confirmation of a product is refused. Different code may release the reference for each. */
const FAULTS: Record<V1Product, readonly Fault[]> = {
  'v1-hotels': [
    ['V1-HOTEL-CONFIRM-HOLDER-REQUIRED', withField({ bookingHolder: undefined })],
    ['V1-HOTEL-CONFIRM-RATEKEY-REQUIRED', withField({ ratekey: undefined })],
    [undefined, withField({ ratekey: ['none-that-was-found'] })],
    [
      'V1-HOTEL-CONFIRM-REPETITION',
      ({ ratekey, ...body }) => {
        const [key, ...others] = ratekey as unknown[]
        return others.length === 1 && others[0] === key ? { ...body, ratekey: [key, key, key] } : undefined
      },
    ],
  ],
  'v1-transfers': [
    ['V1-TRANSFER-CONFIRM-TOTAL', atAnotherPrice],
    [
      'V1-TRANSFER-CONFIRM-PASSENGER',
      transferWith(() => ({ passengers: [{ ...PEOPLE[0]!, firstName: '', lastName: '' }] })),
    ],
    ['V1-TRANSFER-CONFIRM-LEAD-TIME', transferWith(() => ({ date: '2020-01-01' }))],
    [
      undefined,
      transferWith(({ productData }) => ({
        productData: { ...productData, transfer: { ...productData.transfer, id: UNKNOWN_ID } },
      })),
    ],
    [
      'V1-TRANSFER-CONFIRM-CAPACITY',
      transferWith(({ productData }, { adapter }) => {
        const capacity = adapter.capacity(productData.transfer)
        return capacity === undefined ? {} : { people: { adults: capacity + 1, children: 0 } }
      }),
    ],
  ],
  // These rules about tickets and delivery belong to one operator each.
  'v1-park-a': [
    ...ofTickets('v1-park-a'),
    [
      'V1-PARK-A-AGE-ADULT-BELOW',
      withPassengers((pax, { date }) => pax.map(one => ({ ...one, birthdate: date }))),
    ],
    ['V1-PARK-A-ERR-CODE-UNKNOWN', withField({ product_id_adult: 'NO-SUCH-TICKET' })],
    ['V1-PARK-A-CONFIRM-TICKETS-MOST', withField({ adults: 41 })],
    ['V1-PARK-A-CONFIRM-DATE-PAST', withField({ date: '2020-01-01' })],
    [
      'V1-PARK-A-ERR-NO-CHILD-FARE',
      (body, _, offer) => {
        const { product_id_adult: product_id_child, date, pax } = body
        const [adult] = pax as readonly JsonObject[]
        const birthdate = `${Number(String(date).slice(0, 4)) - 7}-01-20`
        const total_amount = sumOf([offer.total, offer.total / offer.people.adults])
        const child = { ...adult, type: 'child', birthdate }
        return (offer as ParkAOffer).productData.family.child === undefined
          ? { ...body, product_id_child, children: 1, total_amount, pax: [...(pax as []), child] }
          : undefined
      },
    ],
  ],
  'v1-park-b': [
    ...ofTickets('v1-park-b'),
    ['V1-PARK-B-CONFIRM-METHOD-LISTED', withField({ DeliveryMethod: 'none that is listed' })],
    ['V1-PARK-B-ERR-CODE-UNKNOWN', withField({ plu: 'NO-SUCH-TICKET' })],
    ['V1-PARK-B-CONFIRM-CODE-REQUIRED', withField({ plu: undefined })],
  ],
}

/** Finds an offer for the faults: rooms with a grouped rate, a ticket without child fare, or an ordinary one. */
async function offerToSpoil(check: V1Check, by: Actor): Promise<V1OfferOf<V1Product>> {
  const { arrange } = check
  const ordinary = () => arrange.offer({ actor: by })
  const { product, trafficIsFree } = arrange
  if (!trafficIsFree) return ordinary()
  if (product === 'v1-hotels')
    return orOrdinary<V1OfferOf<V1Product>>(
      () => roomsTogether(arrange as unknown as HotelArrange, 2, { actor: by, most: 1 }),
      ordinary,
    )
  if (product !== 'v1-park-a') return ordinary()
  const suits = ({ child }: V1Family) => child === undefined
  const wish = { what: 'a ticket without child fare', suits, by }
  return orOrdinary<V1OfferOf<V1Product>>(() => offerAmong(check as unknown as ParkACheck, wish), ordinary)
}

/**
 * Returns the senders: test credentials of transfers have no reference to keep, and those of hotels may have none, since
 * they book at every repeat.
 */
const sendersOf = ({ arrange }: V1Check): (() => Promise<Actor>)[] => {
  if (arrange.product === 'v1-transfers') return [() => replayed(arrange)]
  return [() => arrange.actor(), ...(arrange.trafficIsFree ? [() => arrange.actor('live')] : [])]
}

/** A stock that does not run out. */
const PLENTY = 100

/** The number of new attempts if the result is unknown, and where real orders cost. */
const [ATTEMPTS, PAID] = [6, 4]

/**
 * Makes a confirmation fail, and decides that another one with its reference makes an order. The result of a new attempt may
 * be unknown, which looks like a reference that was kept; several in a row are not all unknown.
 *
 * @param isKnownLate whether the result of the first one is known only later
 * @param fail makes a confirmation with a reference fail, and returns what to confirm next
 */
async function confirmedAfter(
  { arrange, act, expect }: V1Check,
  { by, inHeader = false, isKnownLate = false }: { by: Actor; inHeader?: boolean; isKnownLate?: boolean },
  fail: (send: (body: JsonObject) => Promise<Exchange>) => Promise<JsonObject>,
): Promise<Exchange> {
  for (let attempt = 1; ; attempt++) {
    let reference = arrange.reference()
    const headers = { [REFERENCE_HEADER]: reference }
    const { answer } = await act.book({
      by,
      async body() {
        headers[REFERENCE_HEADER] = reference = arrange.reference()
        if (inHeader) return fail(body => repeat(arrange, by, body, headers))
        return fail(body => repeat(arrange, by, { ...body, external_reference: reference }))
      },
      ...(inHeader ? { key: null, headers, sameReference: true } : { key: () => reference }),
      ...(by.role === 'live' ? { judged: true } : {}),
    })
    if (by.role === 'live') await assumeSoldBeside(arrange, by, answer)
    const costs = by.role === 'live' && !arrange.realIsFree
    if (!isInProgress(answer) || attempt === (costs ? PAID : ATTEMPTS)) {
      if (isKnownLate) assume(!isInProgress(answer), 'a confirmation whose result becomes known')
      expect(answer).toSucceed()
      expect(answer).not.toReplayRefused()
      return answer
    }
    // Where real bookings cost, none only serves comparison. The number varies: every nth result may be unknown.
    for (let other = attempt % 2; other <= 1 && !costs; other++) await arrange.order({ actor: by })
  }
}

/** Makes confirmations fail, and decides that they made no order, if the deployment reports a count. */
async function madeNone(
  { arrange, control, claim }: V1Check,
  by: Actor,
  fail: () => Promise<readonly Exchange[]>,
): Promise<void> {
  const before = await control.counted(by)
  const refusals = await fail()
  const after = await control.counted(by)
  const clause = clauseFor('V1-IDEM-RELEASED', arrange.product)
  const tried = `Confirming in vain, ${refusals.length} times`
  claimNoneMore({ claim }, clause, { tried, before, after, exchanges: refusals })
}

/** Seconds until the failure is known, and the move of the clock after that. */
const [FAILS_AFTER, LATER] = [1, 1 + PUT_RIGHT]

describe('external_reference: after a confirmation that failed', () => {
  test('the reference can be used for a corrected confirmation', {
    tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
    opportunistic: product => FAULTS[product].flatMap(([clause]) => clause ?? []),
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange } = context
    for (const sender of sendersOf(context)) {
      const by = await sender()
      await confirmedAfter(context, { by }, async send => {
        const offer = await offerToSpoil(context, by)
        const body = arrange.anyBody(offer)
        await madeNone(context, by, async () => {
          const refusals: Exchange[] = []
          for (const [clause, spoil] of arrange.drawn(FAULTS[arrange.product], 4)) {
            const spoilt = spoil(body, arrange, offer)
            if (spoilt === undefined) continue
            const refused = await send(spoilt)
            if (clause !== undefined)
              claimRefused(context, clause, { tried: 'Confirming with a fault', answer: refused })
            assume.refused(refused, 'a confirmation with a fault')
            if (isInProgress(refused)) break
            refusals.push(refused)
          }
          return refusals
        })
        // The price may have changed meanwhile.
        return arrange.anyBody(await arrange.requoted(offer, by))
      })
    }
  })

  for (const [kind, what] of [
    ['refused', 'a refusal by the supplier'],
    ['expired', 'its rate expired'],
    ['providerError', 'a failure of the supplier'],
    ['providerUnavailable', 'an outage of the supplier'],
    ['soldOut', 'the product sold out'],
    ['wrongTotal', 'a wrong total'],
  ] as const) {
    const isOutcome = kind !== 'soldOut' && kind !== 'wrongTotal'
    test(`the same confirmation is a new attempt after ${what}`, {
      tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
      // A confirmation of hotels states no total.
      kinds: kind === 'wrongTotal' ? ['v1-transfers', 'v1-park-a', 'v1-park-b'] : EVERY_V1_KIND,
    }, async context => {
      const { arrange, control } = context
      control.require(isOutcome ? 'setOutcome' : 'setStock')
      for (const sender of sendersOf(context)) {
        const by = await sender()
        await confirmedAfter(context, { by, inHeader: kind === 'providerError' }, async send => {
          const offer = await arrange.offer({ actor: by })
          const body = arrange.anyBody(offer)
          await madeNone(context, by, async () => {
            if (isOutcome) await control.setOutcome(by, 'book', { kind })
            // What a failed confirmation took, if it keeps it, is missing for the next one.
            if (control.offers('setStock'))
              await control.setStock(by, offer.productId, kind === 'soldOut' ? 0 : 1)
            const failed = await send(kind === 'wrongTotal' ? atAnotherPrice(body, arrange, offer)! : body)
            // An outcome left by a market refusal would affect the repeat.
            if (kind === 'soldOut') await control.setStock(by, offer.productId, PLENTY)
            else if (isOutcome) await control.takeBackOutcomes()
            // An unknown result is not a failure.
            assume(!isInProgress(failed), 'a confirmation that fails')
            assume(failed.response.status >= 400, 'control.setOutcome that makes a confirmation fail')
            return [failed]
          })
          if (kind === 'expired') return arrange.anyBody(await arrange.offer({ actor: by }))
          return kind === 'soldOut' ? arrange.anyBody(await arrange.requoted(offer, by)) : body
        })
      }
    })
  }

  test('a repeat is a new attempt once an unknown result turned out as a failure', {
    tags: product => [clauseFor('V1-IDEM-RELEASED', product)],
    kinds: EVERY_V1_KIND,
  }, async context => {
    const { arrange, control, expect } = context
    control.require('advanceClock')
    const by = await replayed(arrange)
    let before: number | undefined
    const answer = await confirmedAfter(context, { by, isKnownLate: true }, async send => {
      const body = arrange.anyBody(await arrange.offer({ actor: by }))
      await control.setOutcome(by, 'book', { kind: 'unknown', settles: 'failed', afterSeconds: FAILS_AFTER })
      const unknown = await send(body)
      await control.takeBackOutcomes()
      assume(unknown.response.status >= 400, 'control.setOutcome that keeps a result unknown')
      await control.advanceClock(by, LATER)
      before = await control.counted(by)
      return arrange.anyBody(await arrange.offer({ actor: by }))
    })
    const after = await control.counted(by)
    const isMore = before === undefined || after !== before
    const clause = clauseFor('V1-IDEM-RELEASED', arrange.product)
    expect(answer, clause).toGive(`one more than ${before} by the deployment's count`, isMore, `${after}`)
  })
})
