import { isMarketRefusal, v1ErrorsOf } from '../../fixtures/check/buying/legal-answers.ts'
import { outcomeOf } from '../../fixtures/check/evidence/outcome.ts'
import type { V1People } from '../../fixtures/check/v1/adapter.ts'
import type { V1OfferOf } from '../../fixtures/check/v1/adapters-by-product.ts'
import { attempt } from '../../fixtures/check/v1/refusals.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, type JsonObject } from '../../fixtures/contracts/reading.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import { assume, type V1Check } from '../../fixtures/test.ts'

export type ParkBCheck = V1Check<'v1-park-b'>
export type ParkBOffer = V1OfferOf<'v1-park-b'>

/** Changes a confirmation that is valid as it is. */
export type Alter = (body: JsonObject, offer: ParkBOffer) => JsonObject

/**
 * Decides whether an answer without rows shows no availability. Which status `success: false` comes with is open; an
 * error says something else, and so does what is said of a product that is not for sale.
 */
export function claimShownAsNone({ claim }: ParkBCheck, tried: string, answer: Exchange): void {
  const { status, json } = answer.response
  const isFalse = at(json, 'success') === false && !v1ErrorsOf(answer).includes('Product not found')
  claim('V1-PARK-B-PRICE-NONE', status < 400 || isFalse, {
    tried,
    expected: 'an answer without rows: empty eventResults, or success: false',
    observed: outcomeOf(answer),
    exchanges: [answer],
  })
}

/** A refusal that a market may give has to come so often in a row, beside others that are accepted. */
const ROUNDS = 6
/** Pairs that are sent at most. */
export const PAIRS = 10

interface Pair {
  clause: ClauseId
  /** As a finding says it: `Confirming with plu alone`. */
  tried: string
  /** Finds something to confirm, for each pair anew. */
  find(): Promise<ParkBOffer>
  /** What has to be accepted. */
  like: Alter
  /** The same in another way, which shows that nothing else is wrong with it. */
  otherwise: Alter
}

/**
 * Decides that a form of confirmation has to be accepted: it is broken where it is refused, and accepted otherwise.
 *
 * @throws Inconclusive where the other form is refused as well
 */
export async function claimAccepted(check: ParkBCheck, pair: Pair): Promise<void> {
  const { claim, arrange } = check
  const { clause, tried, find, like, otherwise } = pair
  const evidence: Exchange[] = []
  let unlike = 0
  for (let sent = 1; sent <= PAIRS; sent++) {
    const offer = await find()
    const answer = await attempt(check, like(arrange.anyBody(offer), offer))
    const held = answer.response.status < 300
    if (held) {
      claim(clause, true, { tried, expected: 'an order', observed: 'one', exchanges: [answer] })
      return
    }
    const other = await attempt(check, otherwise(arrange.anyBody(offer), offer))
    if (other.response.status >= 300) continue
    unlike++
    evidence.push(answer, other)
    if (isMarketRefusal(answer) && unlike < ROUNDS) continue
    claim(clause, false, {
      tried,
      expected: `an order, as for the same in another form (exchange ${other.id})`,
      observed: outcomeOf(answer),
      exchanges: evidence.slice(-2),
    })
  }
  assume(false, 'a confirmation that is accepted in one form at least')
}

/**
 * Finds tickets for several people. That no row has so much capacity left says nothing of what is sold at all.
 *
 * @throws Inconclusive where there is none
 */
export async function offerForGroup({ arrange }: ParkBCheck, people: V1People): Promise<ParkBOffer> {
  const one = await arrange.offer()
  const offer = arrange.adapter.quotedAs({ ...one, people }, one.exchange)
  assume(offer !== undefined, `a ticket of operator B for ${people.adults + people.children}`)
  return offer
}

/** People of a confirmation: a list of so many passengers. */
export const passengers = (adults: number, children: number): JsonObject[] => [
  ...Array.from({ length: adults }, () => ({ name: 'Ana', surname: 'Paz', type: 'adult' })),
  ...Array.from({ length: children }, () => ({ name: 'Kim', surname: 'Paz', type: 'child' })),
]

/** Returns an amount that is a whole number of cents. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100

/**
 * Returns an answer that control was asked to make a refusal. Control may be accepted without effect: what succeeds
 * then shows nothing.
 *
 * @throws Inconclusive for a success
 */
export function refusedAsArranged(answer: Exchange): Exchange {
  assume(answer.response.status >= 400, 'control whose outcomes have an effect')
  return answer
}
