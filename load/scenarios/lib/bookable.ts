import type { ProductKind } from '../../../fixtures/deployments/control.ts'
import type { Plan } from '../../plan/plan.ts'

/** Kinds of products that can be found and booked through v2. */
export type Kind = 'transfers' | 'tickets' | 'hotels'

/** Something that can be booked: offers that belong together, each with what its item states beside it. */
export interface Bookable {
  kind: ProductKind
  items: { offerId: string; item: unknown }[]
}

/** Returns what a plan can have booked, the quickest first. */
export const kindsOf = ({ products, shapes }: Plan): Kind[] =>
  (['transfers', 'tickets', 'hotels'] as const).filter(
    kind => shapes[kind] !== undefined && products.includes(`v2-${kind}`),
  )

/** Returns how many different availability requests for a kind a plan has. */
export function requestsFor({ shapes }: Plan, kind: Kind): number {
  const { transfers, tickets, hotels } = shapes
  const lists = { transfers: transfers?.days, tickets: tickets?.asks, hotels: hotels?.searches }
  return lists[kind]?.length ?? 0
}
