import { z } from 'zod'
import { type ClauseRecord, type RunRecord, runVerdictSchema } from '../../fixtures/record.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { shorten } from '../render/plain.ts'
import { readableRecordSchema } from '../schema.ts'
import { LETTERS, Verdicts } from './verdicts.ts'

/** Longest text of a record that is kept, and most operations: a record may say anything. */
const LONGEST = 300
const MOST_OPERATIONS = 300

const int = z.number().int()

const clauseSchema = readableRecordSchema.shape.clauses.element.omit({
  checks: true,
  kinds: true,
  cells: true,
})

/**
 * The part of a record that its summary is made of. Most of a record is findings and checks: to hold them to their form
 * takes longer than all the rest, and is left to whoever opens the run.
 */
export const summarizedSchema = readableRecordSchema
  .omit({ states: true, errors: true, totals: true, notLookedAt: true, undecided: true })
  .extend({
    clauses: z.array(clauseSchema.extend({ findings: z.array(z.object({ waived: z.unknown() }).partial()) })),
    checks: z.array(z.unknown()),
    load: z.object({ scenarios: z.array(z.unknown()) }).optional(),
  })
type Summarized = z.infer<typeof summarizedSchema>

/** What is kept of a record. Verdicts are a letter for each clause of the table that all runs share. */
export const keptSchema = z.object({
  name: z.string(),
  baseUrl: z.string(),
  subject: z.enum(['client', 'recording', 'deployment']),
  startedAt: z.string(),
  seconds: z.number(),
  verdict: runVerdictSchema,
  tone: z.enum(['conforms', 'violates', 'blocked', 'error', 'unseen', 'measured', 'none']),
  /** Name of its profile, with what that asks for. */
  profile: z.object({ name: z.string(), asked: int, exercised: int }).optional(),
  /** Clauses, as the record counts them. */
  coverage: z.object({ applicable: int, exercised: int, conforming: int }),
  /** What was selected, where less than all was. */
  only: z.string().optional(),
  /** Why it ended early. */
  halted: z.string().optional(),
  isLoad: z.boolean(),
  requests: int,
  /** By operation: calls, and the 95th percentile in milliseconds. */
  operations: z.record(z.string(), z.object({ calls: int, p95: z.number() })),
  letters: z.string(),
})
/** What is kept of a record. */
export type Kept = z.infer<typeof keptSchema>

/** A run of a history: what is told of it without its record. */
export interface RunSummary extends Omit<Kept, 'letters'> {
  /** Name of its folder, which is how it is asked for: letters, digits, dots, dashes and underscores. */
  id: string
  verdicts: Verdicts
  /** Whether its folder holds an attestation. */
  attested: boolean
}

/** What a clause is about, as the newest record that has it says. */
export type ClauseFacts = Pick<ClauseRecord, 'id' | 'level' | 'side' | 'part' | 'area' | 'says'>

/** Clauses by their place in the letters of every run. */
export type ClauseTable = Map<string, ClauseFacts>

/** Returns what is kept of a record, and adds the clauses that the table lacks; `renew` replaces those that it has. */
export function keep(record: Summarized, table: ClauseTable, renew: boolean): Kept {
  const { deployment, profile, coverage, only, halted, requests, operations = [] } = record
  for (const { id, level, side, part, area, says } of record.clauses) {
    if ((renew || !table.has(id)) && CLAUSE_ID.test(id))
      table.set(id, { id, level, side, part: cut(part), area: cut(area), says: cut(says) })
  }
  const verdicts = new Map(record.clauses.map(row => [row.id, letterOf(row)]))
  return {
    name: cut(deployment.name),
    baseUrl: cut(deployment.baseUrl),
    subject: record.subject ?? 'deployment',
    startedAt: cut(record.startedAt),
    seconds: secondsOf(record),
    verdict: record.verdict,
    // Of clauses, checks and scenarios, a tone depends on what the schema above has, and on nothing else.
    tone: outcomeOf(record as unknown as RunRecord).tone,
    profile: profile && { name: profile.name, asked: profile.asked, exercised: profile.exercised },
    coverage: {
      applicable: coverage.applicable,
      exercised: coverage.exercised,
      conforming: coverage.conforming,
    },
    only: only && cut(only),
    halted: halted && cut(halted),
    isLoad: record.load !== undefined,
    requests: requests.v1 + requests.v2,
    operations: Object.fromEntries(
      operations
        .slice(0, MOST_OPERATIONS)
        .flatMap(({ operation, latency }) =>
          latency === undefined ? [] : [[cut(operation), { calls: latency.calls, p95: latency.p95 }]],
        ),
    ),
    letters: Array.from(table.keys(), id => verdicts.get(id) ?? ' ').join(''),
  }
}

/** Ids stand in addresses. */
const CLAUSE_ID = /^[A-Z0-9][A-Z0-9-]{0,99}$/

const cut = (text: string): string => shorten(text, LONGEST)

const letterOf = ({ verdict, reason }: Summarized['clauses'][number]): string =>
  verdict === 'not exercised' && reason === 'not selected' ? ' ' : LETTERS[verdict]

function secondsOf({ startedAt, finishedAt }: Summarized): number {
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}

/** Returns a run of the history from what was kept of it; `places` are those of the clauses in its letters. */
export const summaryOf = (
  { letters, ...kept }: Kept,
  about: Pick<RunSummary, 'id' | 'attested'>,
  places: ReadonlyMap<string, number>,
): RunSummary => ({ ...kept, ...about, verdicts: new Verdicts(letters, places) })
