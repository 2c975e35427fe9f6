import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLAUSES, clauseIds } from '../../../fixtures/clauses/index.ts'
import { temporaryFolder } from '../../../fixtures/client/testing/client.ts'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../../fixtures/run/collected.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import { readRun } from '../../folder/write.ts'
import { assemble } from '../../judge/assemble.ts'
import type { RunInput } from '../../judge/run-input.ts'
import { checkOf } from '../../testing/checks.ts'
import { exampleExchanges, exampleInput, exampleNdjson } from '../../testing/example.ts'
import { type Envelope, seal } from '../keys.ts'
import type { Statement } from '../statement.ts'
import { attest, verify } from '../verify.ts'

const sentTo = (version: string) => exampleExchanges.filter(one => one.version === version).length
const REQUESTS = { v1: sentTo('v1'), v2: sentTo('v2') }

/** Returns the record of a run in which one check decided some clauses, and the rest was not exercised. */
export const recordOfRun = (
  shown: readonly string[],
  input: Partial<RunInput> = {},
  more: readonly CollectedCheck[] = [],
): RunRecord =>
  assemble({
    ...exampleInput,
    kit,
    catalogue: CLAUSES,
    profile: 'partner',
    leftovers: [],
    requests: REQUESTS,
    collected: {
      ...exampleInput.collected,
      checks: [checkOf('suites/all.suite.ts > all', [...shown], { kind: 'transfers', sold: true }), ...more],
    },
    ...input,
  })

/** The record of a run that exercised everything, and conforms. */
export const conforming: RunRecord = recordOfRun(clauseIds)

export const { privateKey, publicKey } = generateKeyPairSync('ed25519')

/** Writes the folder of a run. */
export function runFolder(record: RunRecord = conforming, exchanges = exampleNdjson): string {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'record.json'), JSON.stringify(record))
  writeFileSync(join(dir, 'exchanges.ndjson'), exchanges)
  return dir
}

/** Attests a run, with a statement that its signer may have changed. */
export async function attested(
  dir: string,
  change: (statement: Statement) => unknown = same => same,
): Promise<Envelope> {
  const statement = await attest(await readRun(dir))
  return seal((change(statement) ?? statement) as object, privateKey)
}

/** Verifies an envelope. */
export const verified = (envelope: object, dir?: string, key = publicKey) =>
  verify(JSON.stringify(envelope), key, dir)
