import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Tells k6 of a private authority that Node was told of. Go reads one file in place of its usual one: where the caller
 * names both, they are written into one at `path`.
 */
export function authoritiesFor(
  { NODE_EXTRA_CA_CERTS: further, SSL_CERT_FILE: usual }: NodeJS.ProcessEnv,
  path: string,
): { SSL_CERT_FILE?: string } {
  if (further === undefined) return {}
  if (usual === undefined || usual === further) return { SSL_CERT_FILE: further }
  // Neither Node nor Go stops at a file that is not there.
  const texts = [usual, further].flatMap(file => (existsSync(file) ? [readFileSync(file, 'utf8')] : []))
  writeFileSync(path, texts.join('\n'))
  return { SSL_CERT_FILE: path }
}
