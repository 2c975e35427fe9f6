import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { listening } from '../../../fixtures/client/testing/listening.ts'
import type { Control, Mode, Product, ProductKind, TenantWish } from '../../../fixtures/control.ts'
import type { Reference, ReferenceOptions } from '../../../fixtures/reference/server.ts'
import { served } from './booked.ts'

/** One request to an altered deployment. */
export interface AlteredRequest {
  method: string
  /** With query. */
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
  /** 1 for the first request of the test, 2 for the second … */
  number: number
}

/** An answer before it leaves: what came compressed is unpacked here, and compressed again when it is sent. */
export interface AlteredAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer | string
}

/**
 * Changes what is answered. `pass` asks the embedded deployment, so that what the request does is done; not calling it
 * means that nothing happens there. Returns the answer to send, or `undefined` when it has written to `response` (or
 * destroyed its socket) by itself.
 */
export type Alter = (
  request: AlteredRequest,
  pass: () => Promise<AlteredAnswer>,
  response: ServerResponse,
) => Promise<AlteredAnswer | undefined> | AlteredAnswer | undefined

/** The embedded deployment behind a proxy on loopback that changes its answers. */
export interface AlteredDeployment {
  /** Address of the proxy. */
  baseUrl: string
  /** The deployment behind it: its control, and its own counts. */
  control: Required<Control>
  reference: Reference
  /** Requests that the proxy received so far. */
  requests: AlteredRequest[]
  /** A fresh company, in test mode if nothing else is wished, and the variables that make `travel-sales` run as it. */
  company(products: readonly Product[], wish?: TenantWish): Promise<Company>
  /** Those variables alone. */
  env(products: readonly Product[]): Promise<Company['env']>
}

/** A company of an altered deployment. */
export interface Company {
  tenant: string
  token: string
  env: Record<'TSS_BASE_URL' | 'TSS_TOKEN' | 'TSS_PRODUCTS', string>
}

/** Wish for a company that sells for real. */
export const LIVE: { modes: Record<ProductKind, Mode> } = {
  modes: { transfers: 'live', parkA: 'live', parkB: 'live', hotels: 'live' },
}

/** Starts an altered deployment; it stops when the test ends. */
export async function startAltered(
  alter: Alter,
  options: Partial<ReferenceOptions> = {},
): Promise<AlteredDeployment> {
  const reference = await served(options)
  const { control } = reference
  const requests: AlteredRequest[] = []
  const { origin: baseUrl } = await listening(async (incoming, response) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const body = await buffer(incoming)
    const request = { method, path, headers, body, number: requests.length + 1 }
    requests.push(request)
    let isCompressed = false
    const pass = async () => {
      const { answer, compressed } = await ask(reference.baseUrl, request)
      isCompressed = compressed
      return answer
    }
    try {
      const answer = await alter(request, pass, response)
      if (answer === undefined) return
      // Else an honest deployment behind it would break the promises about compression.
      const packs = isCompressed && !('content-encoding' in answer.headers)
      response.writeHead(answer.status, {
        ...answer.headers,
        ...(packs ? { 'content-encoding': 'gzip' } : {}),
      })
      response.end(packs ? gzipSync(answer.body) : answer.body)
    } catch {
      // The deployment behind it was stopped: there is nothing to answer with any more.
      response.destroy()
    }
  })
  async function company(products: readonly Product[], wish: TenantWish = {}) {
    const { tenant, token } = await control.mint(wish)
    return { tenant, token, env: { TSS_BASE_URL: baseUrl, TSS_TOKEN: token, TSS_PRODUCTS: products.join() } }
  }
  return {
    baseUrl,
    control,
    reference,
    requests,
    company,
    env: async products => (await company(products)).env,
  }
}

/** Header fields that belong to one connection, or to an encoding that was undone. */
const OF_THE_CONNECTION = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
]

async function ask(
  baseUrl: string,
  { method, path, headers, body }: AlteredRequest,
): Promise<{ answer: AlteredAnswer; compressed: boolean }> {
  const sent = Object.entries({ 'accept-encoding': 'identity', ...headers }).filter(
    ([name]) => ![...OF_THE_CONNECTION, 'host'].includes(name),
  )
  const answer = await fetch(baseUrl + path, {
    method,
    headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
    redirect: 'manual',
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  })
  const received = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name))
  return {
    answer: {
      status: answer.status,
      headers: Object.fromEntries(received),
      body: Buffer.from(await answer.arrayBuffer()),
    },
    compressed: answer.headers.get('content-encoding') === 'gzip',
  }
}
