import type { ClauseRecord, RunRecord, RunVerdict } from '../../fixtures/record.ts'
import { EXIT, type ExitCode, mayBeBooked } from '../../fixtures/run/failure.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { count } from '../render/plain.ts'

/** How a run looks, whatever shows it: in a terminal, on a page, on a badge. */
export type Tone = 'conforms' | 'violates' | 'blocked' | 'error' | 'unseen' | 'measured' | 'none'

/** What a reason not to pass is about: single clauses have a place of their own in every report. */
export type About = 'kit' | 'completion' | 'clauses' | 'profile' | 'gate' | 'bookings'

/** Why a run does not pass, in a sentence. */
export interface Reason {
  about: About
  text: string
}

/** What a run comes to. Every report and the exit code say this and nothing else. */
export interface Outcome {
  /** Whether a release may go out. */
  passes: boolean
  exitCode: ExitCode
  tone: Tone
  /** Why it does not pass. */
  reasons: Reason[]
}

const TONES: Record<RunVerdict | 'measured', Tone> = {
  conforms: 'conforms',
  violates: 'violates',
  blocked: 'blocked',
  incomplete: 'blocked',
  error: 'error',
  'not exercised': 'unseen',
  'not applicable': 'none',
  measured: 'measured',
}

/** Returns how a verdict looks by itself: that of a clause, or of a scenario. */
export const toneOf = (verdict: RunVerdict | 'measured'): Tone => TONES[verdict]

/** Decides whether a run passes: by its verdict, or, where there is a baseline, by what is worse than there. */
export function outcomeOf(record: RunRecord): Outcome {
  const { verdict, halted } = record
  const unfinished =
    halted !== undefined || verdict === 'error' || (verdict === 'not exercised' && !onlyMeasured(record))
  const reasons = [...(unfinished ? whyUnfinished(record) : []), ...whyStopped(record)]
  const passes = reasons.length === 0
  // Green and red are kept for what passes and what does not.
  const contradicted = passes ? verdict === 'violates' : verdict === 'conforms'
  return {
    passes,
    exitCode: passes ? EXIT.conforms : unfinished ? EXIT.incomplete : EXIT.violates,
    tone: contradicted ? 'blocked' : TONES[verdict],
    reasons,
  }
}

/** Scenarios that only measure leave nothing to judge: that is no failure. */
const onlyMeasured = ({ load, checks }: RunRecord): boolean =>
  load !== undefined && load.scenarios.length > 0 && checks.length === 0

/** Returns a sentence as a reason, or nothing where there is none. */
const reason = (about: About, text: string | undefined): Reason[] =>
  text === undefined ? [] : [{ about, text }]

/** Returns a reason that names ids, or nothing where there are none. */
const naming = (about: About, text: string, ids: readonly string[]): Reason[] =>
  ids.length === 0 ? [] : [{ about, text: `${text}: ${listed(ids)}.` }]

function whyUnfinished({ halted, verdict }: RunRecord): Reason[] {
  if (halted !== undefined) return reason('completion', `The run was not completed: ${halted}.`)
  return verdict === 'error'
    ? reason('kit', 'The kit itself failed.')
    : reason('completion', 'Nothing could be judged.')
}

function whyStopped(record: RunRecord): Reason[] {
  const { unneeded = [], coverage } = record.gate ?? {}
  return [
    ...(usableBaseline(record) === undefined ? byVerdict(record) : againstBaseline(record)),
    ...naming('gate', 'Waivers that nothing needs any more, to be removed', unneeded),
    ...reason('bookings', mayBeBooked(record.leftovers)),
    ...(coverage === undefined || coverage.reached >= coverage.required
      ? []
      : reason(
          'gate',
          `Coverage is ${(100 * coverage.reached).toFixed(1)} %, and --require-coverage asks for ${100 * coverage.required} %.`,
        )),
  ]
}

function byVerdict(record: RunRecord): Reason[] {
  const { verdict, clauses } = record
  const red = clauses.filter(row => row.level === 'must' && hasUnwaived(row)).length
  return [
    ...(red === 0
      ? []
      : reason('clauses', `${count(red, 'required clause is', 'required clauses are')} broken.`)),
    ...(verdict === 'blocked'
      ? reason(
          // A check can be blocked after it has decided all of its clauses: then no clause shows it.
          clauses.some(row => row.verdict === 'blocked') ? 'clauses' : 'completion',
          'The deployment did not deliver what its definition claims.',
        )
      : []),
    ...missingLines(record).map((text): Reason => ({ about: 'profile', text })),
  ]
}

/** How the sentence begins that says that the budget of a run was spent before its checks were. */
export const CUT_SHORT = 'The run was cut short'

/** Returns why a run is incomplete, a sentence each; that it was halted is told on its own. */
export const missingLines = ({ incomplete = [], halted }: RunRecord): string[] =>
  incomplete.filter(sentence => halted === undefined || !sentence.includes(halted))

/**
 * What is broken as it was does not count, nor is more asked for than was looked at there. A market refuses what it
 * accepted before, and random walks go elsewhere: what was tried and missed by that counts only where so much was that
 * the run is incomplete.
 */
function againstBaseline(record: RunRecord): Reason[] {
  const { clauses, incomplete = [] } = record
  const { run, broken, unexercised, missed = [], blocked = [], fewer = [] } = usableBaseline(record)!
  const advice = new Set(clauses.filter(({ level }) => level === 'should').map(({ id }) => id))
  const required = (ids: readonly string[]): string[] =>
    ids.filter(id => !advice.has(id.replace(/ \(.*/, '')))
  const lost = required([...unexercised, ...(incomplete.length === 0 ? [] : [...missed, ...fewer])])
  return [
    ...naming('clauses', 'Newly broken', required(broken)),
    ...naming('clauses', 'Newly blocked', blocked),
    ...naming('gate', `Exercised in ${run} and not any more`, lost),
  ]
}

const usableBaseline = ({ gate }: RunRecord): NonNullable<RunRecord['gate']>['baseline'] =>
  gate?.baseline?.unusable === undefined ? gate?.baseline : undefined

/** Returns whether a clause is broken, or blocked, as it was in the baseline: it counts for nothing. */
export function isKnown(record: RunRecord, { id, verdict }: Pick<ClauseRecord, 'id' | 'verdict'>): boolean {
  const baseline = usableBaseline(record)
  if (verdict === 'blocked') return baseline !== undefined && baseline.blocked?.includes(id) === false
  return baseline?.known.includes(id) === true
}

/** Returns some of a list of ids. */
export const listed = (ids: readonly string[], most = 8): string =>
  `${ids.slice(0, most).join(', ')}${ids.length > most ? ` and ${ids.length - most} more` : ''}`
