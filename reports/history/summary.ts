import { z } from 'zod'
import type { ClauseRecord, RunRecord, Verdict } from '../../fixtures/ground/record.ts'
import { type Outcome, outcomeOf, type Tone } from '../judge/outcome.ts'
import { secondsOf } from '../render/digest.ts'
import { shorten } from '../render/plain.ts'
import { readableRecordSchema } from '../schema.ts'

/** The maximum length of texts kept of a record, which may contain anything. */
const LONGEST = 300

const clauseSchema = readableRecordSchema.shape.clauses.element.omit({
  checks: true,
  kinds: true,
  cells: true,
})

/**
 * The part of a record that its summary needs. Findings and checks, most of a record, are not validated here, since
 * that takes longest; opening the run does it.
 */
export const summarizedSchema = readableRecordSchema
  .omit({ operations: true, states: true, errors: true, totals: true, notLookedAt: true, undecided: true })
  .extend({
    clauses: z.array(
      clauseSchema.extend({
        findings: z.array(z.object({ waived: z.unknown(), check: z.unknown() }).partial()),
      }),
    ),
    checks: z.array(z.unknown()),
    load: z.object({ scenarios: z.array(z.unknown()) }).optional(),
  })
type Summarized = z.infer<typeof summarizedSchema>

/** The parts of a record that are kept. */
export interface Kept {
  name: string
  baseUrl: string
  subject: 'client' | 'recording' | 'deployment'
  startedAt: string
  seconds: number
  /** What its reports call it: its verdict, or whether it passes. */
  word: Outcome['word']
  tone: Tone
  /** Its profile, with the numbers asked for and exercised. */
  profile: { name: string; asked: number; exercised: number } | undefined
  /** The numbers of clauses in the record. */
  coverage: { applicable: number; exercised: number; conforming: number }
  /** The run whose finding it tried again. */
  replayOf: string | undefined
  /** The selection, if the run was not whole. */
  only: string | undefined
  /** Why it ended early. */
  halted: string | undefined
  isLoad: boolean
  requests: number
  /** The verdicts of the clauses that it decides: not of what it saw in passing, unless that is broken. */
  verdicts: ReadonlyMap<string, Verdict>
  /** How many checks found each broken clause. */
  foundBy: ReadonlyMap<string, number>
}

/** A run of a history, without its record. */
export interface RunSummary extends Kept {
  /** The name of its folder, which is its id: letters, digits, dots, dashes and underscores. */
  id: string
  /** Whether its folder has an attestation. */
  attested: boolean
}

/** The facts about a clause, from the newest record that has it. */
type ClauseFacts = Pick<ClauseRecord, 'id' | 'level' | 'side' | 'part' | 'area' | 'says'>

export type ClauseTable = Map<string, ClauseFacts>

/** Returns the parts of a record to keep, and adds missing clauses to the table; `renew` replaces existing ones. */
export function keep(record: Summarized, table: ClauseTable, renew: boolean): Kept {
  const { deployment, profile, coverage, only, halted, requests } = record
  for (const { id, level, side, part, area, says } of record.clauses) {
    if ((renew || !table.has(id)) && CLAUSE_ID.test(id))
      table.set(id, { id, level, side, part: cut(part), area: cut(area), says: cut(says) })
  }
  // They depend only on fields in the schema above.
  const { word, tone } = outcomeOf(record as unknown as RunRecord)
  return {
    name: cut(deployment.name),
    baseUrl: cut(deployment.baseUrl),
    subject: record.subject ?? 'deployment',
    startedAt: cut(record.startedAt),
    seconds: secondsOf(record),
    word,
    tone,
    profile: profile && { name: profile.name, asked: profile.asked, exercised: profile.exercised },
    coverage: {
      applicable: coverage.applicable,
      exercised: coverage.exercised,
      conforming: coverage.conforming,
    },
    replayOf: record.replayOf,
    only: only && cut(only),
    halted: halted && cut(halted),
    isLoad: record.load !== undefined,
    requests: requests.v1 + requests.v2,
    verdicts: new Map(record.clauses.filter(decides(record)).map(({ id, verdict }) => [id, verdict])),
    foundBy: new Map(
      record.clauses
        .filter(({ findings }) => findings.length > 0)
        .map(({ id, findings }) => [id, new Set(findings.map(({ check }) => check)).size]),
    ),
  }
}

/** Ids are part of URLs. */
const CLAUSE_ID = /^[A-Z0-9][A-Z0-9-]{0,99}$/

const cut = (text: string): string => shorten(text, LONGEST)

/**
 * Returns whether a run decides a clause: an applicable one that was selected, of a replay that of its finding alone. What a few checks
 * saw conform in passing mends nothing.
 */
const decides =
  ({ replayOf, only }: Summarized) =>
  ({ id, verdict, reason, selected }: Summarized['clauses'][number]): boolean =>
    replayOf === undefined
      ? verdict !== 'not applicable' &&
        !(selected === false && verdict === 'conforms') &&
        !(verdict === 'not exercised' && reason === 'not selected')
      : id === only
