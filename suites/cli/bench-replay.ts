/**
 * The baseline of `npm run bench`: the requests of a certification, captured and sent again by undici alone to a fresh
 * deployment. Values from earlier answers are replaced by those of the new ones, so that offers, keys and bookings are
 * valid.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { isObject } from '../../fixtures/json.ts'
import { jsonIn } from '../../fixtures/read-json.ts'
import { launchReference } from '../../fixtures/reference/thread.ts'

/** A request as the server received it, with its answer. */
interface Seen {
  /** Whether it was sent to control instead of the deployment. */
  toControl: boolean
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
  status: number
  answer: unknown
  /** When it arrived and when it was answered, counted in arrivals and answers. */
  from: number
  to: number
}

/** A deployment and its control behind a proxy that captures every request. */
export interface Capture {
  baseUrl: string
  controlUrl: string
  /** In order of arrival. */
  seen: Seen[]
  stop(): Promise<void>
}

export async function capture(): Promise<Capture> {
  const reference = await launchReference()
  const seen: Seen[] = []
  let moments = 0
  const passer = new Agent({ connections: 256 })
  const servers: Server[] = []
  async function before(origin: string, toControl: boolean): Promise<string> {
    const server = createServer(async (incoming, outgoing) => {
      const from = moments++
      const {
        connection: _,
        host: __,
        'accept-encoding': ___,
        ...headers
      } = incoming.headers as Seen['headers']
      const call = { method: incoming.method!, path: incoming.url!, headers, body: await buffer(incoming) }
      const answer = await passer.request({ origin, ...call, method: call.method as 'GET' })
      const bytes = Buffer.from(await answer.body.arrayBuffer())
      seen.push({ ...call, toControl, status: answer.statusCode, answer: jsonIn(bytes), from, to: moments++ })
      const { 'transfer-encoding': ____, ...passed } = answer.headers
      outgoing.writeHead(answer.statusCode, passed)
      outgoing.end(bytes)
    })
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return {
    baseUrl: await before(reference.baseUrl, false),
    controlUrl: await before(reference.controlUrl, true),
    get seen() {
      return seen.toSorted((one, other) => one.from - other.from)
    },
    async stop() {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
      await passer.close()
      await reference.stop()
    },
  }
}

export interface Replayed {
  milliseconds: number
  /** The share of the answers with the same status as the captured one. */
  alike: number
}

/**
 * The milliseconds after which a request counts as never answered. Control holds one of two orders with the same reference
 * back; if the other arrives first, the request that would release it waits for it. Answers take about 15 ms.
 */
const HELD_BACK = 2_000

/**
 * Sends captured requests to a fresh deployment, with as many companies at once as there are lanes, and the requests of each
 * company in order, so that what they refer to exists.
 */
export async function replay(seen: readonly Seen[], lanes: number): Promise<Replayed> {
  const reference = await launchReference()
  const given = new Map<string, string>()
  const dispatcher = new Agent({ connections: lanes, pipelining: 1, headersTimeout: HELD_BACK })
  let alike = 0
  async function send(call: Seen): Promise<void> {
    const { 'content-length': _, ...headers } = call.headers
    const url = `${call.toControl ? reference.controlUrl : reference.baseUrl}${inPath(call.path, given)}`
    const { statusCode, body } = await request(url, {
      method: call.method as 'GET',
      headers: { ...headers, ...authorizationOf(headers, given) },
      body: call.body.length === 0 ? null : inBody(call.body, given),
      dispatcher,
    })
    const bytes = await body.arrayBuffer()
    if (statusCode === call.status) alike++
    if (call.answer !== undefined) learn(call.answer, jsonIn(new Uint8Array(bytes)), given)
  }
  /** Sends the requests of a company, each after those that were answered before it was captured. */
  async function sendAll(calls: readonly Seen[]): Promise<void> {
    const sent: { to: number; answered: Promise<void> }[] = []
    for (const call of calls) {
      await Promise.all(sent.filter(({ to }) => to < call.from).map(({ answered }) => answered))
      // A request that never ends in this order counts as different.
      sent.push({ to: call.to, answered: send(call).catch(() => {}) })
    }
    await Promise.all(sent.map(({ answered }) => answered))
  }
  const queue = byCompany(seen)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let calls = queue.shift(); calls !== undefined; calls = queue.shift()) await sendAll(calls)
    }),
  )
  const milliseconds = performance.now() - started
  await dispatcher.close()
  await reference.stop()
  return { milliseconds, alike: alike / seen.length }
}

/** Groups the requests by company, in order; the request that makes the company is first. */
function byCompany(seen: readonly Seen[]): Seen[][] {
  const companyOf = new Map<string, string>()
  const rows = Map.groupBy(seen, call => {
    const minted = call.toControl && isObject(call.answer) && typeof call.answer.token === 'string'
    const wish = jsonIn(call.body)
    if (minted) {
      const { tenant, token } = call.answer as { tenant: string; token: string }
      // A request that makes a second credential of a company belongs to that company.
      const joined = isObject(wish) && typeof wish.companyOf === 'string' ? wish.companyOf : tenant
      companyOf.set(`Bearer ${token}`, companyOf.get(joined) ?? tenant)
      companyOf.set(tenant, companyOf.get(joined) ?? tenant)
    }
    const name = minted
      ? (call.answer as { tenant: string }).tenant
      : call.toControl
        ? (/^\/tenants\/([^/]+)/.exec(call.path)?.[1] ?? '')
        : (call.headers.authorization ?? '')
    return companyOf.get(name) ?? ''
  })
  return [...rows.values()]
}

/** Shorter values are words and small numbers, not ids. */
const SHORTEST = 5

/** Maps each id in the captured answer (an offer, a booking, a search, a credential) to the one in the new answer. */
function learn(then: unknown, now: unknown, given: Map<string, string>): void {
  if (Array.isArray(then) && Array.isArray(now)) {
    for (const [at, entry] of then.entries()) learn(entry, now[at], given)
  } else if (isObject(then) && isObject(now)) {
    for (const [key, value] of Object.entries(then)) learn(value, now[key], given)
  } else if (typeof then === typeof now && (typeof then === 'string' || Number.isInteger(then))) {
    const [old, fresh] = [String(then), String(now)]
    if (old !== fresh && old.length >= SHORTEST) given.set(old, fresh)
  }
}

const inPath = (path: string, given: ReadonlyMap<string, string>): string =>
  path.replace(/[^/?&=]+/g, part => {
    const fresh = given.get(decodeURIComponent(part))
    return fresh === undefined ? part : encodeURIComponent(fresh)
  })

function authorizationOf({ authorization }: Seen['headers'], given: ReadonlyMap<string, string>) {
  const fresh = authorization && given.get(authorization.replace(/^Bearer /, ''))
  return fresh === undefined || fresh === '' ? {} : { authorization: `Bearer ${fresh}` }
}

function inBody(body: Buffer, given: ReadonlyMap<string, string>): Buffer | string {
  const sent = jsonIn(body)
  if (sent === undefined) return body
  return JSON.stringify(sent, (_key, value) => {
    if (typeof value !== 'string' && !Number.isInteger(value)) return value
    const fresh = given.get(String(value))
    if (fresh === undefined) return value
    return typeof value === 'string' ? fresh : Number(fresh)
  })
}
