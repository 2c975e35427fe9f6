import { expect, test } from 'vitest'
import { type Kind, PRODUCTS } from '../../fixtures/service/products.ts'
import { onlyRun, served, statesOf } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'

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
