import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { listening } from '../../../fixtures/client/testing/until.ts'
import { variants } from '../../../fixtures/deviants/index.ts'
import type { Control, Mode, Product, ProductKind, TenantWish } from '../../../fixtures/ground/control.ts'
import type { Reference, ReferenceOptions } from '../../../fixtures/reference/server.ts'
import { generous, served } from './booked.ts'

export interface AlteredRequest {
  method: string
  /** With the query. */
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
  /** The position of the request in the test, from 1. */
  number: number
}

/** An answer before it is sent. A compressed answer is unpacked here, and compressed again when it is sent. */
export interface AlteredAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer | string
}

/**
 * Alters an answer. `pass` sends the request to the embedded deployment, which executes it; without that call nothing
 * happens there. Returns the answer to send, or `undefined` if it has written to `response` (or destroyed its socket)
 * itself.
 */
export type Alter = (
  request: AlteredRequest,
  pass: () => Promise<AlteredAnswer>,
  response: ServerResponse,
) => Promise<AlteredAnswer | undefined> | AlteredAnswer | undefined

/** The embedded deployment behind a proxy on loopback that alters its answers. */
export interface AlteredDeployment {
  /** The address of the proxy. */
  baseUrl: string
  /** The control of the embedded deployment behind the proxy. */
  control: Required<Control>
  reference: Reference
  /** The requests that the proxy has received. */
  requests: AlteredRequest[]
  /** Makes a company, by default in test mode, and returns the variables that make `travel-sales` use it. */
  company(products: readonly Product[], wish?: TenantWish): Promise<Company>
  /** Returns only the variables. */
  env(products: readonly Product[]): Promise<Company['env']>
}

/** A company of an altered deployment. */
export interface Company {
  tenant: string
  token: string
  env: Record<'TSS_BASE_URL' | 'TSS_TOKEN' | 'TSS_PRODUCTS' | 'TSS_PER_MINUTE', string>
}

/** The wish for a live company. */
export const LIVE: { modes: Record<ProductKind, Mode> } = {
  modes: { transfers: 'live', parkA: 'live', parkB: 'live', hotels: 'live' },
}

/** Returns an answer with JSON. */
export const jsonAnswer = (status: number, json: unknown): AlteredAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(json),
})

/** Starts an altered deployment, by default an honest one, which stops when the test ends. */
export async function startAltered(
  alter: Alter = (_request, pass) => pass(),
  options: Partial<ReferenceOptions> = {},
): Promise<AlteredDeployment> {
  const reference = await served({ variants: { ...variants, generous }, ...options })
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
      // Otherwise a conforming deployment behind the proxy would break the promises about compression.
      const packs = isCompressed && !('content-encoding' in answer.headers)
      response.writeHead(answer.status, {
        ...answer.headers,
        ...(packs ? { 'content-encoding': 'gzip' } : {}),
      })
      response.end(packs ? gzipSync(answer.body) : answer.body)
    } catch {
      // The deployment has been stopped, so there is no answer.
      response.destroy()
    }
  })
  async function company(products: readonly Product[], wish: TenantWish = {}) {
    // A run would wait for an ordinary limit, minutes in all.
    const { tenant, token } = await control.mint({ variant: 'generous', ...wish })
    const env = { TSS_BASE_URL: baseUrl, TSS_TOKEN: token, TSS_PRODUCTS: products.join() }
    return { tenant, token, env: { ...env, TSS_PER_MINUTE: '1000000' } }
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

/** Header fields of a single connection, or of an encoding that was removed. */
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
