import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder, runTss } from './command.ts'

/** The endpoints that a claim of one product must never ask the others for. */
const OTHERS = {
  'v2-hotels': /\/v2\/(?:transfers|tickets)\/availability/,
  'v2-tickets': /\/v2\/(?:transfers|hotels)\/availability/,
} as const

test.each(['v2-hotels', 'v2-tickets'] as const)(
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
    const [run] = readdirSync(join(cwd, 'reports/out'))
    const lines = readFileSync(join(cwd, 'reports/out', run!, 'exchanges.ndjson'), 'utf8').split('\n')
    const asked = lines.flatMap(line => {
      if (line === '') return []
      const { method, path } = (JSON.parse(line) as { request: { method: string; path: string } }).request
      return method === 'POST' ? [path] : []
    })
    expect(asked.filter(path => OTHERS[product].test(path))).toEqual([])
    // An item is booked from an offer, and no offer of anything else was ever asked for.
    expect(asked.filter(path => path === '/api/v2/bookings').length).toBeGreaterThan(100)
  },
)
