import type { Area } from '../../fixtures/clauses/clause.ts'
import { isVersionSold, versionOfClause } from '../../fixtures/clauses/version.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import { productOf, productsOf } from '../../fixtures/ground/products.ts'

interface AreaOfReports {
  title: string
  /** The area applies to a deployment that sells any of these; absent: to every deployment. */
  products?: readonly Product[]
}

const anyOfV2 = productsOf('v2')

/** Returns the area of one product. */
const areaOf = (product: Product): AreaOfReports => ({
  title: productOf(product).title,
  products: [product],
})

/** The sections of every report, in order. */
const areas: Record<Area, AreaOfReports> = {
  http: { title: 'Common to all' },
  'v1-hotels': areaOf('v1-hotels'),
  'v1-transfers': areaOf('v1-transfers'),
  'v1-park-a': areaOf('v1-park-a'),
  'v1-park-b': areaOf('v1-park-b'),
  'v2-offers': { title: 'v2 offers', products: anyOfV2 },
  'v2-bookings': { title: 'v2 bookings', products: anyOfV2 },
  'v2-transfers': areaOf('v2-transfers'),
  'v2-tickets': areaOf('v2-tickets'),
  'v2-hotels': areaOf('v2-hotels'),
  'v2-vouchers': { title: 'v2 vouchers', products: anyOfV2 },
}

const order: readonly string[] = Object.keys(areas)

/** Returns why a clause does not apply to a deployment with these products, or `undefined`. */
export function whyNotOffered(
  id: string,
  { area }: { area: Area },
  products: readonly Product[],
): string | undefined {
  const version = versionOfClause(id)
  if (area === 'http' && version !== undefined && !isVersionSold(version, products))
    return `the definition offers no products of ${version}`
  const needed = areas[area].products
  if (needed === undefined || needed.some(product => products.includes(product))) return undefined
  return `the definition does not offer ${needed.join(', ')}`
}

/** Returns the areas that are about one product only. */
export const areasOf = (product: Product): string[] =>
  (Object.keys(areas) as Area[]).filter(area => {
    const needed = areas[area].products
    return needed?.length === 1 && needed[0] === product
  })

/** Returns the title of an area, or its id if a later version of the kit added it. */
export const areaTitle = (area: string): string => areas[area as Area]?.title ?? area

/** Groups rows by area, in the order of reports; unknown areas come last, by name. */
export function byArea<T extends { area: string }>(rows: readonly T[]): [area: string, rows: T[]][] {
  const rank = (area: string): number => (order.includes(area) ? order.indexOf(area) : order.length)
  return [...Map.groupBy(rows, row => row.area)].sort(
    ([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0),
  )
}

export const REASONS = {
  open: 'its check is still to be written',
  notSelected: 'not selected',
  noCheck: 'no check of this run decides it',
  noScenario: 'nothing that this load run did, or was answered, showed it',
  noSituation: 'nothing in the traffic of the client provoked it',
  ruledOut: (id: string) => `a client that keeps ${id} cannot come to it`,
  notRecorded: 'nothing in the recording shows it',
  clientSide: 'it binds the client of a partner, which the command examine judges',
} as const
