import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StoredExchange } from '../../../fixtures/client/redaction/stored.ts'
import { untilFileEnds } from '../../../fixtures/client/testing/until.ts'
import { KINDS, type Kind, PRODUCTS } from '../../../fixtures/ground/products.ts'
import { onlyRun, served, statesOf } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'
import { drawn } from '../testing/commit-draw.ts'

const { baseUrl, control } = await served({}, untilFileEnds())

const products = Map.groupBy(PRODUCTS, ({ kinds }) => kinds.join()).values()
const claims = [...products].map(claimed => [claimed.map(({ id }) => id).join(), claimed] as const)

// The credential is live for all other products: a booking of one would cost money. The deployment counts bookings by kind.
// Each commit draws one.
test.each(drawn(claims, 1, ([ids]) => ids))(
  "where %s alone is claimed, nothing else is quoted, nor booked by the deployment's own count",
  async (ids, products) => {
    const kinds: readonly Kind[] = products[0]!.kinds
    const modes = Object.fromEntries(KINDS.map(kind => [kind, kinds.includes(kind) ? 'test' : 'live']))
    const { tenant, token } = await control.mint({ modes })
    const env = {
      TSS_BASE_URL: baseUrl,
      TSS_TOKEN: token,
      TSS_PRODUCTS: ids,
      // Vouchers of operator A take a minute in test mode, and this test needs none.
      TSS_PATIENCE_MINUTES: '0.02',
    }
    const cwd = freshFolder()
    const most = `${250 * products.length}`
    const { stdout } = await runTss(['certify', '--max-requests', most, '--json'], { cwd, env })
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], leftovers: [] })
    const quoted = readFileSync(join(onlyRun(cwd), 'exchanges.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Partial<StoredExchange>)
      .filter(({ request, response }) => request?.method === 'POST' && response?.status === 200)
      .flatMap(({ request }) => /^\/api\/v2\/(\w+)\/availability/.exec(request!.path)?.[1] ?? [])
    expect(quoted.filter(product => !ids.includes(`v2-${product}`))).toEqual([])
    const { bookings, issued } = await control.counters(tenant)
    const others = KINDS.filter(kind => !kinds.includes(kind))
    expect(others.map(kind => [kind, bookings[kind] ?? 0])).toEqual(others.map(kind => [kind, 0]))
    expect(KINDS.map(kind => issued?.[kind] ?? 0)).toEqual([0, 0, 0, 0])
    if (products.some(({ version }) => version === 'v2')) {
      expect(kinds.reduce((sum, kind) => sum + (bookings[kind] ?? 0), 0)).toBeGreaterThan(0)
      const states = await statesOf(onlyRun(cwd), baseUrl, token)
      expect([...states].filter(([, state]) => state !== 'cancelled' && state !== 'failed')).toEqual([])
    }
  },
)
