import { clauseFor } from '../../../fixtures/clauses/every-confirmation.ts'
import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { errorCode, flagged } from '../../../fixtures/contracts/reading.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import { ENDPOINTS } from '../../../fixtures/ground/endpoints.ts'
import type { ApiVersion } from '../../../fixtures/ground/exchange.ts'
import { isV1Product, productOf, type V1Product } from '../../../fixtures/ground/products.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import type { Operation } from '../../scenarios/lib/output.ts'
import { answered, broken, type Decision, kept, notExercised } from '../decision.ts'
import type { Answered } from '../judge.ts'
import { hasBooked, idIn, isRaced, type Race, racesOf, readingOf, whyUnraced } from './race.ts'
import { A_FEW, oneBooking, type Repeat, repeatsAfterwards } from './replays.ts'

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

/** Calls that book, and the clause that tells apart what was booked under different keys or references. */
const BOOKING: readonly { op: Operation; clause: ClauseId; inTestMode: boolean }[] = [
  { op: 'v2 book', clause: 'V2-IDEM-KEY-WHOLE', inTestMode: true },
  ...ENDPOINTS.flatMap(row => {
    if (row.version !== 'v1' || row.does !== 'books') return []
    const [product] = row.products
    // Test credentials of hotels and transfers are promised nothing of references.
    const inTestMode = product.startsWith('v1-park')
    return [{ op: row.id, clause: clauseFor('V1-IDEM-WHOLE-50', product), inTestMode }]
  }),
]

/** The clauses that ids decide. */
export const OWN_ID_CLAUSES: readonly ClauseId[] = BOOKING.map(({ clause }) => clause)

/** Decides whether different keys, or references, are told apart; nothing where too little was made. */
export const ownIds = (stages: Iterable<StageEvidence>): Answered[] => {
  const decisions = [...stages].flatMap(stage => BOOKING.flatMap(one => decide(stage, one) ?? []))
  return decisions.length === 0
    ? []
    : [answered('what is booked at the same time is not mixed up', decisions)]
}

function decide(
  stage: StageEvidence,
  { op, clause, inTestMode }: (typeof BOOKING)[number],
): Decision | undefined {
  const races = racesOf(stage, op)
  const made = races.flatMap(race => {
    const first = race.exchanges.find(exchange => ['created', 'replay'].includes(readingOf(exchange)))
    const isOne = first !== undefined && (inTestMode || first.sender.role === 'live')
    return isOne && idIn(first) !== undefined ? [first] : []
  })
  // Every request of a key has the same body. Keys with a booking are judged as races.
  const taken = races
    .filter(race => !hasBooked(race))
    .flatMap(({ exchanges }) => exchanges.filter(one => errorCode(one) === 'IDEMPOTENCY_KEY_REUSED'))
  if (taken.length > 0) {
    return broken(clause, {
      tried: `Sending ${races.length} keys, each with one body`,
      expected: 'none to be taken for another one',
      observed: `${taken.length} × 409 IDEMPOTENCY_KEY_REUSED`,
      exchanges: taken.slice(0, A_FEW),
    })
  }
  if (made.length < 2) return undefined
  // Each company may count its ids for itself.
  const nameOf = (one: LoadExchange) => JSON.stringify([one.sender.tenant ?? one.sender.role, idIn(one)])
  const mixed = [...Map.groupBy(made, nameOf).values()].filter(({ length }) => length > 1)
  const [worst] = mixed
  if (worst === undefined) return kept(clause)
  return broken(clause, {
    tried: `Booking ${made.length} times, each with a key or reference of its own`,
    expected: 'an id of its own for each',
    observed: `${mixed.length} ids that several have, such as ${idIn(worst[0]!)}`,
    exchanges: worst.slice(0, 4),
  })
}
