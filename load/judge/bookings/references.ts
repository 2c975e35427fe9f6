import { clauseFor } from '../../../fixtures/clauses/every-confirmation.ts'
import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { flagged } from '../../../fixtures/contracts/reading.ts'
import type { Product } from '../../../fixtures/control.ts'
import type { ApiVersion } from '../../../fixtures/exchange.ts'
import type { Fact } from '../../../fixtures/record-load.ts'
import { isV1Product, productOf, type V1Product } from '../../../fixtures/service/products.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { answered, broken, type Decision, kept, notExercised } from '../decision.ts'
import type { Answered } from '../judge.ts'
import { A_FEW, oneBooking } from './one-booking.ts'
import { hasBooked, idIn, isRaced, isUncertain, type Race, readingOf, whyUnraced } from './race.ts'
import { type Repeat, repeatsAfterwards } from './replays.ts'

/** Returns the clauses about a reference that is sent many times (part 3.5). */
export const referenceClauses = (product: V1Product) =>
  ({
    neverTwo: clauseFor('V1-IDEM-NEVER-TWO', product),
    order: clauseFor('V1-IDEM-REPLAY-ORDER', product),
    status: clauseFor('V1-IDEM-REPLAY-STATUS', product),
    flag: clauseFor('V1-IDEM-REPLAY-FLAG', product),
  }) as const satisfies Record<string, ClauseId>

/** Returns the clauses of what cannot be booked, of a product or in an API version: they stand for all that it leaves open. */
export const clausesOfBookings = (what: Product | ApiVersion): readonly ClauseId[] =>
  isV1Product(what) ? Object.values(referenceClauses(what)) : ['V2-BOOK-READ-SAME']

/**
 * Judges the references of a product: at most one order for each, and replays once it was shown. Other answers
 * while the first request runs are a matter of chance and not judged.
 *
 * @param made the number of orders that the deployment counted; `undefined` if unknown
 * @param leftOut why none was sent
 */
export function judgeReferences(
  product: V1Product,
  races: readonly Race[],
  made: number | undefined,
  leftOut: string | undefined,
): Answered[] {
  const clauses = referenceClauses(product)
  const title = `${productOf(product).title}: one reference makes one order, however often it is sent at once`
  const nothing = (why: string) => [
    answered(
      title,
      Object.values(clauses).map(clause => notExercised(clause, why)),
    ),
  ]
  if (leftOut !== undefined) return nothing(leftOut)
  if (!races.some(race => hasBooked(race) && isRaced(race))) return nothing(whyUnraced(races, 'reference'))
  const repeats = races.flatMap(repeatsAfterwards)
  const again = repeats.filter(
    ({ shown, repeat }) => idIn(repeat) !== undefined && idIn(repeat) !== idIn(shown),
  )
  const orderedAgain = new Set(again.map(({ repeat }) => repeat))
  // Orders of later repeats are not part of the race.
  const atOnce = races.map(race => ({
    ...race,
    exchanges: race.exchanges.filter(exchange => !orderedAgain.has(exchange)),
  }))
  return [
    answered(title, [
      oneBooking(clauses.neverTwo, atOnce, again.length > 0 ? undefined : made, 'reference'),
      replayed(clauses.order, repeats, 'the same order', ({ shown, repeat }) =>
        orderedAgain.has(repeat) ? `order ${idIn(repeat)} for order ${idIn(shown)}` : undefined,
      ),
      replayed(clauses.status, repeats, 'a replay with 200', ({ repeat: { response } }) =>
        response.status === 200 ? undefined : String(response.status),
      ),
      replayed(clauses.flag, repeats, 'idempotent_replay: true', ({ repeat }) =>
        repeat.response.status >= 300 || orderedAgain.has(repeat) || flagged(repeat, 'idempotent_replay')
          ? undefined
          : 'none',
      ),
    ]),
  ]
}

/** Decides a clause for repeats of an order that an earlier answer showed. */
function replayed(
  clause: ClauseId,
  repeats: readonly Repeat[],
  expected: string,
  faultOf: (repeat: Repeat) => string | undefined,
): Decision {
  if (repeats.length === 0) return notExercised(clause, 'nothing was repeated after its order was shown')
  const wrong = repeats.flatMap(repeat => {
    const fault = faultOf(repeat)
    return fault === undefined ? [] : [{ ...repeat, fault }]
  })
  const [first] = wrong
  if (first === undefined) return kept(clause)
  return broken(clause, {
    tried: `Repeating ${repeats.length} confirmations that had been answered with an order`,
    expected,
    observed: `${first.fault}, ${wrong.length} of them`,
    exchanges: [first.shown, ...wrong.slice(0, A_FEW).map(({ repeat }): LoadExchange => repeat)],
  })
}

/** Yields facts about the references of a product. */
export function* factsOfReferences(product: V1Product, races: readonly Race[]): Generator<Fact> {
  const { title } = productOf(product)
  const all = races.flatMap(({ exchanges }) => exchanges)
  yield { name: `${title}: references`, value: races.length }
  yield { name: `${title}: references that ordered`, value: races.filter(hasBooked).length }
  const uncertain = races.filter(isUncertain).length
  if (uncertain > 0) yield { name: `${title}: references whose result is unknown`, value: uncertain }
  for (const answer of ['created', 'replay', 'in progress', 'beside the point'] as const) {
    const count = all.filter(exchange => readingOf(exchange) === answer).length
    if (count > 0) yield { name: `${title}: answers, ${answer}`, value: count }
  }
}
