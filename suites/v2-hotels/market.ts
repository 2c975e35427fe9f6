import type { Exchange } from '../../fixtures/client/exchange.ts'
import { errorCode, problemFields } from '../../fixtures/contracts/reading.ts'
import type { Bench } from '../../fixtures/test.ts'

/** Refusals that say that somebody else was quicker, or the supplier changed its mind. */
const MOVED: readonly unknown[] = ['PRICE_CHANGED', 'NO_AVAILABILITY', 'OFFER_EXPIRED']
/** Refusals that say that the supplier could not be asked. */
const AWAY: readonly unknown[] = ['PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE']

/** How often a market may move away while a check books. */
const TRIES = 3

/** What a hotel wants to know of its guests is not shown: the definition says it. */
const ASKS_FOR_MORE = /\.(travelers|options|logistics)\b/

/**
 * Books, with new offers where the market moved on meanwhile: rooms are never held, and only where nobody else buys
 * is every such refusal one too many. Passes the last answer on.
 *
 * @throws Stop where the supplier is away, or the definition's travelers are not what the hotel asks for
 */
export async function inAMovingMarket(
  { given }: Pick<Bench, 'given'>,
  book: () => Promise<Exchange>,
): Promise<Exchange> {
  let answer = await book()
  for (let tried = 1; tried < (given.trafficIsFree ? 1 : TRIES); tried++) {
    if (![...MOVED, ...AWAY].includes(errorCode(answer))) break
    answer = await book()
  }
  if (AWAY.includes(errorCode(answer))) throw given.lacking('a supplier that can be asked')
  const fields = answer.response.status === 400 ? problemFields(answer) : []
  if (fields.length > 0 && fields.every(field => ASKS_FOR_MORE.test(field))) {
    given.accepted(answer, 'a booking with all that the hotel asks for (shapes.hotels of the definition)')
  }
  return answer
}
