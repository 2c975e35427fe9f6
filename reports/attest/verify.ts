import { createHash, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { storedExchangeSchema } from '../../fixtures/client/redaction/index.ts'
import { KIND_NAMES } from '../../fixtures/ground/products.ts'
import { chunksOf, linesOf } from '../../fixtures/ground/read-file.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/ground/read-json.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { EXIT, Failure } from '../../fixtures/run/failure.ts'
import { extension, kit, root } from '../../fixtures/run/kit.ts'
import { withoutControls } from '../../fixtures/secrets/control-characters.ts'
import { RUN_FILES, RunNotReadable, readRun, type StoredRun } from '../folder/write.ts'
import { missingLines, outcomeOf } from '../judge/outcome.ts'
import { LEAST } from '../judge/profile.ts'
import { deploymentLine, notLookedAtLine } from '../render/digest.ts'
import { count, present, shorten } from '../render/plain.ts'
import { differenceOf, whyNotComputed } from './computed.ts'
import { envelopeSchema, keyId, open, PAYLOAD_TYPE } from './keys.ts'
import { type Statement, statementOf, statementSchema } from './statement.ts'

/** How far the clocks of two machines may differ, or one clock may jump, in milliseconds. */
const CLOCKS_DIFFER = 24 * 60 * 60 * 1000

/**
 * Returns why no run of this version of the kit can have come to a statement, in a sentence, or `undefined`. It needs nothing beside the
 * statement, so that one without its folder is not believed either.
 */
function whyImpossible({ predicate }: Statement): string | undefined {
  const { result, passedTests, warnedTests, travelSalesConformance: details } = predicate
  const { startedAt, finishedAt, profile, coverage, notExercised, waivers } = details
  if (!(Date.parse(startedAt) <= Date.parse(finishedAt)))
    return `it ends (${finishedAt}) before it starts (${startedAt})`
  if (Date.parse(finishedAt) > Date.now() + CLOCKS_DIFFER) return `it ends at ${finishedAt}, which is to come`

  const catalogue: Readonly<Record<string, Clause>> = CLAUSES
  const ids = [...passedTests, ...warnedTests, ...notExercised]
  const unknown = ids.find(id => !Object.hasOwn(catalogue, id))
  if (unknown !== undefined) return `it speaks of ${unknown}, which is no clause`
  if (new Set(ids).size < ids.length) return 'it lists a clause twice'
  const waived = new Set(waivers.map(({ clause }) => clause))
  const unkept = warnedTests.find(id => catalogue[id]!.level === 'must' && !waived.has(id))
  if (unkept !== undefined) return `${unkept} is required, and is neither kept nor waived`
  if ((result === 'PASSED') !== (warnedTests.length === 0))
    return `it is ${result}, and ${warnedTests.length} of its clauses are not kept`

  const counted = {
    applicable: ids.length,
    exercised: passedTests.length + warnedTests.length,
    conforming: passedTests.length,
  }
  const differs = differenceOf(counted, coverage, false)
  if (differs !== undefined)
    return `it says ${differs.told} under coverage.${differs.path}, and its lists come to ${differs.said}`
  for (const { kind, applicable, exercised, conforming } of coverage.kinds ?? []) {
    const falling = [counted.applicable, applicable, exercised, conforming, 0]
    if (falling.some((number, at) => number < (falling[at + 1] ?? 0)))
      return `it counts ${conforming} conforming of ${exercised} exercised of ${applicable} applicable for ${kind}`
  }
  const { name, asked, exercised } = profile
  return asked < 1 || exercised > asked || exercised < LEAST[name] * asked
    ? `it exercised ${exercised} of ${asked} that the profile ${name} asks for`
    : undefined
}

/**
 * Returns why the exchanges of a run are no evidence for its record, in a sentence, or `undefined`. A deployment is the one
 * at whose address the exchanges took place.
 */
async function whyNoEvidence(
  dir: string,
  {
    deployment: { baseUrl },
    requests,
    startedAt,
    finishedAt,
  }: Pick<RunRecord, 'deployment' | 'requests' | 'startedAt' | 'finishedAt'>,
): Promise<string | undefined> {
  const [from, to] = [startedAt, finishedAt].map(time => Date.parse(time)) as [number, number]
  let holdsAny = false
  const held = { v1: 0, v2: 0 }
  try {
    for await (const line of linesOf(join(dir, RUN_FILES.exchanges))) {
      const { data } = storedExchangeSchema.safeParse(jsonIn(line))
      if (data === undefined) continue
      const { id, request, version } = data
      const { url, path } = request
      const base = url.endsWith(path) ? url.slice(0, -path.length) : url
      if (normal(base) !== normal(baseUrl))
        return `its address is ${baseUrl}, and exchange ${id} went to ${base}`
      const at = Date.parse(data.startedAt)
      if (!(from - CLOCKS_DIFFER <= at && at <= to + CLOCKS_DIFFER))
        return `it was judged from ${startedAt} to ${finishedAt}, and exchange ${id} was sent at ${data.startedAt}`
      holdsAny = true
      if (version !== null) held[version]++
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return `its evidence ${RUN_FILES.exchanges} could not be read (${code})`
  }
  if (!holdsAny) return `its evidence ${RUN_FILES.exchanges} holds no exchange`
  const other = (['v1', 'v2'] as const).find(version => held[version] !== requests[version])
  if (other === undefined) return undefined
  return `its evidence ${RUN_FILES.exchanges} holds ${held[other]} exchanges of ${other}, and the run had ${requests[other]}: keep it whole`
}

/** Returns an address in the form in which equal ones are equal. A user, a query or a fragment may look like another address. */
const normal = (address: string): string =>
  URL.canParse(address) ? new URL(address).href.replace(/\/+$/, '') : address

/** Returns a sentence about the first expired waiver, if any. */
function expiredOf(waivers: readonly { owner: string; expires: string }[]): string | undefined {
  const today = new Date().toISOString().slice(0, 10)
  // What is no day has no end.
  const expired = waivers.find(({ expires }) => !(Date.parse(expires) >= Date.parse(today)))
  return expired && `a waiver of ${expired.owner} ended on ${expired.expires}`
}

/**
 * Returns why a run cannot be attested, in a sentence, or `undefined`. It must be a whole run that conforms and
 * reached its profile.
 */
export function whyNotAttested(record: RunRecord): string | undefined {
  const { load, subject, halted, only, profile, verdict, errors } = record
  if (load !== undefined) return 'it is a load run, which does not attest the document as a whole'
  if (subject === 'recording') return 'it judged recorded traffic, which anybody can write'
  if (subject === 'client')
    return 'it judged a client, and runs on deployments alone are signed: hand over its record.json and report.html'
  if (halted !== undefined) return `it was not completed: ${halted}`
  if (errors.length > 0) return `the kit itself failed in it (${errors[0]})`
  if (only !== undefined) return `only ${only} was judged: certify without --only and --failed`
  const missing = missingLines(record)
  if (missing.length > 0) return `it is incomplete: ${missing[0]}`
  if (verdict !== 'conforms') return `its verdict is ${verdict}: only what conforms is attested`
  const { passes, reasons } = outcomeOf(record)
  // Only what ended with 0 is signed, by its clauses and by what it says itself.
  if (!passes || record.gate?.passes === false)
    return `it does not pass: ${reasons[0]?.text.replace(/\.$/, '') ?? 'its gate is red'}`
  const expired = expiredOf(
    record.clauses.flatMap(({ findings }) => findings.flatMap(({ waived }) => waived ?? [])),
  )
  if (expired !== undefined) return expired
  if (profile === undefined) return 'it was judged by no profile: certify again'
  if (!record.clauses.some(({ verdict }) => verdict === 'conforms')) return 'it holds no clause that conforms'
  // The clauses of another version are not known here.
  return record.kit.version === kit.version
    ? whyNotComputed(record)
    : `version ${record.kit.version} of the kit made it, and this is ${kit.version}: use that version, or run again`
}

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

/**
 * Returns the SHA-256 of a file, in hexadecimal, or what it would be with lines that end as the kit ends them.
 * @throws the system error
 */
async function digestOf(file: string, ends?: 'as LF'): Promise<string> {
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
async function digestOfKit(): Promise<string> {
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
