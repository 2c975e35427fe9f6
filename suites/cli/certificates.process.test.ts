import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createAuthority, read, securing } from '../../fixtures/client/testing/certificates.ts'
import { startAltered } from './testing/altered-deployment.ts'
import { everythingIn, onlyRun } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'

const PASSPHRASE = 'words+nobody-may-see'

/** Starts the embedded deployment behind a gateway that asks for a client certificate. */
async function behindCertificates() {
  const authority = createAuthority()
  const deployment = await startAltered((_request, pass) => pass())
  const baseUrl = await securing(new URL(deployment.baseUrl), {
    ...read(authority.issue('IP:127.0.0.1')),
    ca: readFileSync(authority.ca),
    requestCert: true,
    rejectUnauthorized: true,
  })
  const { cert, key } = authority.issue('DNS:partner', 'now', PASSPHRASE)
  const env = {
    ...(await deployment.env(['v2-transfers'])),
    TSS_BASE_URL: baseUrl,
    TSS_TLS_CERT: cert,
    TSS_TLS_KEY: key,
    TSS_TLS_CA: authority.ca,
  }
  return { deployment, env, key }
}

test('a run goes through with a client certificate, and no output has its key or passphrase', async () => {
  const { deployment, env, key } = await behindCertificates()
  const cwd = freshFolder()
  const run = await runTss(['certify', '--only', 'V2-IDEM-REPLAY-STATUS'], {
    cwd,
    env: { ...env, TSS_TLS_PASSPHRASE: PASSPHRASE },
  })
  expect(run.stdout).toMatch(/^CONFORMS /)
  expect(deployment.requests.filter(({ path }) => path.includes('/bookings')).length).toBeGreaterThan(1)
  const wrong = await runTss(['doctor'], { cwd, env: { ...env, TSS_TLS_PASSPHRASE: `${PASSPHRASE}-not` } })
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('TSS_TLS_PASSPHRASE does not open tls.key: check it')
  const everything =
    [run, wrong].map(({ stdout, stderr }) => stdout + stderr).join('') + everythingIn(onlyRun(cwd))
  expect(everything).not.toContain(PASSPHRASE)
  for (const line of readFileSync(key, 'utf8').split('\n').slice(1, -2))
    expect(everything).not.toContain(line)
})

test('a client certificate that is missing is named by doctor, which ends with 3', async () => {
  const {
    env: { TSS_TLS_CERT: _cert, TSS_TLS_KEY: _key, ...env },
  } = await behindCertificates()
  const { code, stdout } = await runTss(['doctor'], { env })
  expect(stdout).toMatch(/asks for a client certificate, and none was sent; give it as tls\.cert/)
  expect(stdout).toContain('A run cannot start.')
  expect(code).toBe(3)
})
