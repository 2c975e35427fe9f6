import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { KINDS } from '../../fixtures/ground/products.ts'
import { chunksOf } from '../../fixtures/ground/read-file.ts'
import { PROFILES, type RunRecord } from '../../fixtures/ground/record.ts'
import { EXIT, Failure } from '../../fixtures/run/failure.ts'
import { extension, root } from '../../fixtures/run/kit.ts'
import { RUN_FILES, type StoredRun } from '../folder/read.ts'
import { whyNoEvidence } from './evidence.ts'
import { whyImpossible } from './impossible.ts'
import { whyNotAttested } from './refusal.ts'

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

/** The generic in-toto predicate for test results. */
const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'

const digest = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) })
const counts = { applicable: z.number().int(), exercised: z.number().int(), conforming: z.number().int() }
const described = z.object({ name: z.string(), digest })

/** The kit's additions to the predicate, which generic consumers ignore. */
const detailsSchema = z.object({
  run: z.string(),
  subject: z.literal('deployment'),
  name: z.string(),
  /** The deployment that the kit brings, and none of the signer's. */
  embedded: z.literal(true).optional(),
  /** Whoever answered may have been another. */
  certificates: z.literal('not verified').optional(),
  startedAt: z.string(),
  finishedAt: z.string(),
  seed: z.number().int().optional(),
  profile: z.object({ name: z.enum(PROFILES), asked: z.number().int(), exercised: z.number().int() }),
  coverage: z.object({
    ...counts,
    /** The counts for each kind of product. */
    kinds: z.array(z.object({ kind: z.enum(KINDS), ...counts })).optional(),
  }),
  notExercised: z.array(z.string()),
  /** Groups of clauses that the definition does not allow to exercise. */
  notLookedAt: z
    .array(z.object({ what: z.string(), clauses: z.number().int(), shownBy: z.string() }))
    .optional(),
  waivers: z.array(
    z.object({ clause: z.string(), reason: z.string(), owner: z.string(), expires: z.string() }),
  ),
  evidence: z.array(described),
})

/** An in-toto statement about a run of the kit. */
export const statementSchema = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(described).length(1),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.object({
    result: z.enum(['PASSED', 'WARNED']),
    configuration: z
      .array(z.object({ name: z.string(), digest, annotations: z.object({ version: z.string() }) }))
      .length(1),
    passedTests: z.array(z.string()),
    warnedTests: z.array(z.string()),
    failedTests: z.array(z.string()).length(0),
    travelSalesConformance: detailsSchema,
  }),
})
/** An in-toto statement about a run of the kit. */
export type Statement = z.infer<typeof statementSchema>

/** The digests in a statement, as SHA-256 in hexadecimal. */
interface Digests {
  record: string
  kit: string
  /** The files of evidence in the run's folder, by name. */
  evidence: Readonly<Record<string, string>>
}

/** States the result of a run that can be attested (`whyNotAttested`). */
export function statementOf(record: RunRecord, digests: Digests): Statement {
  const { kit, deployment, clauses } = record
  const idsOf = (verdict: string): string[] =>
    clauses.filter(clause => clause.verdict === verdict).map(({ id }) => id)
  const waivers = clauses.flatMap(({ id, findings }) =>
    findings.flatMap(({ waived }) => (waived === undefined ? [] : [{ clause: id, ...waived }])),
  )
  const warned = idsOf('violates')
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: deployment.baseUrl, digest: { sha256: digests.record } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: warned.length === 0 ? 'PASSED' : 'WARNED',
      configuration: [
        { name: kit.name, digest: { sha256: digests.kit }, annotations: { version: kit.version } },
      ],
      passedTests: idsOf('conforms'),
      warnedTests: warned,
      failedTests: [],
      // The schema keeps only the stated fields of the record.
      travelSalesConformance: detailsSchema.parse({
        ...record,
        subject: 'deployment',
        name: deployment.name,
        embedded: deployment.embedded,
        certificates: deployment.certificates,
        notExercised: idsOf('not exercised'),
        waivers: [...new Map(waivers.map(waiver => [JSON.stringify(waiver), waiver])).values()],
        evidence: Object.entries(digests.evidence).map(([name, sha256]) => ({ name, digest: { sha256 } })),
      }),
    },
  }
}

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
  const unproven = await whyNoEvidence(join(dir, name), `its evidence ${name}`, record)
  if (unproven !== undefined) throw refuse(unproven)
  const own = await digestOf(join(dir, RUN_FILES.record))
  const digests = { record: own, kit: await digestOfKit(), evidence: { [name]: digest } }
  const statement = statementOf(record, digests)
  const impossible = whyImpossible(statement)
  if (impossible !== undefined) throw refuse(impossible)
  return statement
}
