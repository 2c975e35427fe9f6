import { endOf } from '../../fixtures/checkers/endpoint.ts'
import { at, bookingOf, errorCode, flagged, textOf } from '../../fixtures/contracts/reading.ts'
import { type Exchange, header } from '../../fixtures/ground/exchange.ts'
import { referenceIn, v1IdIn } from '../../fixtures/ground/ids.ts'
import type { Operation } from '../../fixtures/ground/logged.ts'

/** The meaning of an answer to a booking request. */
export type BookingAnswer =
  | 'created'
  | 'replay'
  | 'pending'
  | 'in progress'
  /** Says nothing of what was booked. Whether a key may be answered so, the model judges. */
  | 'beside the point'

/** A booking request: one of several with its key or reference. */
export interface Copy {
  /** The key or reference, with whoever sent it. */
  name: string
  /** Absent if there was no answer. */
  says?: BookingAnswer
  /** The id of the booking or order in the answer. The same id may be a number first and text later. */
  id?: string
  /** Whether the answer says that the key is that of another request. */
  isTaken?: true
  /** When the answer was there, in epoch milliseconds. */
  heardAt: number
}

/** Returns what an answer to a booking request says about its key or reference. */
function readingOf(exchange: Exchange): BookingAnswer {
  if (exchange.version === 'v1') return v1ReadingOf(exchange)
  const { status } = exchange.response
  if (status === 201) return 'created'
  if (status === 202) return 'pending'
  if (status === 200 && flagged(exchange, 'idempotent_replay')) return 'replay'
  return errorCode(exchange) === 'BOOKING_IN_PROGRESS' ? 'in progress' : 'beside the point'
}

/** In v1 a market may refuse anything with any words. An answer may be unreadable. */
function v1ReadingOf(exchange: Exchange): BookingAnswer {
  const { status, json } = exchange.response
  if (status === 429 || status >= 500 || json === undefined) return 'beside the point'
  if (status < 300) return flagged(exchange, 'idempotent_replay') ? 'replay' : 'created'
  const words = [at(json, 'error'), at(json, 'message')]
  return words.includes('ORDER_CONFIRMATION_IN_PROGRESS') ? 'in progress' : 'beside the point'
}

function idIn(exchange: Exchange): string | undefined {
  const id = exchange.version === 'v1' ? v1IdIn(exchange.response.json) : bookingOf(exchange)?.booking_id
  return id === undefined ? undefined : textOf(id)
}

type Sent = Omit<Exchange, 'response'> & { op: Operation; response?: Exchange['response'] }

const isAnswered = (sent: Sent): sent is Sent & Exchange => sent.response !== undefined

/** Returns a booking request in short; `undefined` for any other request, and one without a key. */
export function copyOf(sent: Sent): Copy | undefined {
  const { op, request, sender } = sent
  const { headers, body } = request
  const isOfV2 = op === 'v2 book'
  if (!isOfV2 && !op.endsWith(' confirm')) return undefined
  const key = isOfV2
    ? header(headers, 'idempotency-key')
    : referenceIn(Buffer.from(body ?? []).toString('utf8'))
  if (key === null || key === undefined) return undefined
  const name = JSON.stringify([sender.tenant ?? sender.role, key])
  if (!isAnswered(sent)) return { name, heardAt: Date.parse(sent.startedAt) + sent.milliseconds }
  const id = idIn(sent)
  return {
    name,
    says: readingOf(sent),
    ...(id !== undefined && { id }),
    ...(errorCode(sent) === 'IDEMPOTENCY_KEY_REUSED' && { isTaken: true }),
    heardAt: endOf(sent),
  }
}
