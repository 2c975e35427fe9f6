import type { ClauseRecord, RunRecord, RunVerdict, Verdict } from '../../fixtures/record.ts'
import type { Tone } from '../judge/outcome.ts'

/** A run of a history: what is told of it without its record. */
export interface RunSummary {
  /** Name of its folder, which is how it is asked for: letters, digits, dots, dashes and underscores. */
  id: string
  startedAt: string
  seconds: number
  verdict: RunVerdict
  tone: Tone
  /** Name of its profile, with what that asks for. */
  profile?: { name: string; asked: number; exercised: number }
  /** Clauses, as the record counts them. */
  coverage: { applicable: number; exercised: number; conforming: number }
  /** What was selected, where less than all was. */
  only?: string
  halted?: string
  requests: number
  /** By operation: calls, and the 95th percentile in milliseconds. */
  operations: Readonly<Record<string, { calls: number; p95: number }>>
  /** By clause: those that are applicable and were selected. */
  verdicts: ReadonlyMap<string, Verdict>
  /** Whether its folder holds an attestation. */
  attested: boolean
  kit: string
  seed?: number
}

/** A run among the others of its deployment. */
export interface RunInTime extends RunSummary {
  /** Clauses broken in this run. */
  broken: string[]
  /** Of those: the ones that were not broken when they were exercised before. */
  broke: string[]
  /** Clauses that conform, and were broken when they were exercised before. */
  mended: string[]
}

/** A deployment (or a client, or recorded traffic) with its runs. */
export interface Judged {
  /** Part of an address: letters, digits and dashes; unique within the history. */
  id: string
  name: string
  baseUrl: string
  subject: NonNullable<RunRecord['subject']> | 'deployment'
  /** Newest first. */
  runs: RunInTime[]
}

/** A folder of the runs that no record could be read from. */
export interface Unreadable {
  id: string
  why: string
}

/** What a clause is about, as the newest record that has it says. */
export type ClauseFacts = Pick<ClauseRecord, 'id' | 'level' | 'side' | 'part' | 'area' | 'says'>

/** The runs of a folder, in time. */
export interface History {
  /** Absolute path of the folder. */
  folder: string
  /** The one with the newest run first. */
  judged: Judged[]
  unreadable: Unreadable[]
  clauses: ReadonlyMap<string, ClauseFacts>
}

/** How long a clause has been as it is in the newest run that exercised it. */
export interface Since {
  verdict: Verdict
  /** The first run of the unbroken row with that verdict. */
  run: RunInTime
  /** Whether an earlier run exercised it with another verdict: it is known to have changed then. */
  changed: boolean
}

/** Returns since when a clause is as it is; `undefined` where no run exercised it. */
export function sinceOf({ runs }: Judged, clause: string): Since | undefined {
  let since: Since | undefined
  for (const run of runs) {
    const verdict = run.verdicts.get(clause)
    if (verdict !== 'violates' && verdict !== 'conforms') continue
    if (since !== undefined && since.verdict !== verdict) return { ...since, changed: true }
    since = { verdict, run, changed: false }
  }
  return since
}

/** Returns a run of a history with the deployment that it is of; `undefined` where there is none of that name. */
export function findRun(history: History, id: string): { of: Judged; run: RunInTime } | undefined {
  for (const of of history.judged) {
    const run = of.runs.find(one => one.id === id)
    if (run !== undefined) return { of, run }
  }
  return undefined
}
