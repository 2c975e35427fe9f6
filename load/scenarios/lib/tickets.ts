import { read } from './adapters.ts'
import type { Bookable } from './bookable.ts'
import { send } from './call.ts'
import { type Iteration, spreadOver } from './iteration.ts'

/** Tickets on sale for a request of this iteration's own; none where nothing is, or nothing was answered. */
export function findTickets(iteration: Iteration): Bookable[] {
  const shape = iteration.plan.shapes.tickets
  if (shape === undefined) return []
  const { kind, body, item } = spreadOver(shape.asks, iteration.round)
  const answer = send(iteration, {
    op: 'v2 ticket availability',
    method: 'POST',
    path: '/api/v2/tickets/availability',
    body,
  })
  if (!answer.succeeded) return []
  return read.offers(answer.json()).map(({ offerId }) => ({
    kind,
    items: [{ offerId, item }],
  }))
}
