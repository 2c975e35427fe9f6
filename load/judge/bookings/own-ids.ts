import { clauseFor } from '../../../fixtures/clauses/every-confirmation.ts'
import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { errorCode } from '../../../fixtures/contracts/reading.ts'
import { ENDPOINTS } from '../../../fixtures/ground/endpoints.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import type { Operation } from '../../scenarios/lib/output.ts'
import { answered, broken, type Decision, kept } from '../decision.ts'
import type { Answered } from '../judge.ts'
import { A_FEW, hasBooked, idIn, racesOf, readingOf } from './race.ts'

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
