import { z } from 'zod'
import { KINDS } from '../../fixtures/ground/products.ts'
import { PROFILES, type RunRecord } from '../../fixtures/ground/record.ts'

/** The generic in-toto predicate for test results. */
const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'

const digest = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) })
const counts = { applicable: z.int(), exercised: z.int(), conforming: z.int() }
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
  seed: z.int().optional(),
  profile: z.object({ name: z.enum(PROFILES), asked: z.int(), exercised: z.int() }),
  coverage: z.object({
    ...counts,
    /** The counts for each kind of product. */
    kinds: z.array(z.object({ kind: z.enum(KINDS), ...counts })).optional(),
  }),
  notExercised: z.array(z.string()),
  /** Groups of clauses that the definition does not allow to exercise. */
  notLookedAt: z.array(z.object({ what: z.string(), clauses: z.int(), shownBy: z.string() })).optional(),
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
        ...deployment,
        ...record,
        subject: 'deployment',
        notExercised: idsOf('not exercised'),
        waivers: [...new Map(waivers.map(waiver => [JSON.stringify(waiver), waiver])).values()],
        evidence: Object.entries(digests.evidence).map(([name, sha256]) => ({ name, digest: { sha256 } })),
      }),
    },
  }
}
