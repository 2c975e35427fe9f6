import type { Bookable } from './bookable.ts'
import { send } from './call.ts'
import { type Iteration, spreadOver } from './iteration.ts'
import { listed } from './reading.ts'

/** Transfers on sale on a day of this iteration's own; none where nothing is, or nothing was answered. */
export function findTransfers(iteration: Iteration): Bookable[] {
  const shape = iteration.plan.shapes.transfers
  if (shape === undefined) return []
  const day = spreadOver(shape.days, iteration.round)
  const answer = send(iteration, {
    op: 'v2 transfer availability',
    method: 'POST',
    path: '/api/v2/transfers/availability',
    body: { product_ids: shape.productIds, from: day, to: day, pax: { adult: 1, child: 0, infant: 0 } },
  })
  if (!answer.succeeded) return []
  return listed(answer.json(), 'results')
    .flatMap(result => listed(result, 'days'))
    .flatMap(({ availability, offer_id }) =>
      availability === 'available' && typeof offer_id === 'string' && offer_id !== ''
        ? [{ kind: 'transfers' as const, items: [{ offerId: offer_id, item: shape.item }] }]
        : [],
    )
}
