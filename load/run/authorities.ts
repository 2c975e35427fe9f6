import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Passes private certificate authorities of Node, and of a definition, on to k6. Go reads one file instead of its default; if
 * there are several, they are joined into one at `path`.
 *
 * @param own the authorities of the definition, as text
 */
export function authoritiesFor(
  { NODE_EXTRA_CA_CERTS: further, SSL_CERT_FILE: usual }: NodeJS.ProcessEnv,
  path: string,
  own?: string,
): { SSL_CERT_FILE?: string } {
  const files = [...new Set([usual, further].filter(file => file !== undefined))]
  if (own === undefined && further === undefined) return {}
  if (own === undefined && files.length === 1) return { SSL_CERT_FILE: files[0]! }
  // Neither Node nor Go fails for a missing file.
  const texts = files.flatMap(file => (existsSync(file) ? [readFileSync(file, 'utf8')] : []))
  writeFileSync(path, [...texts, ...(own === undefined ? [] : [own])].join('\n'))
  return { SSL_CERT_FILE: path }
}
