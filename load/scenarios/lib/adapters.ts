import { KIT_ADAPTERS } from '../../plan/kit-adapters.ts'
import { ownShapes } from './own-shapes.ts'

type Adapter<Given extends unknown[], Found> = (...given: Given) => Found

/** Takes the definition's adapter, or that of the document's examples. One that throws has found nothing. */
function reader<Given extends unknown[], Found>(
  own: Adapter<Given, Found> | undefined,
  kits: Adapter<Given, Found>,
  nothing: Found,
): Adapter<Given, Found> {
  const adapter = own ?? kits
  return (...given) => {
    try {
      return adapter(...given)
    } catch {
      return nothing
    }
  }
}

const { tickets, hotels, v1Hotels, v1Transfers, v1ParkB } = KIT_ADAPTERS
const own = ownShapes

/** How what is open looks here. */
export const read = {
  /** Absent where the kit's own is enough, which takes every offer there is. */
  ownOffers: own.tickets?.offers && reader(own.tickets.offers, tickets.offers, []),
  searchId: reader(own.hotels?.searchId, hotels.searchId, undefined),
  finished: reader(own.hotels?.finished, hotels.finished, false),
  hotels: reader(own.hotels?.hotels, hotels.hotels, []),
  checked: reader(own.v1Hotels?.checked, v1Hotels.checked, { prices: [] }),
  total: reader(own.v1Transfers?.total, v1Transfers.total, undefined),
  confirm: reader(own.v1Transfers?.confirm, v1Transfers.confirm, {}),
  cancel: reader(own.v1Transfers?.cancel, v1Transfers.cancel, {}),
  eventTime: reader(own.v1ParkB?.eventTime, v1ParkB.eventTime, undefined),
}
