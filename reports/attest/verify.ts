import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { KIND_NAMES } from '../../fixtures/ground/products.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/ground/read-json.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { withoutControls } from '../../fixtures/secrets/control-characters.ts'
import { RUN_FILES, RunNotReadable, readRun } from '../folder/read.ts'
import { deploymentLine, notLookedAtLine } from '../render/digest-lines.ts'
import { count, present, shorten } from '../render/plain.ts'
import { digestOf, digestOfKit } from './attest.ts'
import { differenceOf } from './computed.ts'
import { envelopeSchema, keyId, open, PAYLOAD_TYPE } from './envelope.ts'
import { whyNoEvidence } from './evidence.ts'
import { whyImpossible } from './impossible.ts'
import { expiredOf, whyNotAttested } from './refusal.ts'
import { type Statement, statementOf, statementSchema } from './statement.ts'

/** The error for an invalid attestation. The message says why. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified'
}

/** The content of a valid attestation. */
export interface Verified {
  statement: Statement
  keyId: string
  /** Whether the record and the evidence of the run were compared with it. */
  evidence: boolean
  /** Whether it was made by the same modules of the kit as those installed here, according to the signer. */
  sameKit: boolean
}

/**
 * Verifies an attestation, offline.
 *
 * @param text the envelope, as JSON
 * @param dir the folder of the run, to compare its record and evidence too
 * @throws {NotVerified} if anything does not match
 */
export async function verify(text: string, key: KeyObject, dir?: string): Promise<Verified> {
  const statement = statementIn(text, key)
  const { subject, predicate } = statement
  const [made] = predicate.configuration
  if (made!.name !== kit.name)
    throw new NotVerified(`It was made by ${JSON.stringify(made!.name)}, and not by ${kit.name}.`)
  const { version } = made!.annotations
  if (version !== kit.version)
    throw new NotVerified(
      `It was made by version ${onOneLine(version)} of the kit, and this is ${kit.version}: verify it with that version.`,
    )
  const expired = expiredOf(predicate.travelSalesConformance.waivers)
  if (expired !== undefined) throw new NotVerified(`It holds no longer: ${expired}.`)
  const impossible = whyImpossible(statement)
  if (impossible !== undefined)
    throw new NotVerified(`It is of no run that can be: ${onOneLine(shorten(impossible, 300))}.`)
  if (dir !== undefined) {
    const files = [
      { name: RUN_FILES.record, digest: subject[0]!.digest },
      ...predicate.travelSalesConformance.evidence,
    ]
    for (const file of files) await holdAgainst(dir, file.name, file.digest.sha256)
    await holdAgainstRecord(dir, statement)
  }
  if (!predicate.travelSalesConformance.evidence.some(({ name }) => name === RUN_FILES.exchanges))
    throw new NotVerified(`It does not cover ${RUN_FILES.exchanges}: evidence is missing.`)
  return {
    statement,
    keyId: keyId(key),
    evidence: dir !== undefined,
    sameKit: made!.digest.sha256 === (await digestOfKit()),
  }
}

function statementIn(text: string, key: KeyObject): Statement {
  const envelope = envelopeSchema.safeParse(jsonIn(text, OF_ANY_LENGTH)).data
  if (envelope === undefined) throw new NotVerified('It is no DSSE envelope.')
  if (envelope.payloadType !== PAYLOAD_TYPE)
    throw new NotVerified(`Its payload is ${JSON.stringify(envelope.payloadType)}, and not ${PAYLOAD_TYPE}.`)
  const payload = open(envelope, key)
  if (payload === undefined) {
    throw new NotVerified(
      `No signature of it was made with the key ${keyId(key)}, or it was changed afterwards: none of it can be trusted.`,
    )
  }
  const statement = statementSchema.safeParse(jsonIn(payload, OF_ANY_LENGTH)).data
  if (statement === undefined) {
    throw new NotVerified(
      'It is signed with that key, and is no statement that this version of the kit understands.',
    )
  }
  return statement
}

/**
 * Makes the statement again from the signed record and compares both, since the signer may have changed it.
 * @throws {NotVerified} naming the first field that differs
 */
async function holdAgainstRecord(dir: string, statement: Statement): Promise<void> {
  const { record } = await readRun(dir).catch((error: unknown) => {
    throw error instanceof RunNotReadable ? new NotVerified(error.message) : error
  })
  const refused = whyNotAttested(record) ?? (await whyNoEvidence(dir, record))
  if (refused !== undefined) throw new NotVerified(`Its record cannot be attested: ${onOneLine(refused)}.`)
  const { subject, predicate } = statement
  const { evidence } = predicate.travelSalesConformance
  const [made] = predicate.configuration
  const digests = {
    record: subject[0]!.digest.sha256,
    kit: made!.digest.sha256,
    evidence: Object.fromEntries(evidence.map(({ name, digest }) => [name, digest.sha256])),
  }
  const differs = differenceOf(statement, statementOf(record, digests), true)
  if (differs !== undefined) {
    const { path, said, told } = differs
    throw new NotVerified(
      `It says ${onOneLine(shorten(said, 100))} under ${path}, and its record ${onOneLine(shorten(told, 100))}.`,
    )
  }
}

/** Returns a signer's text on one line, so that it cannot imitate the kit's own lines. */
const onOneLine = (text: string): string =>
  withoutControls(text).replaceAll('\n', '\\u000a').replaceAll('\t', '\\u0009')

async function holdAgainst(dir: string, name: string, wanted: string): Promise<void> {
  // The name comes from the signer and must not lead out of the run's folder.
  if (!/^[\w.-]+$/.test(name))
    throw new NotVerified(`It names evidence outside the folder of a run: ${JSON.stringify(name)}.`)
  const digestIs = (ends?: 'as LF') =>
    digestOf(join(dir, name), ends).catch((error: NodeJS.ErrnoException) => {
      throw new NotVerified(`${name} could not be read in ${dir} (${error.code}): evidence is missing.`)
    })
  if ((await digestIs()) === wanted) return
  const what =
    (await digestIs('as LF')) === wanted
      ? 'has other line ends than the file that was attested: hand it over as it was written (in git, with -text in .gitattributes)'
      : 'is not the file that was attested: it was changed'
  throw new NotVerified(`${name} in ${dir} ${what}.`)
}

/** Returns in plain words what an attestation proves and what it does not. */
export function verifiedText({ statement, keyId: key, evidence, sameKit }: Verified): string {
  const { predicate, subject } = statement
  const details = predicate.travelSalesConformance
  const { profile, coverage, waivers } = details
  const version = predicate.configuration[0]!.annotations.version
  const about = deploymentLine(details)
  const missed = notLookedAtLine(details)
  const lines = present([
    `VERIFIED  Signed with the key ${key}, and not changed since.${about === undefined ? '' : ` ${about}.`}`,
    '',
    'It says',
    `  The ${details.subject} "${details.name}" (${subject[0]!.name}) was judged from ${details.startedAt} to ${details.finishedAt}, in run ${details.run}, by version ${version} of ${kit.name}.`,
    `  ${count(coverage.conforming, 'clause')} of ${coverage.exercised} that were exercised conform; ${coverage.exercised} of ${coverage.applicable} applicable ones were exercised.`,
    ...(coverage.kinds ?? []).map(
      ({ kind, applicable, exercised, conforming }) =>
        `  Of that, ${KIND_NAMES[kind]}: ${conforming} of ${exercised} conform; ${exercised} of ${applicable} were exercised.`,
    ),
    `  Profile ${profile.name}: ${profile.exercised} of the ${profile.asked} that it asks for were exercised.`,
    missed && `  ${missed}.`,
    predicate.warnedTests.length === 0
      ? undefined
      : `  Not kept, and only recommended or waived: ${predicate.warnedTests.join(', ')}.`,
    ...waivers.map(
      ({ clause, reason, owner, expires }) => `  Waived until ${expires} by ${owner}: ${clause} (${reason}).`,
    ),
    sameKit
      ? '  The kit that made it has the same modules as this one.'
      : '  The kit that made it has other modules than this one.',
    '',
    'That proves',
    '  Whoever holds the private key signed exactly this.',
    evidence
      ? '  The record and the evidence in the folder are those that were signed, and the record says the same.'
      : '  Nothing about the record and the evidence: compare them with --run <folder>.',
    '',
    'That does not prove',
    '  Who holds the key: obtain it through a channel that you trust.',
    '  That the run took place as its evidence says: whoever ran it could write any evidence. Run it yourself to know.',
    `  Anything about clauses that were not exercised (${details.notExercised.length}), or about any later day.`,
    '  That the kit that made it was unchanged: the signer alone says which modules it had.',
  ])
  return `${lines.map(onOneLine).join('\n')}\n`
}
