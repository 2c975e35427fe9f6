import { join } from 'node:path'
import { z } from 'zod'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { LARGEST, readFileOf } from '../../fixtures/read-file.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/read-json.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { holdsExchanges, RUN_FILES, type StoredRun } from '../folder/read.ts'
import { digestOf, digestOfKit } from './digests.ts'
import { whyNotAttested } from './refusal.ts'
import { type Proof, type Statement, statementOf } from './statement.ts'

/** A run that cannot be attested; the message says why and what to do. */
export class AttestationRefused extends Error {
  override readonly name = 'AttestationRefused'
}

/** Files of a run that show how it came to what it says. */
const EVIDENCE = [RUN_FILES.exchanges] as const

/**
 * States what a stored run found, with the digests of its record and its evidence.
 *
 * @param proof file of a `travel-sales prove` of this kit, `prove.json`
 * @throws {AttestationRefused} for a run or a proof that cannot be attested
 */
export async function attest({ dir, record }: StoredRun, proof: string | undefined): Promise<Statement> {
  const refused = whyNotAttested(record)
  if (refused !== undefined) throw new AttestationRefused(`Run ${record.run} is not attested: ${refused}.`)
  if (record.kit.version !== kit.version) {
    throw new AttestationRefused(
      `Run ${record.run} was made by version ${record.kit.version} of the kit, and this is ${kit.version}: attest it with that version, or run again.`,
    )
  }
  const evidence: Record<string, string> = {}
  for (const name of EVIDENCE) {
    evidence[name] = await digestOf(join(dir, name)).catch((error: NodeJS.ErrnoException) => {
      throw new AttestationRefused(
        `Run ${record.run} is not attested: its evidence ${name} could not be read (${error.code}); keep the folder of a run whole.`,
      )
    })
  }
  if (!(await holdsExchanges(join(dir, RUN_FILES.exchanges)))) {
    throw new AttestationRefused(
      `Run ${record.run} is not attested: its evidence ${RUN_FILES.exchanges} holds no exchange.`,
    )
  }
  return statementOf(
    record,
    { record: await digestOf(join(dir, RUN_FILES.record)), kit: await digestOfKit(), evidence },
    proof === undefined
      ? undefined
      : await readProof(proof, record.subject === 'client' ? 'client' : undefined),
  )
}

const proofSchema = z.looseObject({
  kit: z.object({ version: z.string() }),
  subject: z.literal('client').optional(),
  only: z.string().optional(),
  proven: z.boolean(),
  seed: z.number().int().optional(),
  finishedAt: z.string(),
  deviants: z.array(z.unknown()),
  benign: z.array(z.unknown()),
})

async function readProof(file: string, subject: 'client' | undefined): Promise<Proof> {
  const refuse = (why: string) => new AttestationRefused(`The proof ${file} is not attested: ${why}.`)
  const text = readFileOf(file, LARGEST.small, code =>
    refuse(`it could not be read (${code}); ${commandLine('prove')} writes prove.json`),
  )
  const given = jsonIn(text, OF_ANY_LENGTH)
  if (given === undefined) throw refuse(`it is not JSON; ${commandLine('prove')} writes prove.json`)
  const { data } = proofSchema.safeParse(given)
  if (data === undefined) throw refuse(`it is no prove.json of this version of ${commandLine('prove')}`)
  if (data.kit.version !== kit.version) throw refuse(`it is of version ${data.kit.version} of the kit`)
  if (data.subject !== subject) {
    throw refuse(
      `it is about ${data.subject ?? 'deployment'}s, and the run about a ${subject ?? 'deployment'}`,
    )
  }
  if (data.only !== undefined) throw refuse(`it proves ${data.only} alone: run ${commandLine('prove')} whole`)
  if (!data.proven) throw refuse('it says that the kit missed something')
  return {
    ...(data.seed === undefined ? {} : { seed: data.seed }),
    finishedAt: data.finishedAt,
    deviants: data.deviants.length,
    harmless: data.benign.length,
    digest: { sha256: await digestOf(file) },
  }
}
