import { hash } from 'node:crypto'
import { isExercised, type Verdict } from '../../fixtures/ground/record.ts'
import type { ClauseTable, RunSummary } from './summary.ts'

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
