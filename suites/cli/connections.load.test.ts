import { expect, test } from 'vitest'
import { behindGateway } from './testing/behind-gateway.ts'
import { company, everythingIn, load, onlyRun } from './testing/booked.ts'

test('load goes over a proxy with a client certificate, and no output has a secret of either', async () => {
  const { baseUrl, env } = await company()
  const { env: gateway, proxy, expectNoSecretIn } = await behindGateway(baseUrl)
  const { record, cwd, stdout, stderr, code } = await load(
    ['--scenario', 'journey-mix', '--profile', 'smoke'],
    { ...env, ...gateway, TSS_LOAD_MAX_RATE: '50' },
  )
  expect(record.load?.scenarios[0]?.requests.sent, stdout + stderr).toBeGreaterThan(5)
  expect(code, stdout + stderr).toBe(0)
  // Nobody else knows that name.
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT staging.example:443']))
  expectNoSecretIn(stdout + stderr + everythingIn(onlyRun(cwd)))
})
