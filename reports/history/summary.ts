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
    clauses: z.array(clauseSchema.extend({ findings: z.array(z.object({ waived: z.unknown() }).partial()) })),
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
  /** Whether it tried findings of another run again. */
  isReplay: boolean
  /** The selection, if the run was not whole. */
  only: string | undefined
  /** Why it ended early. */
  halted: string | undefined
  isLoad: boolean
  requests: number
  /** The verdicts of applicable and selected clauses. */
  verdicts: ReadonlyMap<string, Verdict>
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
    isReplay: record.replayOf !== undefined,
    only: only && cut(only),
    halted: halted && cut(halted),
    isLoad: record.load !== undefined,
    requests: requests.v1 + requests.v2,
    verdicts: new Map(record.clauses.filter(isJudged).map(({ id, verdict }) => [id, verdict])),
  }
}

/** Ids are part of URLs. */
const CLAUSE_ID = /^[A-Z0-9][A-Z0-9-]{0,99}$/

const cut = (text: string): string => shorten(text, LONGEST)

/** Returns whether a clause is applicable, and was selected. */
const isJudged = ({ verdict, reason }: Summarized['clauses'][number]): boolean =>
  verdict !== 'not applicable' && !(verdict === 'not exercised' && reason === 'not selected')
