import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { createAuthority, read, securing } from '../../../fixtures/client/testing/certificates.ts'
import { startForwardProxy } from '../../../fixtures/client/testing/forward-proxy.ts'
import { startAltered } from './altered-deployment.ts'

const PASSPHRASE = 'words+nobody-may-see'
const PROXY_PASSWORD = 'proxy+nobody-may-see'

/**
 * Puts a deployment behind a gateway that asks for a client certificate, and behind a proxy that alone knows its name, until the
 * test ends.
 *
 * @returns the variables that lead there
 */
export async function behindGateway(baseUrl: string) {
  const authority = await createAuthority()
  const gateway = await securing(new URL(baseUrl), {
    ...read(await authority.issue('DNS:staging.example')),
    ca: readFileSync(authority.ca),
    requestCert: true,
    rejectUnauthorized: true,
  })
  const { cert, key } = await authority.issue('DNS:partner', 'now', PASSPHRASE)
  const login = `ada:${PROXY_PASSWORD}`
  const proxy = await startForwardProxy({
    hosts: { 'staging.example': Number(new URL(gateway).port) },
    login,
  })
  return {
    proxy,
    env: {
      TSS_BASE_URL: 'https://staging.example',
      TSS_TLS_CERT: cert,
      TSS_TLS_KEY: key,
      TSS_TLS_CA: authority.ca,
      TSS_TLS_PASSPHRASE: PASSPHRASE,
      HTTPS_PROXY: `http://${login}@127.0.0.1:${proxy.port}`,
    },
    /** Expects that a text has no part of the key, and neither passphrase nor password. */
    expectNoSecretIn(everything: string) {
      expect(everything).not.toContain(PASSPHRASE)
      expect(everything).not.toContain(PROXY_PASSWORD)
      expect(everything).not.toContain(Buffer.from(login).toString('base64'))
      for (const line of readFileSync(key, 'utf8').split('\n').slice(1, -2))
        expect(everything).not.toContain(line)
    },
  }
}

const KEY = 'gw-9Kd3Lq7ZpX2vB5tW'
const SECRET = 'cf.Secret-8842ab90ffe17c'
/** What such a gateway asks for, in the environment of commands. */
export const HEADERS = { TSS_HEADER_X_GATEWAY_KEY: KEY, TSS_HEADER_CF_ACCESS_CLIENT_SECRET: SECRET }

/** A gateway that lets nobody through without its headers, and repeats them in every answer. */
export async function guarded() {
  const without: string[] = []
  const deployment = await startAltered(async ({ method, path, headers }, pass) => {
    if (headers['x-gateway-key'] !== KEY || headers['cf-access-client-secret'] !== SECRET) {
      without.push(`${method} ${path}`)
      return { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>Forbidden</html>' }
    }
    const answer = await pass()
    const isJson = String(answer.headers['content-type']).includes('json')
    const body = isJson ? String(answer.body).replace(/^\{/, `{"via":"${KEY} ${SECRET}",`) : answer.body
    return { ...answer, headers: { ...answer.headers, 'x-via': `${KEY}; ${SECRET}` }, body }
  })
  return { ...deployment, without }
}
