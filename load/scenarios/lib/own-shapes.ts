import type { HotelShapes, TicketShapes } from '../../../fixtures/deployments/definition.ts'

/** Adapters of a definition that are used in place of the kit's own. */
export interface OwnShapes {
  tickets?: Partial<Pick<TicketShapes, 'offers'>>
  hotels?: Partial<Pick<HotelShapes, 'searchId' | 'finished' | 'hotels'>>
}

/** None here: the bundler puts a module in the place of this one that takes them from the definition. */
export const ownShapes: OwnShapes = {}
