import { expect, test } from 'vitest'
import { behindGateway } from './testing/behind-gateway.ts'
import { company, everythingIn, load, onlyRun } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'

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
  const args = ['load', '--scenario', 'journey-mix', '--write-plan', 'plans']
  const planned = await runTss(args, {
    cwd: freshFolder(),
    env: { ...env, ...gateway, TSS_LOAD_MAX_RATE: '50' },
  })
  expect(planned.stderr).toMatch(/No plan was written: .* is reached with certificates of its own \(tls\)/)
  expect(planned.code).toBe(2)
  expectNoSecretIn(planned.stdout + planned.stderr)
  expectNoSecretIn(stdout + stderr + everythingIn(onlyRun(cwd)))
})
