import { expect, test } from 'vitest'
import { startAltered } from './testing/altered-deployment.ts'
import { everythingIn, onlyRun } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'
import { behindGateway } from './testing/gateway.ts'

test('a run goes over a proxy with a client certificate, and no output has a secret of either', async () => {
  const deployment = await startAltered((_request, pass) => pass())
  const company = await deployment.env(['v2-transfers'])
  const { env: gateway, proxy, expectNoSecretIn } = await behindGateway(deployment.baseUrl)
  const env = { ...company, ...gateway }
  const cwd = freshFolder()
  const run = await runTss(['certify', '--only', 'V2-IDEM-REPLAY-STATUS'], { cwd, env })
  expect(run.stdout, run.stderr).toMatch(/^CONFORMS /)
  expect(deployment.requests.filter(({ path }) => path.includes('/bookings')).length).toBeGreaterThan(1)
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT staging.example:443']))

  const wrong = { ...env, TSS_TLS_PASSPHRASE: `${env.TSS_TLS_PASSPHRASE}-not` }
  const refused = await runTss(['doctor'], { cwd, env: wrong })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('TSS_TLS_PASSPHRASE does not open tls.key: check it')

  const { TSS_TLS_CERT: _cert, TSS_TLS_KEY: _key, ...without } = env
  const missing = await runTss(['doctor'], { cwd, env: without })
  expect(missing.stdout).toContain(`  proxy: http://127.0.0.1:${proxy.port} (HTTPS_PROXY)\n`)
  expect(missing.stdout).toMatch(/asks for a client certificate, and none was sent; give it as tls\.cert/)
  expect(missing.stdout).toContain('A run cannot start.')
  expect(missing.code).toBe(3)

  const said = [run, refused, missing].map(({ stdout, stderr }) => stdout + stderr)
  expectNoSecretIn(said.join('\n') + everythingIn(onlyRun(cwd)))
})
