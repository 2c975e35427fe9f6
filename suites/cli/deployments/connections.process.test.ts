import { expect, test } from 'vitest'
import { needing } from '../../../fixtures/output/testing/program.ts'
import { startAltered } from '../testing/altered-deployment.ts'
import { behindGateway } from '../testing/behind-gateway.ts'
import { everythingIn, onlyRun, recordIn } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'

test('a run goes over a proxy with a client certificate, and no output has a secret of either', async () => {
  const deployment = await startAltered()
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

needing('curl')(
  'a connection that nobody verified is told by every command: in its first words, its last ones and its record',
  async () => {
    const deployment = await startAltered()
    const company = await deployment.env(['v2-transfers'])
    const { env: gateway } = await behindGateway(deployment.baseUrl)
    const { TSS_TLS_CA: _ca, ...env } = { ...company, ...gateway, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    const upstream = ['--upstream', env.TSS_BASE_URL!, '--port', '0']
    const asking = `curl -so products.json "$TSS_PROXY_URL/api/v2/transfers/products" -H "Authorization: Bearer $TSS_TOKEN"`
    for (const args of [
      ['certify', '--only', 'TENANCY-V2-SAME-ANSWER'],
      ['watch', ...upstream, '--exec', asking],
      ['doctor'],
      ['doctor', '--try'],
      ['init'],
    ]) {
      const cwd = freshFolder()
      const { stdout, stderr } = await runTss(args, { cwd, env })
      const [name] = args
      expect(stderr, name).toMatch(/Certificates are not verified \(NODE_TLS_REJECT_UNAUTHORIZED=0\)/)
      expect(stdout, stderr).toMatch(
        /^Certificates (are|were) not verified \(NODE_TLS_REJECT_UNAUTHORIZED=0\)/m,
      )
      if (name === 'certify' || name === 'watch')
        expect(recordIn(cwd).deployment.certificates, name).toBe('not verified')
    }
  },
)
