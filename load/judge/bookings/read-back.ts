import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { at, textOf } from '../../../fixtures/contracts/reading.ts'
import { v1IdIn } from '../../../fixtures/ground/ids.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import type { Operation } from '../../scenarios/lib/output.ts'
import { answered, broken, type Decision, kept } from '../decision.ts'
import type { Answered } from '../judge.ts'

/** How orders of v1 are created, and asked for by their ids. */
interface Reading {
  clause: ClauseId
  makes: Operation
  reads: Operation
  /** Returns whether an answer shows that it is there. */
  isThere(answer: LoadExchange): boolean
}

/** Returns the id of the order that an answer created; `undefined` if it created none. */
const madeBy = ({ response: { status, json } }: LoadExchange) => (status === 200 ? v1IdIn(json) : undefined)
const isConfirmed = ({ response }: LoadExchange) => at(response.json, 'booking.status') === 'confirmed'
const isServed = ({ response }: LoadExchange) => response.status === 200

const READINGS: readonly Reading[] = (
  [
    ['V1-HOTEL-STATE-CONFIRMED', 'v1 hotel confirm', 'v1 hotel booking', isConfirmed],
    // Whether a simulated order of operator B has a voucher is open.
    ['V1-TRANSFER-PDF', 'v1 transfer confirm', 'v1 transfer voucher', isServed],
    ['V1-PARK-A-PDF', 'v1 park A confirm', 'v1 park A voucher', isServed],
  ] as const
).map(([clause, makes, reads, isThere]) => ({ clause, makes, reads, isThere }))

/** Returns the id of the order that a request asks for. */
function idAskedFor(path: string): string {
  const query = new URLSearchParams(path.split('?')[1])
  return query.get('id_orden') ?? query.get('order_id') ?? ''
}

/** The clauses that reading back decides. */
export const READ_BACK_CLAUSES: readonly ClauseId[] = READINGS.map(({ clause }) => clause)

/**
 * Decides whether bookings are found by the company that made them, if any were asked for. Overload, suppliers and
 * limits may cause errors, but never "not found". The content is judged by passive rules, and so are bookings of v2.
 */
export const readBack = (stages: Iterable<StageEvidence>): Answered[] => {
  const decisions = [...stages].flatMap(stage => READINGS.flatMap(reading => decide(stage, reading) ?? []))
  return decisions.length === 0 ? [] : [answered('what was booked is found by who booked it', decisions)]
}

function decide({ exchanges }: StageEvidence, reading: Reading): Decision | undefined {
  const { clause, makes, reads, isThere } = reading
  const done = new Map<string, LoadExchange>()
  for (const exchange of exchanges) {
    const id = exchange.op === makes ? madeBy(exchange) : undefined
    if (id !== undefined) done.set(nameOf(exchange, textOf(id)), exchange)
  }
  const found = exchanges.flatMap(answer => {
    if (answer.op !== reads) return []
    const isMissing = answer.response.status === 404 && answer.response.json !== undefined
    if (!isMissing && !isThere(answer)) return []
    const before = done.get(nameOf(answer, idAskedFor(answer.request.path)))
    return before === undefined ? [] : [{ before, answer }]
  })
  if (found.length === 0) return undefined
  const lost = found.filter(({ answer }) => answer.response.status === 404)
  const [first] = lost
  if (first === undefined) return kept(clause)
  return broken(clause, {
    tried: `Sending ${reads} for ${found.length} bookings that had been made`,
    expected: 'each to be found',
    observed: `${lost.length} × 404`,
    exchanges: [first.before, first.answer],
  })
}

/** Returns a name that is unique across companies. */
const nameOf = ({ sender }: LoadExchange, id: string): string =>
  JSON.stringify([sender.role, sender.tenant, id])
