import { expect, onTestFinished, test } from 'vitest'
import type { Control } from '../../fixtures/control.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import type { Variant } from '../../fixtures/reference/rules.ts'
import { startReference } from '../../fixtures/reference/server.ts'
import { PRODUCTS } from '../../fixtures/service/products.ts'
import { REQUESTS } from './forecast.ts'
import { freshFolder, runTss } from './testing/command.ts'

/** What a market and a machine may add or spare: checks find other bookings that stand, and polls take other times. */
const SLACK = 0.15

test('a run with two credentials and no control sends about as many requests as are foretold', async () => {
  const max = { v1: 1_000_000, v2: 1_000_000 }
  const unlimited: Variant = { rules: rules => ({ ...rules, rateLimit: { ...rules.rateLimit, max } }) }
  const reference = await startReference({ variants: { unlimited } })
  onTestFinished(() => reference.stop())
  const { mint } = httpControl(reference.controlUrl) as Required<Control>
  const token = async () => (await mint({ variant: 'unlimited' })).token
  const env = {
    TSS_BASE_URL: reference.baseUrl,
    TSS_TOKEN: await token(),
    TSS_TOKEN_OTHER: await token(),
    TSS_PER_MINUTE: '1000000',
    TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
  }
  const { stdout } = await runTss(['certify', '--json'], { cwd: freshFolder(), env })
  const { requests } = JSON.parse(stdout) as { requests: Record<'v1' | 'v2', number> }
  for (const version of ['v1', 'v2'] as const) {
    const products = PRODUCTS.filter(product => product.version === version)
    const foretold = products.reduce((sum, { id }) => sum + REQUESTS[id], 0)
    expect(
      Math.abs(requests[version] - foretold) / foretold,
      `${requests[version]} of ${version}`,
    ).toBeLessThan(SLACK)
  }
}, 240_000)
