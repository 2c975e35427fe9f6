import { KIT_ADAPTERS } from '../../plan/kit-adapters.ts'
import { ownShapes } from './own-shapes.ts'

type Adapter<Given extends unknown[], Found> = (...given: Given) => Found

/** Returns the definition's adapter, or the kit's. If it throws, the result is empty. */
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

/** The adapters for open shapes. */
export const read = {
  /** Absent if the kit's own adapter is used, which returns every offer. */
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
