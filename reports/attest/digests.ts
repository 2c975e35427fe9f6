import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { extension, root } from '../../fixtures/run/kit.ts'

/** Returns the SHA-256 of a file, in hexadecimal. @throws the system error */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** The folders of the kit that decide the result of a run. */
const JUDGING = ['fixtures', 'suites', 'reports']

/**
 * Returns the SHA-256 over the names and contents of every module that runs or judges checks. It is the same
 * wherever the same package is installed. A checkout differs from its package, since that contains JavaScript.
 */
export async function digestOfKit(): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for (const folder of JUDGING) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      const path = relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
      if (entry.isFile() && isModule(path)) files.push(path)
    }
  }
  for (const path of files.sort()) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

const isModule = (path: string): boolean =>
  path.endsWith(`.${extension}`) && !/\.test\.|\/testing\/|^reports\/out\/|^suites\/browser\//.test(path)
