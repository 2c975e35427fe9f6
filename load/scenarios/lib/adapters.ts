import { hasFinished, hotelsOf, offersOf, searchIdOf } from '../../../fixtures/deployments/open-shapes.ts'
import type { Adapter, PlannedShapes } from '../../plan/plan.ts'

/** How answers about hotels are read. */
export interface HotelReading {
  searchId: typeof searchIdOf
  finished: typeof hasFinished
  hotels: typeof hotelsOf
}

/** Never throws: what an adapter cannot read holds nothing. */
export const hotelReading = (shape: NonNullable<PlannedShapes['hotels']>): HotelReading => ({
  searchId: readerOf(shape.searchId, searchIdOf, undefined),
  finished: readerOf(shape.finished, hasFinished, false),
  hotels: readerOf(shape.hotels, hotelsOf, []),
})

/** How offers are found in an answer about tickets. Never throws. */
export const ticketReading = ({ offers }: NonNullable<PlannedShapes['tickets']>): typeof offersOf =>
  readerOf(offers, offersOf, [])

/** The kit's own function, or the one that a definition has instead, made from its source text. */
function readerOf<Found>(
  adapter: Adapter,
  own: (answer: unknown) => Found,
  nothing: Found,
): (answer: unknown) => Found {
  if (adapter === 'default') return own
  const read: typeof own = new Function(`return (${adapter.source})`)()
  return answer => {
    try {
      return read(answer)
    } catch {
      return nothing
    }
  }
}
