import { DEFAULT_V1 } from '../../fixtures/deployments/definition/defaults-v1.ts'
import {
  hasFinished,
  hotelsOf,
  offersOf,
  searchIdOf,
} from '../../fixtures/deployments/definition/open-shapes.ts'

const { v1Hotels, v1Transfers, v1ParkB } = DEFAULT_V1

/** The kit's adapters that k6 needs, by their place in `shapes` of a definition. */
export const KIT_ADAPTERS = {
  tickets: { offers: offersOf },
  hotels: { searchId: searchIdOf, finished: hasFinished, hotels: hotelsOf },
  v1Hotels: { checked: v1Hotels.checked },
  v1Transfers: { total: v1Transfers.total, confirm: v1Transfers.confirm, cancel: v1Transfers.cancel },
  v1ParkB: { eventTime: v1ParkB.eventTime },
}

type Kits = typeof KIT_ADAPTERS

/** The adapters of a definition that replace the kit's. */
export type OwnShapes = { [Shape in keyof Kits]?: Partial<Kits[Shape]> }

/** The name of an adapter after `shapes.`. */
export type AdapterName = {
  [Shape in keyof Kits]: `${Shape}.${string & keyof Kits[Shape]}`
}[keyof Kits]
