import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { LARGEST, readFileOf } from '../../fixtures/read-file.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/read-json.ts'
import { envelopeSchema } from '../attest/envelope.ts'
import { type Statement, statementSchema } from '../attest/statement.ts'
import { NotVerified, verifiedText, verify } from '../attest/verify.ts'
import { RunNotReadable } from '../folder/read.ts'
import type { History } from '../history/history.ts'
import { ATTESTATION, openRunOf } from '../history/read-history.ts'
import type { Registered } from './register-page.ts'

/** Reads the attestations of a history, newest first, and verifies them if a key is given. */
export async function registeredIn(history: History, key: KeyObject | undefined): Promise<Registered[]> {
  const attested = history.judged
    .flatMap(({ runs }) => runs.filter(run => run.attested))
    .toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
  const found: Registered[] = []
  for (const run of attested) {
    try {
      const { dir } = await openRunOf(history.folder, run.id)
      const text = readFileOf(join(dir, ATTESTATION), LARGEST.small, code => new RunNotReadable(code))
      found.push({ run, statement: claimed(text), verified: key && (await verified(text, key, dir)) })
    } catch (error) {
      if (!(error instanceof RunNotReadable)) throw error
      found.push({ run })
    }
  }
  return found
}

/** Returns the statement of an attestation without verifying it; `undefined` if invalid. */
function claimed(text: string): Statement | undefined {
  const envelope = envelopeSchema.safeParse(jsonIn(text, OF_ANY_LENGTH)).data
  const payload = envelope && Buffer.from(envelope.payload, 'base64')
  return statementSchema.safeParse(jsonIn(payload, OF_ANY_LENGTH)).data
}

async function verified(text: string, key: KeyObject, dir: string): Promise<Registered['verified']> {
  try {
    return { holds: true, text: verifiedText(await verify(text, key, dir)) }
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error
    return { holds: false, text: `NOT VERIFIED  ${error.message}` }
  }
}
