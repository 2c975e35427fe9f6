import { expect, test } from 'vitest'
import { PRODUCTS } from '../../fixtures/ground/products.ts'
import { OF_ALL, REQUESTS } from './forecast.ts'
import { generous, served } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'

/** The tolerated deviation: checks may find other standing bookings, and polls take different times. */
const SLACK = 0.15

test('a run with two credentials and no control sends about as many requests as are foretold', async () => {
  const { baseUrl, control } = await served({ variants: { generous } })
  const token = async () => (await control.mint({ variant: 'generous' })).token
  const env = {
    TSS_BASE_URL: baseUrl,
    TSS_TOKEN: await token(),
    TSS_TOKEN_OTHER: await token(),
    TSS_PER_MINUTE: '1000000',
    TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
  }
  const { stdout } = await runTss(['certify', '--json'], { cwd: freshFolder(), env })
  const { requests } = JSON.parse(stdout) as { requests: Record<'v1' | 'v2', number> }
  for (const version of ['v1', 'v2'] as const) {
    const products = PRODUCTS.filter(product => product.version === version)
    const foretold = OF_ALL[version] * products.reduce((sum, { id }) => sum + REQUESTS[id], 0)
    expect(
      Math.abs(requests[version] - foretold) / foretold,
      `${requests[version]} of ${version}`,
    ).toBeLessThan(SLACK)
  }
})
