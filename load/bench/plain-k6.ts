import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { K6_ENVIRONMENT } from '../k6/index.ts'
import { steadily } from '../scenarios/lib/executors.ts'
import { clocked, printedBy } from './clocked.ts'
import type { Contestant, Task } from './heat.ts'
import { closedModel, readSummary, SUMMARY } from './summary.ts'

const script = fileURLToPath(new URL('plain.ts', import.meta.url))

/** The same journeys in a script that was written for k6 alone: it keeps no samples and no answers. */
export const plainK6 = (k6: string): Contestant => ({
  name: 'plain k6',
  async run({ baseUrl, tenants, nonce, goods, dir, pace }) {
    const program = clocked([k6], dir)
    const goodsFile = join(dir, 'goods.json')
    writeFileSync(goodsFile, JSON.stringify(asksFrom(goods)))
    const memory = program.watchMemory()
    const args = ['--quiet', '--no-color', `--summary-export=${join(dir, SUMMARY)}`, ...closedModel(pace)]
    await printedBy(program.path, ['run', ...args, script], {
      env: {
        PATH: process.env.PATH,
        ...K6_ENVIRONMENT,
        HOME: dir,
        BASE_URL: baseUrl,
        GOODS: goodsFile,
        TOKENS: tenants.map(({ token }) => token).join('\n'),
        RUN: nonce,
        PAUSE: String((goods.settings.pollEvery ?? 100) / 1000),
        ...(pace.rate === undefined ? {} : openModel(pace.rate, pace.seconds)),
      },
    })
    const summary = readSummary(dir)
    return {
      said: {
        sent: summary.requests,
        failed: summary.failed,
        seconds: summary.seconds,
        latency: summary.quantiles('http_req_duration'),
        looking: summary.quantiles('http_req_duration{looks:yes}'),
        journeys: summary.iterations,
      },
      program,
      memory: memory.stop(),
    }
  },
})

/** As many clients as our own mix has for that rate. */
function openModel(rate: number, seconds: number): Record<string, string> {
  const { executor } = steadily(rate, rate * seconds, 4)
  const clients = 'preAllocatedVUs' in executor ? executor.preAllocatedVUs : 1
  return { RATE: String(rate), SECONDS: String(seconds), CLIENTS: String(clients) }
}

/** Requests by which each kind of goods is found, with the item that is booked of it. */
export function asksFrom({ shapes }: Task['goods']) {
  const { transfers, tickets, hotels } = shapes
  if (transfers === undefined || tickets === undefined || hotels === undefined) {
    throw new Error('The embedded deployment sells transfers, tickets and hotels, and not all were found.')
  }
  return {
    transfers: transfers.days.map(day => ({
      body: {
        product_ids: transfers.productIds,
        from: day,
        to: day,
        pax: { adult: 1, child: 0, infant: 0 },
      },
      item: transfers.item,
    })),
    tickets: tickets.asks,
    hotels: hotels.searches.map(body => ({ body, item: hotels.item })),
  }
}
