import type { BookingId } from '../../../fixtures/client/sales.ts'
import type { Product } from '../../../fixtures/control.ts'
import { isUsableId, v1IdIn } from '../../../fixtures/service/ids.ts'
import { intend, settle } from './booking-gate.ts'
import type { Call } from './call.ts'
import { callOf, saleOf } from './client.ts'
import type { Bookable } from './finding.ts'
import type { Iteration } from './iteration.ts'
import { type Answer, send } from './send.ts'

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
