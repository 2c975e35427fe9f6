import type { Buyer } from '../../../fixtures/client/requests/sales.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import type { Plan } from '../../plan/plan.ts'
import { type Call, callOf } from './client.ts'
import type { Briefing, Iteration } from './iteration.ts'
import { send } from './send.ts'

const CATALOGS: readonly { of: Product; ask(by: Buyer): unknown }[] = [
  { of: 'v2-transfers', ask: ({ v2 }) => v2.transferProducts() },
  { of: 'v2-tickets', ask: ({ v2 }) => v2.ticketProducts() },
  { of: 'v2-tickets', ask: ({ v2 }) => v2.ticketBrands() },
  { of: 'v2-hotels', ask: ({ v2 }) => v2.hotelDestinations() },
  { of: 'v1-hotels', ask: ({ v1 }) => v1.hotels.destinations({ page: 1, limit: 100 }) },
  { of: 'v1-transfers', ask: ({ v1 }) => v1.transfers.catalog() },
  { of: 'v1-park-a', ask: ({ v1 }) => v1.parkA.catalog({}) },
  { of: 'v1-park-b', ask: ({ v1 }) => v1.parkB.catalog({}) },
]

export type ApiVersion = 'v1' | 'v2'

/** Returns the API versions that have a probe. */
export const versionsOf = ({ shapes }: Plan): ApiVersion[] =>
  (['v1', 'v2'] as const).filter(version => shapes.probes[version] !== undefined)

/** Sends the probe of an API version. */
export function probe(iteration: Iteration, version: ApiVersion): void {
  const call = iteration.plan.shapes.probes[version]
  if (call !== undefined) send(iteration, { ...call, op: `${version} probe` })
}

/** The calls of this process, which never change. */
let calls: Call[] | undefined

/** Reads every claimed catalog. */
export function browse(iteration: Iteration): void {
  calls ??= callsFor(iteration.plan)
  for (let index = 0; index < calls.length; index++) send(iteration, calls[index]!)
  probe(iteration, 'v1')
}

const callsFor = ({ products, client }: Briefing): Call[] =>
  CATALOGS.filter(({ of }) => products.includes(of)).map(({ ask }) => callOf(client, ask))
