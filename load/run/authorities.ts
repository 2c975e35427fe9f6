import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Passes private certificate authorities of Node on to k6. Go reads one file instead of its default; if the caller
 * names two, they are joined into one at `path`.
 */
export function authoritiesFor(
  { NODE_EXTRA_CA_CERTS: further, SSL_CERT_FILE: usual }: NodeJS.ProcessEnv,
  path: string,
): { SSL_CERT_FILE?: string } {
  if (further === undefined) return {}
  if (usual === undefined || usual === further) return { SSL_CERT_FILE: further }
  // Neither Node nor Go fails for a missing file.
  const texts = [usual, further].flatMap(file => (existsSync(file) ? [readFileSync(file, 'utf8')] : []))
  writeFileSync(path, texts.join('\n'))
  return { SSL_CERT_FILE: path }
}
