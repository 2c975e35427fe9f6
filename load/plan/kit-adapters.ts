import { DEFAULT_V1 } from '../../fixtures/deployments/defaults-v1.ts'
import { hasFinished, hotelsOf, offersOf, searchIdOf } from '../../fixtures/deployments/open-shapes.ts'

const { v1Hotels, v1Transfers, v1ParkB } = DEFAULT_V1

/** The kit's own adapters of what k6 has to read and write, by their places in `shapes` of a definition. */
export const KIT_ADAPTERS = {
  tickets: { offers: offersOf },
  hotels: { searchId: searchIdOf, finished: hasFinished, hotels: hotelsOf },
  v1Hotels: { checked: v1Hotels.checked },
  v1Transfers: { total: v1Transfers.total, confirm: v1Transfers.confirm, cancel: v1Transfers.cancel },
  v1ParkB: { eventTime: v1ParkB.eventTime },
}

type Kits = typeof KIT_ADAPTERS

/** Adapters of a definition that are used in place of the kit's own. */
export type OwnShapes = { [Shape in keyof Kits]?: Partial<Kits[Shape]> }

/** Name of one of them, as `shapes.` is followed by it. */
export type AdapterName = {
  [Shape in keyof Kits]: `${Shape}.${string & keyof Kits[Shape]}`
}[keyof Kits]
