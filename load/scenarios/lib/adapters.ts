import { hasFinished, hotelsOf, offersOf, searchIdOf } from '../../../fixtures/deployments/open-shapes.ts'
import { ownShapes } from './own-shapes.ts'

/** Reads the definition's answers, or those of the document's examples. An adapter that throws has found nothing. */
function reader<Found>(
  own: ((answer: unknown) => Found) | undefined,
  kits: (answer: unknown) => Found,
  nothing: Found,
): (answer: unknown) => Found {
  if (own === undefined) return kits
  return answer => {
    try {
      return own(answer)
    } catch {
      return nothing
    }
  }
}

const { tickets = {}, hotels = {} } = ownShapes

export const read = {
  offers: reader(tickets.offers, offersOf, []),
  searchId: reader(hotels.searchId, searchIdOf, undefined),
  finished: reader(hotels.finished, hasFinished, false),
  hotels: reader(hotels.hotels, hotelsOf, []),
}
