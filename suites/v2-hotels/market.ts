import type { Exchange } from '../../fixtures/client/exchange.ts'
import { errorCode } from '../../fixtures/contracts/reading.ts'
import type { Bench } from '../../fixtures/test.ts'

/** Refusals that say that somebody else was quicker, or the supplier changed its mind. */
const MOVED: readonly unknown[] = ['PRICE_CHANGED', 'NO_AVAILABILITY', 'OFFER_EXPIRED']

/** How often a market may move away while a check books. */
const TRIES = 3

/**
 * Books, with new offers where the market moved on meanwhile: rooms are never held, and only where nobody else buys
 * is every such refusal one too many. Passes the last answer on.
 */
export async function inAMovingMarket(
  { given }: Pick<Bench, 'given'>,
  book: () => Promise<Exchange>,
): Promise<Exchange> {
  let answer = await book()
  for (let tried = 1; tried < (given.trafficIsFree ? 1 : TRIES); tried++) {
    if (answer.response.status !== 409 || !MOVED.includes(errorCode(answer))) break
    answer = await book()
  }
  return answer
}
