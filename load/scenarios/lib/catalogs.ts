import type { Product } from '../../../fixtures/deployments/control.ts'
import type { Plan } from '../../plan/plan.ts'
import { type Call, send } from './call.ts'
import type { Iteration } from './iteration.ts'
import type { Operation } from './output.ts'

const CATALOGS: readonly (Call & { of: Product })[] = [
  { of: 'v2-transfers', op: 'v2 transfer catalog', method: 'GET', path: '/api/v2/transfers/products' },
  { of: 'v2-tickets', op: 'v2 ticket catalog', method: 'GET', path: '/api/v2/tickets/products' },
  { of: 'v2-tickets', op: 'v2 ticket brands', method: 'GET', path: '/api/v2/tickets/brands' },
  { of: 'v2-hotels', op: 'v2 hotel destinations', method: 'GET', path: '/api/v2/hotels/destinations' },
  {
    of: 'v1-hotels',
    op: 'v1 destinations',
    method: 'GET',
    path: '/api/v1/hotel/content/destinations?page=1&limit=100',
  },
]

export type ApiVersion = 'v1' | 'v2'

/** API versions that have something to be asked. */
export const versionsOf = ({ shapes }: Plan): ApiVersion[] =>
  (['v1', 'v2'] as const).filter(version => shapes.probes[version] !== undefined)

/** Sends the cheap read of an API version that is always answered. */
export function probe(iteration: Iteration, version: ApiVersion, expects: readonly number[] = []): void {
  const call = iteration.plan.shapes.probes[version]
  if (call !== undefined) send(iteration, { ...call, op: `${version} probe`, expects })
}

/** Looks at everything that is claimed to be on sale. */
export function browse(iteration: Iteration): void {
  for (const { of, ...call } of CATALOGS) if (iteration.plan.products.includes(of)) send(iteration, call)
  probe(iteration, 'v1')
}

/** Returns the catalogs of a product. */
export const catalogCalls = ({ products }: Plan): Operation[] =>
  CATALOGS.flatMap(({ of, op }) => (products.includes(of) ? [op] : []))
