import { constants } from 'node:fs'
import { access, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createText } from '../../../fixtures/output/files.ts'
import { incomplete, wrongCall } from '../../../fixtures/run/failure.ts'

/**
 * Makes sure, before anything is sent, that a new definition can be written.
 *
 * @throws {Failure} 2 if it exists or cannot be made
 */
export async function makeSureOf(file: string): Promise<void> {
  if (await exists(file))
    throw wrongCall(
      `${file} exists, and init overwrites nothing: move it away, or name another definition with --file.`,
    )
  await access(dirname(file), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw wrongCall(
      `No definition can be written into ${dirname(file)} (${error.code}): make that folder, or name another place with --file.`,
    )
  })
}

export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Writes a new file. @throws {Failure} 3 if that fails */
export async function writeNew(file: string, text: string): Promise<void> {
  await createText(file, text).catch((error: NodeJS.ErrnoException) => {
    throw incomplete(`${file} could not be written (${error.code}).`, { cause: error })
  })
}

/**
 * Writes credentials into a new file that only its owner can read.
 *
 * @throws {Failure} 3 if that fails
 */
export async function writeCredentials(
  file: string,
  credentials: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600)
    const lines = Object.entries(credentials).map(
      ([variable, value]) => `${variable}=${quotedForDotenv(value)}\n`,
    )
    await handle.writeFile(
      `# Credentials of the deployment that is certified. Keep this file to yourself.\n${lines.join('')}`,
    )
    await handle.close()
  } catch (error) {
    throw incomplete(`${file} could not be written (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    })
  }
}

/** Quotes characters that dotenv would interpret: comments, quotes, spaces at the ends. */
const quotedForDotenv = (value: string): string => (/^[\w.~+/=:,-]+$/.test(value) ? value : `'${value}'`)

/** Whether git would add a `.env` in the folder: the folder is under version control and does not ignore it. */
export async function showsDotEnv(folder: string): Promise<boolean> {
  const ignored = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')
  return !ignored
    .split('\n')
    .some(line => /^(\/|\*\*\/)?\.env(\.?\*)?\/?$/.test(line.trim()) || line.trim() === '*')
}
