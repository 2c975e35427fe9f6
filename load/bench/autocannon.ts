import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Result } from 'autocannon'
import { clocked, printedBy } from './clocked.ts'
import { CLIENTS, type Contestant, type Task } from './heat.ts'
import { asksFrom } from './plain-k6.ts'

const script = fileURLToPath(new URL('autocannon-process.ts', import.meta.url))

/** What its process is told, as JSON in a file that nobody else may read. */
export interface Job {
  url: string
  connections: number
  duration: number
  /** Requests a second of all connections together; absent: as fast as they are answered. */
  overallRate?: number
  tokens: string[]
  requests: { method: 'GET' | 'POST'; path: string; body?: string }[]
}

/**
 * autocannon, with the calls of ten journeys of the mix that need no earlier answer: it sends a list of requests over
 * and over on each connection. At a rate, every connection sends its share of a second at once. Its own correction of
 * latencies for requests that were late takes a millisecond for the time between two of them, so it is left out.
 */
export const autocannonLooks: Contestant = {
  name: 'autocannon',
  async run({ baseUrl, tenants, goods, dir, pace }) {
    const program = clocked([process.execPath, script], dir)
    const job: Job = {
      url: baseUrl,
      connections: pace.clients ?? CLIENTS,
      duration: pace.seconds,
      ...(pace.rate === undefined ? {} : { overallRate: Math.round(pace.requestsPerSecond) }),
      tokens: tenants.map(({ token }) => token),
      requests: looks(goods),
    }
    const file = join(dir, 'job.json')
    writeFileSync(file, JSON.stringify(job), { mode: 0o600 })
    const memory = program.watchMemory()
    const printed = await printedBy(program.path, [file], { env: { PATH: process.env.PATH } })
    const { requests, latency, duration, non2xx, errors } = JSON.parse(printed) as Result
    const { p50, p99 } = latency
    return {
      said: {
        sent: requests.sent,
        failed: non2xx + errors,
        seconds: duration,
        latency: { p50, p99 },
        looking: { p50, p99 },
      },
      program,
      memory: memory.stop(),
    }
  },
}

/** Three visitors who browse, three who look for transfers, two for tickets, two for hotels. */
function looks(goods: Task['goods']): Job['requests'] {
  const asks = asksFrom(goods)
  const get = (path: string) => ({ method: 'GET' as const, path })
  const post = (path: string, found: readonly { body: unknown }[], from: number, count: number) =>
    found
      .slice(from, from + count)
      .map(({ body }) => ({ method: 'POST' as const, path, body: JSON.stringify(body) }))
  const browse = [
    get('/api/v2/transfers/products'),
    get('/api/v2/tickets/products'),
    get('/api/v2/tickets/brands'),
    get('/api/v2/hotels/destinations'),
    get('/api/v1/hotel/content/destinations?page=1&limit=1'),
  ]
  return [0, 1, 2].flatMap(visit => [
    ...post('/api/v2/transfers/availability', asks.transfers, visit, 1),
    ...browse,
    ...post('/api/v2/tickets/availability', asks.tickets, visit, visit < 2 ? 1 : 0),
    ...post('/api/v2/hotels/availability', asks.hotels, visit, visit < 2 ? 1 : 0),
  ])
}
