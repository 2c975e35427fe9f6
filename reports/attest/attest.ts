import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { chunksOf } from '../../fixtures/ground/read-file.ts'
import { EXIT, Failure } from '../../fixtures/run/failure.ts'
import { extension, root } from '../../fixtures/run/kit.ts'
import { RUN_FILES, type StoredRun } from '../folder/read.ts'
import { whyNoEvidence } from './evidence.ts'
import { whyImpossible } from './impossible.ts'
import { whyNotAttested } from './refusal.ts'
import { type Statement, statementOf } from './statement.ts'

/**
 * Returns the SHA-256 of a file, in hexadecimal, or what it would be with lines that end as the kit ends them.
 * @throws the system error
 */
export async function digestOf(file: string, ends?: 'as LF'): Promise<string> {
  const hash = createHash('sha256')
  // JSON holds no carriage return of its own.
  for await (const chunk of chunksOf(file))
    hash.update(ends === undefined ? chunk : chunk.filter(byte => byte !== CARRIAGE_RETURN))
  return hash.digest('hex')
}

const CARRIAGE_RETURN = 13

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

/**
 * States the result of a stored run, with the digests of its record and its evidence.
 *
 * @param embedded whether a run on the embedded deployment is signed, too
 * @throws {Failure} for a run that cannot be attested
 */
export async function attest({ dir, record }: StoredRun, embedded = false): Promise<Statement> {
  const refuse = (why: string) => new Failure(EXIT.violates, `Run ${record.run} is not attested: ${why}.`)
  const refused = whyNotAttested(record)
  if (refused !== undefined) throw refuse(refused)
  if (record.deployment.embedded && !embedded)
    throw refuse(
      'it judged the embedded deployment, which the kit brings; --embedded signs that nevertheless',
    )
  const name = RUN_FILES.exchanges
  const digest = await digestOf(join(dir, name)).catch((error: NodeJS.ErrnoException) => {
    throw refuse(`its evidence ${name} could not be read (${error.code}); keep the folder of a run whole`)
  })
  const unproven = await whyNoEvidence(dir, record)
  if (unproven !== undefined) throw refuse(unproven)
  const own = await digestOf(join(dir, RUN_FILES.record))
  const digests = { record: own, kit: await digestOfKit(), evidence: { [name]: digest } }
  const statement = statementOf(record, digests)
  const impossible = whyImpossible(statement)
  if (impossible !== undefined) throw refuse(impossible)
  return statement
}
