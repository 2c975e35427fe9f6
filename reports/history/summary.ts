import { z } from 'zod'
import {
  type ClauseRecord,
  type RunRecord,
  runVerdictSchema,
  type Verdict,
  verdictSchema,
} from '../../fixtures/record.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { shorten } from '../render/plain.ts'
import type { ClauseFacts, Judged, RunSummary } from './history.ts'

/** Longest text of a record that is kept, and most operations: a record may say anything. */
const LONGEST = 300
const MOST_OPERATIONS = 300

const int = z.number().int()

/** What is kept of a record. Verdicts are a letter for each clause of the table that all runs share. */
export const keptSchema = z.object({
  name: z.string(),
  baseUrl: z.string(),
  subject: z.enum(['client', 'recording', 'deployment']),
  startedAt: z.string(),
  seconds: z.number(),
  verdict: runVerdictSchema,
  tone: z.enum(['conforms', 'violates', 'blocked', 'error', 'unseen', 'measured', 'none']),
  profile: z.object({ name: z.string(), asked: int, exercised: int }).optional(),
  coverage: z.object({ applicable: int, exercised: int, conforming: int }),
  only: z.string().optional(),
  halted: z.string().optional(),
  requests: int,
  operations: z.record(z.string(), z.object({ calls: int, p95: z.number() })),
  letters: z.string(),
  kit: z.string(),
  seed: int.optional(),
})
/** What is kept of a record. */
export type Kept = z.infer<typeof keptSchema>

/** A letter for each verdict; a blank for clauses that do not apply, were not selected, or that the run did not know. */
const LETTERS: Record<Verdict, string> = {
  error: 'e',
  violates: 'v',
  blocked: 'b',
  'not exercised': 'n',
  conforms: 'c',
  'not applicable': ' ',
}
const VERDICTS = new Map(verdictSchema.options.map(verdict => [LETTERS[verdict], verdict]))

/** Clauses by their place in the letters of every run. */
export type ClauseTable = Map<string, ClauseFacts>

/** Returns what is kept of a record, and adds the clauses that the table lacks. */
export function keep(record: RunRecord, table: ClauseTable): Kept {
  const { deployment, profile, coverage, only, halted, requests, operations = [], kit, seed } = record
  for (const { id, level, side, part, area, says } of record.clauses) {
    if (CLAUSE_ID.test(id))
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
    tone: outcomeOf(record).tone,
    ...(profile && { profile: { name: profile.name, asked: profile.asked, exercised: profile.exercised } }),
    coverage: {
      applicable: coverage.applicable,
      exercised: coverage.exercised,
      conforming: coverage.conforming,
    },
    ...(only === undefined ? {} : { only: cut(only) }),
    ...(halted === undefined ? {} : { halted: cut(halted) }),
    requests: requests.v1 + requests.v2,
    operations: Object.fromEntries(
      operations
        .slice(0, MOST_OPERATIONS)
        .flatMap(({ operation, latency }) =>
          latency === undefined ? [] : [[cut(operation), { calls: latency.calls, p95: latency.p95 }]],
        ),
    ),
    letters: [...table.keys()].map(id => verdicts.get(id) ?? ' ').join(''),
    kit: cut(kit.version),
    ...(seed === undefined ? {} : { seed }),
  }
}

/** Ids stand in addresses. */
const CLAUSE_ID = /^[A-Z0-9][A-Z0-9-]{0,99}$/

const cut = (text: string): string => shorten(text, LONGEST)

const letterOf = ({ verdict, reason }: ClauseRecord): string =>
  verdict === 'not exercised' && reason === 'not selected' ? ' ' : LETTERS[verdict]

function secondsOf({ startedAt, finishedAt }: RunRecord): number {
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}

/** Returns a run of the history from what was kept of it. */
export function summaryOf(
  { letters, ...kept }: Kept,
  about: { id: string; attested: boolean },
  ids: readonly string[],
): RunSummary & Pick<Judged, 'name' | 'baseUrl' | 'subject'> {
  const verdicts = new Map<string, Verdict>()
  for (const [at, id] of ids.entries()) {
    const letter = letters[at]
    const verdict = letter === undefined || letter === ' ' ? undefined : VERDICTS.get(letter)
    if (verdict !== undefined) verdicts.set(id, verdict)
  }
  return { ...kept, ...about, verdicts }
}
