import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../fixtures/client/testing/client.ts'
import type { RunRecord } from '../../../fixtures/record.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import { readRun } from '../../folder/read.ts'
import { countsOf } from '../../judge/kinds.ts'
import { exampleNdjson, exampleRecord } from '../../testing/example.ts'
import { attest, type Statement } from '../attest.ts'
import { type Envelope, seal } from '../envelope.ts'
import { verify } from '../verify.ts'

/** The example record without findings, with everything exercised that its profile asks for. */
export const conforming: RunRecord = {
  ...exampleRecord,
  kit,
  verdict: 'conforms',
  errors: [],
  leftovers: [],
  profile: { name: 'partner', least: 0.8, asked: 10, exercised: 9 },
  clauses: exampleRecord.clauses
    .filter(({ verdict }) => verdict !== 'error' && verdict !== 'blocked')
    .map(clause =>
      clause.verdict === 'violates' ? { ...clause, verdict: 'conforms', findings: [] } : clause,
    ),
}
conforming.coverage = { ...conforming.coverage, ...countsOf(conforming.clauses) }
delete conforming.halted
delete conforming.incomplete
delete conforming.only

export const { privateKey, publicKey } = generateKeyPairSync('ed25519')

/** Writes the folder of a run. */
export function runFolder(record: RunRecord = conforming): string {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'record.json'), JSON.stringify(record))
  writeFileSync(join(dir, 'exchanges.ndjson'), exampleNdjson)
  return dir
}

/** Attests a run, with a statement that its signer may have changed. */
export async function attested(
  dir: string,
  change: (statement: Statement) => unknown = same => same,
): Promise<Envelope> {
  const statement = await attest(await readRun(dir), undefined)
  return seal((change(statement) ?? statement) as object, privateKey)
}

/** Verifies an envelope. */
export const verified = (envelope: object, dir?: string, key = publicKey) =>
  verify(JSON.stringify(envelope), key, dir)
