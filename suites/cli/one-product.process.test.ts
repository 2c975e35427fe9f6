import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Kind, PRODUCTS } from '../../fixtures/service/products.ts'
import { onlyRun, served, statesOf } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'
import { drawn } from './testing/commit-draw.ts'

/** Availability endpoints of other products, which must not be called if one product is claimed. */
const OTHERS = {
  'v2-hotels': /\/v2\/(?:transfers|tickets)\/availability/,
  'v2-tickets': /\/v2\/(?:transfers|hotels)\/availability/,
} as const

// Each commit runs one of them whole, drawn at random; the first requests of all are counted below.
test.each(drawn(['v2-hotels', 'v2-tickets'] as const, 1, product => product))(
  'a definition that claims %s alone has bookings checked, and nothing else quoted or booked',
  async product => {
    const cwd = freshFolder()
    const embedded = new URL('../../fixtures/deployments/embedded.ts', import.meta.url).href
    writeFileSync(
      join(cwd, 'one.ts'),
      `import embedded from '${embedded}'
       export { launch } from '${embedded}'
       export default addresses => ({ ...embedded(addresses), name: 'one', products: ['${product}'] })`,
    )
    const { code } = await runTss(['certify', '--deployment', 'one.ts'], { cwd })
    expect(code).toBe(0)
    const lines = readFileSync(join(onlyRun(cwd), 'exchanges.ndjson'), 'utf8').split('\n')
    const asked = lines.flatMap(line => {
      if (line === '') return []
      const { method, path } = (JSON.parse(line) as { request: { method: string; path: string } }).request
      return method === 'POST' ? [path] : []
    })
    expect(asked.filter(path => OTHERS[product].test(path))).toEqual([])
    // An item is booked from an offer, and no offer of another product was ever requested.
    expect(asked.filter(path => path === '/api/v2/bookings').length).toBeGreaterThan(100)
  },
)

/** The counters under which bookings of a product are counted. */
const KINDS_OF: Readonly<Record<string, readonly Kind[]>> = {
  'v2-transfers': ['transfers'],
  'v2-tickets': ['parkA', 'parkB'],
  'v2-hotels': ['hotels'],
  'v1-transfers': ['transfers'],
  'v1-park-a': ['parkA'],
  'v1-park-b': ['parkB'],
  'v1-hotels': ['hotels'],
}

// The credential is live for all other products: a booking of one would cost money.
test.each(PRODUCTS.map(({ id }) => id))(
  "where %s alone is claimed, the deployment's own count has no booking of anything else",
  async product => {
    const { baseUrl, control } = await served()
    const kinds = KINDS_OF[product]!
    const everything = ['transfers', 'parkA', 'parkB', 'hotels'] as const
    const modes = Object.fromEntries(everything.map(kind => [kind, kinds.includes(kind) ? 'test' : 'live']))
    const { tenant, token } = await control.mint({ modes })
    const env = {
      TSS_BASE_URL: baseUrl,
      TSS_TOKEN: token,
      TSS_PRODUCTS: product,
      // Vouchers of operator A take a minute in test mode, and this test needs none.
      TSS_PATIENCE_MINUTES: '0.02',
    }
    const cwd = freshFolder()
    const { stdout } = await runTss(['certify', '--max-requests', '250', '--json'], { cwd, env })
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], leftovers: [] })
    const { bookings, issued } = await control.counters(tenant)
    const others = everything.filter(kind => !kinds.includes(kind))
    expect(others.map(kind => [kind, bookings[kind] ?? 0])).toEqual(others.map(kind => [kind, 0]))
    expect(everything.map(kind => issued?.[kind] ?? 0)).toEqual([0, 0, 0, 0])
    if (product.startsWith('v2-')) {
      expect(kinds.reduce((sum, kind) => sum + (bookings[kind] ?? 0), 0)).toBeGreaterThan(0)
      const states = await statesOf(onlyRun(cwd), baseUrl, token)
      expect([...states].filter(([, state]) => state !== 'cancelled' && state !== 'failed')).toEqual([])
    }
  },
  120_000,
)
