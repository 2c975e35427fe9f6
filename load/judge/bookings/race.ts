import { endOf } from '../../../fixtures/checkers/endpoint.ts'
import { at, bookingOf, errorCode, flagged, textOf } from '../../../fixtures/contracts/reading.ts'
import { type Exchange, header } from '../../../fixtures/ground/exchange.ts'
import { referenceIn, v1IdIn } from '../../../fixtures/ground/ids.ts'
import type { Fact } from '../../../fixtures/ground/record-load.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import type { Operation } from '../../scenarios/lib/output.ts'

/** The number of exchanges that a finding about a race cites. */
export const A_FEW = 4

/** The meaning of an answer to a booking request. */
type BookingAnswer =
  | 'created'
  | 'replay'
  | 'pending'
  | 'in progress'
  /** Says nothing of what was booked. Whether a key may be answered so, the model judges. */
  | 'beside the point'

/** All requests with one key. */
export interface Race {
  /** In the order of sending. */
  exchanges: readonly LoadExchange[]
  /** The number of requests without an answer. */
  unanswered: number
}

/**
 * Returns why races show nothing, if none of them had concurrent requests and a booking.
 *
 * @param what the value that the requests share
 */
export const whyUnraced = ({ length }: readonly Race[], what: 'key' | 'reference'): string =>
  length === 0
    ? `no request with a ${what} was sent, because nothing bookable was found, or the load ended first`
    : `none of ${length} ${what}s was ${what === 'key' ? 'booked' : 'ordered'} by requests that ran at the same time`

/** Returns what an answer to a booking request says about its key or reference. */
export const readingOf = (exchange: Exchange): BookingAnswer =>
  exchange.version === 'v1' ? v1ReadingOf(exchange) : v2ReadingOf(exchange)

function v2ReadingOf(exchange: Exchange): BookingAnswer {
  const { status } = exchange.response
  if (status === 201) return 'created'
  if (status === 202) return 'pending'
  if (status === 200 && flagged(exchange, 'idempotent_replay')) return 'replay'
  return errorCode(exchange) === 'BOOKING_IN_PROGRESS' ? 'in progress' : 'beside the point'
}

/** In v1 a market may refuse anything with any words. An answer may be unreadable, or too long to be kept. */
function v1ReadingOf(exchange: Exchange): BookingAnswer {
  const { status, json } = exchange.response
  if (status === 429 || status >= 500 || json === undefined) return 'beside the point'
  if (status < 300) return flagged(exchange, 'idempotent_replay') ? 'replay' : 'created'
  const words = [at(json, 'error'), at(json, 'message')]
  return words.includes('ORDER_CONFIRMATION_IN_PROGRESS') ? 'in progress' : 'beside the point'
}

/** Returns the booking requests of a stage, grouped by key or reference. */
export function racesOf({ exchanges, failures, plan }: StageEvidence, op: Operation = 'v2 book'): Race[] {
  const groups = new Map<string, { exchanges: LoadExchange[]; unanswered: number }>()
  const groupOf = (sender: string | undefined, key: string | null | undefined) => {
    if (key === null || key === undefined) return undefined
    const name = JSON.stringify([sender, key])
    if (!groups.has(name)) groups.set(name, { exchanges: [], unanswered: 0 })
    return groups.get(name)
  }
  for (const exchange of exchanges) {
    if (exchange.op !== op) continue
    const { tenant, role } = exchange.sender
    const { headers, body } = exchange.request
    const key =
      op === 'v2 book' ? header(headers, 'idempotency-key') : referenceIn(Buffer.from(body ?? []).toString())
    groupOf(tenant ?? role, key)?.exchanges.push(exchange)
  }
  for (const failure of failures) {
    if (failure.op !== op) continue
    const sender = plan.senders.find(({ alias }) => alias === failure.who)
    const headers = Object.entries(failure.request.headers)
    const key = op === 'v2 book' ? header(headers, 'idempotency-key') : failure.reference
    const group = groupOf(sender?.tenant ?? sender?.role, key)
    if (group !== undefined) group.unanswered++
  }
  return [...groups.values()]
}

/** Returns whether the answers of a key show a booking or a pending one. */
export const hasBooked = ({ exchanges }: Race): boolean =>
  exchanges.some(({ response }) => response.status >= 200 && response.status < 300)

/** Returns the requests of a key that were sent before the answer arrived that created its booking. */
export function repeatsOf({ exchanges }: Race): LoadExchange[] {
  const created = exchanges.find(exchange => readingOf(exchange) === 'created')
  if (created === undefined) return []
  const answeredAt = endOf(created)
  return exchanges.filter(exchange => exchange !== created && Date.parse(exchange.startedAt) <= answeredAt)
}

/** Returns whether a key may have made a booking that no answer shows. */
export const isUncertain = (race: Race): boolean =>
  !hasBooked(race) &&
  (race.unanswered > 0 ||
    race.exchanges.some(exchange => exchange.response.status >= 500 || readingOf(exchange) === 'in progress'))

/** Returns whether two requests of a key ran concurrently. */
export function isRaced({ exchanges }: Race): boolean {
  const spans = exchanges
    .map(({ startedAt, milliseconds }) => ({ from: Date.parse(startedAt), milliseconds }))
    .sort((one, other) => one.from - other.from)
  let until = Number.NEGATIVE_INFINITY
  for (const { from, milliseconds } of spans) {
    if (from < until) return true
    until = Math.max(until, from + Math.max(milliseconds, 1))
  }
  return false
}

/** Returns how many bookings the answers of a key show. */
export const bookedBy = (race: Race): number =>
  Math.max(Number(hasBooked(race)), new Set(race.exchanges.flatMap(one => idIn(one) ?? [])).size)

/** Returns the id of the booking or order in an answer. The same id may be a number first and text later. */
export function idIn(exchange: Exchange): string | undefined {
  const id = exchange.version === 'v1' ? v1IdIn(exchange.response.json) : bookingOf(exchange)?.booking_id
  return id === undefined ? undefined : textOf(id)
}

/** Yields how many keys or references there were, and what they were answered. */
export function* factsOfRaces(
  prefix: string,
  what: 'keys' | 'references',
  races: readonly Race[],
): Generator<Fact> {
  yield { name: `${prefix}${what}`, value: races.length }
  yield { name: `${prefix}${what} with concurrent requests`, value: races.filter(isRaced).length }
  yield { name: `${prefix}${what} that booked`, value: races.filter(hasBooked).length }
  const uncertain = races.filter(isUncertain).length
  if (uncertain > 0) yield { name: `${prefix}${what} whose result is unknown`, value: uncertain }
  const answers = Map.groupBy(races.flatMap(({ exchanges }) => exchanges).map(readingOf), answer => answer)
  for (const [answer, { length }] of answers) yield { name: `${prefix}answers: ${answer}`, value: length }
  const unanswered = races.reduce((sum, race) => sum + race.unanswered, 0)
  if (unanswered > 0) yield { name: `${prefix}requests without an answer`, value: unanswered }
}
