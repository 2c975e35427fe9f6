import { hash } from 'node:crypto'
import { z } from 'zod'
import { type ClauseRecord, isExercised, type RunRecord, type Verdict } from '../../fixtures/ground/record.ts'
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
interface RunSummary extends Kept {
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

/** A run among the others of its deployment. */
export interface RunInTime extends RunSummary {
  /** The clauses broken in this run. */
  broken: string[]
  /** Those of them that were not broken when they were last exercised. */
  broke: string[]
  /** Clauses that conform now and were broken when they were last exercised. */
  mended: string[]
}

/** A deployment (or a client, or recorded traffic) with its runs. */
export interface Judged extends Pick<RunSummary, 'name' | 'baseUrl' | 'subject'> {
  /** A part of URLs: letters, digits and dashes; unique within the history. */
  id: string
  /** Newest first. */
  runs: RunInTime[]
}

/** A folder whose record could not be read. */
export interface Unreadable {
  id: string
  why: string
}

/** The runs of a folder over time. */
export interface History {
  /** The absolute path of the folder. */
  folder: string
  /** The one with the newest run first. */
  judged: Judged[]
  unreadable: Unreadable[]
  /** The number of older runs that have not been read yet. */
  unread: number
  clauses: ClauseTable
}

/** Groups runs by what they judged, in order of time. */
export function arrange(runs: readonly RunSummary[]): Judged[] {
  const newest = runs.toSorted((a, b) => compareTexts(b.startedAt, a.startedAt) || compareTexts(b.id, a.id))
  return [...Map.groupBy(newest, identityOf)].map(([identity, those]) => {
    const { name, baseUrl, subject } = those[0]!
    return { id: addressPart(name, identity), name, baseUrl, subject, runs: inTime(those) }
  })
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the identity of what a run judged, without the port of a loopback address, which changes. */
const identityOf = ({ name, baseUrl, subject }: RunSummary): string =>
  JSON.stringify([
    subject,
    name,
    baseUrl.replace(/^(https?:\/\/(?:127\.[\d.]+|localhost|\[::1\])):\d+/, '$1'),
  ])

const addressPart = (name: string, identity: string): string => {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const digest = hash('sha256', identity).slice(0, 8)
  return `${words.slice(0, 40).replaceAll(/^-|-$/g, '')}-${digest}`.replace(/^-/, '')
}

/** Returns the runs, newest first, with what is broken and what changed. */
function inTime(newestFirst: readonly RunSummary[]): RunInTime[] {
  const before = new Map<string, Verdict>()
  const byId = new Map(newestFirst.map(run => [run.id, run]))
  return newestFirst
    .toReversed()
    .map(one => {
      const run = { ...one, verdicts: new Map(one.verdicts) }
      // A replay runs one check of several that found a clause broken.
      const replayed = byId.get(run.replayOf ?? '')?.foundBy
      for (const [id, verdict] of one.verdicts)
        if (verdict === 'conforms' && (replayed?.get(id) ?? 0) > 1) run.verdicts.delete(id)
      const told: Pick<RunInTime, 'broken' | 'broke' | 'mended'> = { broken: [], broke: [], mended: [] }
      for (const [id, verdict] of run.verdicts) {
        if (!isExercised({ verdict })) continue
        if (verdict === 'violates') told.broken.push(id)
        const earlier = before.get(id)
        if (earlier !== undefined && earlier !== verdict)
          told[verdict === 'violates' ? 'broke' : 'mended'].push(id)
        before.set(id, verdict)
      }
      return { ...run, ...told }
    })
    .toReversed()
}

/** What a run covers: everything that its profile asks for; a part of it (selected, replayed, or ended early); or load. */
export type Scope = 'whole' | 'part' | 'load'

/** Returns what a run covers. */
export const scopeOf = ({
  isLoad,
  replayOf,
  only,
  halted,
}: Pick<RunSummary, 'isLoad' | 'replayOf' | 'only' | 'halted'>): Scope =>
  isLoad ? 'load' : replayOf !== undefined || only !== undefined || halted !== undefined ? 'part' : 'whole'

/**
 * Returns the runs of a deployment that can be compared with one another, newest first: those of the whole. Where there is
 * none, parts are all there is to show, and replays or load only where there is nothing else.
 */
export function comparableRuns({ runs }: Pick<Judged, 'runs'>): readonly RunInTime[] {
  const preferred: ((run: RunInTime) => boolean)[] = [
    run => scopeOf(run) === 'whole',
    run => scopeOf(run) === 'part' && run.replayOf === undefined,
    run => scopeOf(run) === 'load',
  ]
  for (const isPreferred of preferred) {
    const found = runs.filter(isPreferred)
    if (found.length > 0) return found
  }
  return runs
}

/** Returns the newest of the comparable runs of a deployment. */
export const newestOf = (judged: Pick<Judged, 'runs'>): RunInTime => comparableRuns(judged)[0]!

/** How long a clause has had its present verdict. */
export interface Since {
  verdict: Verdict
  /** The first run of the uninterrupted series with that verdict. */
  run: RunInTime
  /** Whether an earlier run exercised it with another verdict. */
  changed: boolean
  /** The newest run that exercised it. */
  last: RunInTime
}

/** Returns since when a clause has its verdict; `undefined` if no run exercised it. */
export function sinceOf({ runs }: Judged, clause: string): Since | undefined {
  let since: Since | undefined
  for (const run of runs) {
    const verdict = run.verdicts.get(clause)
    if (verdict === undefined || !isExercised({ verdict })) continue
    if (since !== undefined && since.verdict !== verdict) return { ...since, changed: true }
    since = { verdict, run, changed: false, last: since?.last ?? run }
  }
  return since
}

/** Returns a run of a history with its deployment; `undefined` if there is none with that name. */
export function findRun(history: History, id: string): { of: Judged; run: RunInTime } | undefined {
  for (const of of history.judged) {
    const run = of.runs.find(one => one.id === id)
    if (run !== undefined) return { of, run }
  }
  return undefined
}

/** Returns the clauses that are broken in the newest run that exercised them, the latest change first. */
export function brokenNow(judged: Judged): { clause: string; since: Since }[] {
  const ids = new Set(judged.runs.flatMap(({ broken }) => broken))
  return [...ids]
    .flatMap(clause => {
      const since = sinceOf(judged, clause)
      return since?.verdict === 'violates' ? [{ clause, since }] : []
    })
    .toSorted((a, b) => compareTexts(b.since.run.startedAt, a.since.run.startedAt))
}
