import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { extension, root } from '../../fixtures/run/kit.ts'

/** Returns the SHA-256 of a file, in hexadecimal. @throws the error of the operating system */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Folders of the kit that decide what a run says. */
const JUDGING = ['fixtures', 'suites', 'reports']

/**
 * SHA-256 over the names and contents of every module of the kit that runs checks or judges them: the same wherever the
 * same package is installed, another where a module was changed. A checkout and the package that is built from it
 * differ, since the one is TypeScript and the other JavaScript.
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
