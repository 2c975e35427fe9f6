import { sleep } from 'k6'
import exec from 'k6/execution'
import http, { type RefinedResponse } from 'k6/http'
import type { BookingId } from '../../../fixtures/client/requests/sales.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import { isUsableId, v1IdIn } from '../../../fixtures/ground/ids.ts'
import type { Bookable } from './finding.ts'
import { type Call, callOf, type Iteration, saleOf } from './iteration.ts'
import { type Answer, prepared, send } from './send.ts'

/**
 * The booking gate's id of a booking; absent if nothing is journalled. `alone`: it may be sent only once, since
 * test mode is not proven yet.
 */
type Intent = { id: string; alone: boolean } | undefined

/** Has a booking journalled before it is sent. If the gate refuses, the whole run ends. @throws k6's abort */
export function intend({ plan, who }: Iteration, { product, kind }: Bookable, call: Call): Intent {
  if (plan.gate === undefined) return undefined
  const { headers, body } = prepared(call)
  const answer = tell(plan.gate, '/intend', { who, product, kind, path: call.path, headers, body })
  const { id, alone, stop } = contentOf(answer)
  if (answer.status === 200 && typeof id === 'string') return { id, alone: alone === true }
  exec.test.abort(
    typeof stop === 'string'
      ? stop
      : `A booking was not sent, because it could not be journalled: the gate answered ${answer.status}.`,
  )
}

/**
 * Reports the result of a booking to the gate, repeats it if the gate asks for it (to prove test mode), and returns
 * the last answer.
 */
export function settle(
  { plan }: Pick<Iteration, 'plan'>,
  intent: Intent,
  answer: Answer,
  again: () => Answer,
): Answer {
  if (plan.gate === undefined || intent === undefined) return answer
  const { status, text, error } = answer
  const told = tell(plan.gate, '/settle', {
    id: intent.id,
    ...(error === undefined ? { status, body: text ?? '' } : { error }),
  })
  const { id, after } = told.status === 200 ? contentOf(told) : {}
  if (typeof id !== 'string' || typeof after !== 'number') return answer
  sleep(after / 1000)
  return settle({ plan }, { id, alone: true }, again(), again)
}

/** The maximum wait in milliseconds for the first booking and its repeats, while test mode is not proven yet. */
const LONGEST_TURN = 900_000

function tell(gate: string, path: string, message: object): RefinedResponse<'text'> {
  return http.post(gate + path, JSON.stringify(message), {
    headers: { 'Content-Type': 'application/json' },
    responseType: 'text',
    timeout: LONGEST_TURN,
    // This tag excludes requests to the gate from all figures.
    tags: { op: 'gate' },
  })
}

function contentOf({
  body,
}: RefinedResponse<'text'>): Partial<Record<'id' | 'alone' | 'stop' | 'after', unknown>> {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** Returns the booking request of an iteration. It is always the same, including its key or reference. */
export function bookingCall({ plan, number }: Iteration, { product, body }: Bookable): Call {
  // A reference may have at most 50 bytes.
  const name = `${plan.nonce}-${number}`.slice(-50)
  const key = product.startsWith('v1') ? name : `${plan.nonce}-${plan.stage}-${number}`
  const { book } = saleOf(product)
  return callOf(plan.client, by => book(by, { body: { external_reference: name, ...body }, key }))
}

/** Books, through the booking gate if there is one. */
export function book(iteration: Iteration, bookable: Bookable): Answer {
  const call = bookingCall(iteration, bookable)
  const intent = intend(iteration, bookable, call)
  const again = () => send(iteration, call)
  return settle(iteration, intent, again(), again)
}

/** Returns the id of the booking or pending booking in an answer. */
export function bookingIdOf(answer: Answer): BookingId | undefined {
  if (!answer.succeeded) return undefined
  const id = answer.at('booking.booking_id')
  return isUsableId(id) ? id : v1IdIn(answer.json())
}

/** Reads, cancels or fetches the voucher of a booking; `undefined` if its product has no such endpoint. */
export function act(
  iteration: Iteration,
  product: Product,
  does: 'read' | 'voucher' | 'cancel',
  id: BookingId,
): Answer | undefined {
  const call = saleOf(product)[does]
  return (
    call &&
    send(
      iteration,
      callOf(iteration.plan.client, by => call(by, id)),
    )
  )
}
