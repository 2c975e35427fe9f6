import { type Buyer, type SalesCalls, salesOf } from '../../../fixtures/client/sales.ts'
import { createV1 } from '../../../fixtures/client/v1.ts'
import { createV2, type PartnerCall } from '../../../fixtures/client/v2.ts'
import type { Product, ProductKind } from '../../../fixtures/control.ts'
import {
  type EndpointId,
  endpointAt,
  endpointRow,
  type V1Paths,
} from '../../../fixtures/service/endpoints.ts'
import { read } from './adapters.ts'
import type { Call } from './call.ts'

let made: PartnerCall | undefined

function note(call: PartnerCall): Promise<never> {
  made = call
  return NEVER
}

const NEVER = new Promise<never>(() => {})

/** Returns the kit's client, which here only says what it would send. */
export const clientAt = (v1Paths: V1Paths = {}): Buyer => ({
  v1: createV1(note, v1Paths),
  v2: createV2(note),
})

/** Statuses that a market, or the state of a booking, may answer a request with that is right. */
const REFUSALS: Record<'v1' | 'v2', number[]> = { v1: [400, 409, 410, 502], v2: [409] }

/** What a call of an endpoint is told beside what the client says: kept, as it is asked for with every request. */
const told = new Map<string, Pick<Call, 'expects' | 'binary'>>()

function toldOf(op: EndpointId): Pick<Call, 'expects' | 'binary'> {
  const known = told.get(op)
  if (known !== undefined) return known
  const { does, version } = endpointRow(op)
  const made = {
    ...(does === 'lists' || does === 'reads' ? {} : { expects: REFUSALS[version] }),
    ...(does === 'prints' ? { binary: true } : {}),
  }
  told.set(op, made)
  return made
}

/** Returns the call that the kit's client makes: where it is sent to, and what is sent, are stated once. */
export function callOf(client: Buyer, ask: (by: Buyer) => unknown): Call {
  ask(client)
  const { method, path, body, headers, endpoint } = made!
  const op = endpoint ?? (endpointAt(method, path) as EndpointId)
  return {
    op,
    method: method as Call['method'],
    path,
    body,
    headers: headers as Record<string, string> | undefined,
    ...toldOf(op),
  }
}

/** Returns the calls that a product is sold with. */
export const saleOf = (product: Product, kind?: ProductKind): SalesCalls =>
  salesOf(product, { v1Transfers: { cancel: read.cancel } }, kind)
