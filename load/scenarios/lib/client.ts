import { type Buyer, type SalesCalls, salesOf } from '../../../fixtures/client/requests/sales.ts'
import { createV1 } from '../../../fixtures/client/requests/v1.ts'
import { createV2, type PartnerCall } from '../../../fixtures/client/requests/v2.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import type { EndpointId, V1Paths } from '../../../fixtures/ground/endpoints.ts'
import type { ProbeCall } from '../../plan/plan.ts'
import { read } from './adapters.ts'
import type { Operation } from './output.ts'

/** A request of a scenario. */
export interface Call extends ProbeCall {
  op: Operation
  headers?: Readonly<Record<string, string>> | undefined
}

let made: PartnerCall | undefined
let meant: EndpointId | undefined

function note(call: PartnerCall, id = call.endpoint): Promise<never> {
  made = call
  meant = id
  return NEVER
}

const NEVER = new Promise<never>(() => {})

/** Returns the kit's client, which here only records the request instead of sending it. */
export const clientAt = (v1Paths: V1Paths = {}): Buyer => ({
  v1: createV1(note, v1Paths),
  v2: createV2(note),
})

/** Returns the request that the kit's client would send, so that paths and bodies are defined once. */
export function callOf(client: Buyer, ask: (by: Buyer) => unknown): Call {
  ask(client)
  const { method, path, body, headers } = made!
  return {
    op: meant!,
    method: method as Call['method'],
    path,
    body,
    headers: headers as Record<string, string> | undefined,
  }
}

const sales = new Map<Product, SalesCalls>()

/** Returns the calls that sell a product. They do not tell a kind, since requests do not. */
export function saleOf(product: Product): SalesCalls {
  let calls = sales.get(product)
  if (calls === undefined) {
    calls = salesOf(product, { v1Transfers: { cancel: read.cancel } })
    sales.set(product, calls)
  }
  return calls
}
