import { isUsableId, segmentOf } from '../../../fixtures/service/ids.ts'
import type { Bookable } from './bookable.ts'
import { intend, settle } from './booking-gate.ts'
import type { Answer, Call } from './call.ts'
import { send } from './call.ts'
import type { Iteration } from './iteration.ts'
import { objectIn } from './reading.ts'

export type BookingId = string | number

/** Returns the request that books something in a iteration. It is the same, key included, whenever it is made. */
export function bookingCall({ plan, number }: Iteration, { items }: Bookable): Call {
  // At most 50 bytes, which is what a reference may have.
  const name = `${plan.nonce}-${number}`.slice(-50)
  return {
    op: 'v2 book',
    method: 'POST',
    path: '/api/v2/bookings',
    headers: { 'Idempotency-Key': `${plan.nonce}-${plan.stage}-${number}` },
    body: {
      external_reference: name,
      items: items.map(({ offerId, item }) => ({ ...objectIn(item), offer_id: offerId })),
    },
    expects: [409],
  }
}

/** Books, with the booking gate's knowledge where there is one. */
export function book(iteration: Iteration, bookable: Bookable): Answer {
  const call = bookingCall(iteration, bookable)
  const intent = intend(iteration, bookable.kind, call)
  const answer = send(iteration, call)
  settle(iteration, intent, answer)
  return answer
}

/** Returns what was booked, or is pending, as an answer to a booking says. */
export function bookingIdOf(answer: Answer): BookingId | undefined {
  const { booking_id: id } = objectIn(objectIn(answer.json()).booking)
  return answer.succeeded && isUsableId(id) ? id : undefined
}

const pathOf = (id: BookingId): string => `/api/v2/bookings/${segmentOf(id)}`

export const readBooking = (iteration: Iteration, id: BookingId): Answer =>
  send(iteration, { op: 'v2 booking', method: 'GET', path: pathOf(id) })

/** A voucher may not be ready, or not exist. */
export const readVoucher = (iteration: Iteration, id: BookingId): Answer =>
  send(iteration, {
    op: 'v2 voucher',
    method: 'GET',
    path: `${pathOf(id)}/voucher`,
    binary: true,
    expects: [409],
  })

/** A cancellation may be refused. */
export const cancel = (iteration: Iteration, id: BookingId): Answer =>
  send(iteration, { op: 'v2 cancel', method: 'POST', path: `${pathOf(id)}/cancel`, expects: [409] })
