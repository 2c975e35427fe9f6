import { ticketReading } from './adapters.ts'
import type { Goods } from './bookable.ts'
import { send } from './call.ts'
import { spreadOver, type Turn } from './iteration.ts'

/** Tickets on sale for a request of this turn's own; none where nothing is, or nothing was answered. */
export function findTickets(turn: Turn): Goods[] {
  const shape = turn.plan.shapes.tickets
  if (shape === undefined) return []
  const { body, item } = spreadOver(shape.asks, turn.round)
  const answer = send(turn, {
    op: 'v2 ticket availability',
    method: 'POST',
    path: '/api/v2/tickets/availability',
    body,
  })
  if (!answer.succeeded) return []
  return ticketReading(shape)(answer.json()).map(({ offerId }) => ({
    product: 'v2-tickets',
    items: [{ offerId, item }],
  }))
}
