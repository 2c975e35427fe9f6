import { expect, test } from 'vitest'
import { behindGateway, guarded, HEADERS } from '../testing/behind-gateway.ts'
import { everythingIn, load, onlyRun } from '../testing/booked.ts'

test('load goes over a proxy with a client certificate and headers, and no output has a secret of any', async () => {
  const deployment = await guarded()
  const { env: company } = await deployment.company(['v2-transfers'])
  const { env: gateway, proxy, expectNoSecretIn } = await behindGateway(deployment.baseUrl)
  const env = { ...company, ...gateway, ...HEADERS, TSS_LOAD_MAX_RATE: '50' }
  const args = ['--scenario', 'journey-mix', '--set', 'rate=2,duration=3']
  const { code, cwd, stdout, stderr } = await load(args, env)
  expect(code, stdout + stderr).toBe(0)
  expect(deployment.requests.length).toBeGreaterThan(6)
  expect(deployment.without).toEqual([])
  // Nobody else knows that name.
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT staging.example:443']))
  const left = stdout + stderr + everythingIn(onlyRun(cwd))
  expectNoSecretIn(left)
  for (const secret of Object.values(HEADERS)) expect(left).not.toContain(secret)
})
