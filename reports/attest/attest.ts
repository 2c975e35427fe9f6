import { join } from 'node:path'
import { z } from 'zod'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { LARGEST, readFileOf } from '../../fixtures/read-file.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/read-json.ts'
import { EXIT, Failure } from '../../fixtures/run/failure.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { holdsExchanges, RUN_FILES, type StoredRun } from '../folder/read.ts'
import { digestOf, digestOfKit } from './digests.ts'
import { whyNotAttested } from './refusal.ts'
import { type Proof, type Statement, statementOf } from './statement.ts'

/** The error for a run that cannot be attested. The message says why and what to do. */
export class AttestationRefused extends Failure {
  override readonly name = 'AttestationRefused'

  constructor(message: string) {
    super(EXIT.violates, message)
  }
}

/**
 * States the result of a stored run, with the digests of its record and its evidence.
 *
 * @param proof the file `prove.json` of a `travel-sales prove` of this kit
 * @throws {AttestationRefused} for a run or a proof that cannot be attested
 */
export async function attest({ dir, record }: StoredRun, proof: string | undefined): Promise<Statement> {
  const refuse = (why: string) => new AttestationRefused(`Run ${record.run} is not attested: ${why}.`)
  const refused = whyNotAttested(record)
  if (refused !== undefined) throw refuse(refused)
  if (record.kit.version !== kit.version) {
    throw new AttestationRefused(
      `Run ${record.run} was made by version ${record.kit.version} of the kit, and this is ${kit.version}: attest it with that version, or run again.`,
    )
  }
  const name = RUN_FILES.exchanges
  const digest = await digestOf(join(dir, name)).catch((error: NodeJS.ErrnoException) => {
    throw refuse(`its evidence ${name} could not be read (${error.code}); keep the folder of a run whole`)
  })
  if (!(await holdsExchanges(join(dir, name)))) throw refuse(`its evidence ${name} holds no exchange`)
  const own = await digestOf(join(dir, RUN_FILES.record))
  const digests = { record: own, kit: await digestOfKit(), evidence: { [name]: digest } }
  const subject = record.subject === 'client' ? 'client' : undefined
  return statementOf(record, digests, proof === undefined ? undefined : await readProof(proof, subject))
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
  const [proven, judged] = [data.subject, subject].map(one => one ?? 'deployment')
  if (proven !== judged) throw refuse(`it is about ${proven}s, and the run about a ${judged}`)
  if (data.only !== undefined) throw refuse(`it proves ${data.only} alone: run ${commandLine('prove')} whole`)
  if (!data.proven) throw refuse('it says that the kit missed something')
  return {
    seed: data.seed,
    finishedAt: data.finishedAt,
    deviants: data.deviants.length,
    harmless: data.benign.length,
    digest: { sha256: await digestOf(file) },
  }
}
