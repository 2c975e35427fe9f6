import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { authoritiesFor } from './k6-process.ts'

function files() {
  const dir = temporaryFolder()
  const [usual, further, both] = ['usual.pem', 'further.pem', 'both.pem'].map(name => join(dir, name))
  writeFileSync(usual!, 'the usual ones')
  writeFileSync(further!, 'a private one')
  return { usual: usual!, further: further!, both: both! }
}

test('it is added to those that the caller names for Go', () => {
  const { usual, further, both } = files()
  expect(authoritiesFor({ NODE_EXTRA_CA_CERTS: further, SSL_CERT_FILE: usual }, both)).toEqual({
    SSL_CERT_FILE: both,
  })
  expect(readFileSync(both, 'utf8')).toBe('the usual ones\na private one')
})
