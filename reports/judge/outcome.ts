import type { ClauseRecord, RunRecord, RunVerdict } from '../../fixtures/ground/record.ts'
import { EXIT, type ExitCode, mayBeBooked } from '../../fixtures/run/failure.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { count } from '../render/plain.ts'

/** The appearance of a run in terminals and pages. */
export type Tone = 'conforms' | 'violates' | 'blocked' | 'error' | 'unseen' | 'measured' | 'none'

/** The subject of a reason not to pass. Clauses have their own place in every report. */
export type About = 'kit' | 'completion' | 'clauses' | 'profile' | 'gate' | 'bookings'

/** Why a run does not pass, in a sentence. */
interface Reason {
  about: About
  text: string
}

/** The outcome of a run. Every report and the exit code state exactly this. */
export interface Outcome {
  /** Whether a release may go out. */
  passes: boolean
  exitCode: ExitCode
  /** The verdict, unless the exit code says something else: then whether it passes. */
  word: RunVerdict | 'passes' | 'does not pass'
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

/** Returns the tone of a single verdict of a clause or scenario. */
export const toneOf = (verdict: RunVerdict | 'measured'): Tone => TONES[verdict]

/** Decides whether a run passes: by its verdict, or with a baseline by what became worse. */
export function outcomeOf(record: RunRecord): Outcome {
  const { verdict, halted } = record
  const unfinished =
    halted !== undefined || verdict === 'error' || (verdict === 'not exercised' && !onlyMeasured(record))
  const reasons = [...(unfinished ? whyUnfinished(record) : []), ...whyStopped(record)]
  const passes = reasons.length === 0
  const word = wordOf(record, passes)
  // Green is only for what passes and follows every recommendation, red only for what does not pass.
  const isMixed = word !== verdict || (verdict === 'conforms' && unheededIn(record) > 0)
  return {
    passes,
    exitCode: passes ? EXIT.conforms : unfinished ? EXIT.incomplete : EXIT.violates,
    word,
    tone: isMixed ? 'blocked' : TONES[verdict],
    reasons,
  }
}

function wordOf({ verdict, halted }: RunRecord, passes: boolean): Outcome['word'] {
  if (passes) return ['conforms', 'not exercised'].includes(verdict) ? verdict : 'passes'
  if (halted !== undefined && ['violates', 'blocked'].includes(verdict)) return 'incomplete'
  return verdict === 'conforms' ? 'does not pass' : verdict
}

/** Returns the number of recommendations that are not followed. */
export const unheededIn = ({ clauses }: Pick<RunRecord, 'clauses'>): number =>
  clauses.filter(row => row.level === 'should' && hasUnwaived(row)).length

/** Returns whether scenarios only measure, so that there is nothing to judge. That is not a failure. */
const onlyMeasured = ({ load, checks }: RunRecord): boolean =>
  load !== undefined && load.scenarios.length > 0 && checks.length === 0

/** Returns a sentence as a reason, or nothing. */
const reason = (about: About, text: string | undefined): Reason[] =>
  text === undefined ? [] : [{ about, text }]

/** Returns a reason that lists ids, or nothing without ids. */
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
    ...reason('bookings', mayBeBooked(record)),
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
          // A check can be blocked after it decided all of its clauses; then no clause shows it.
          clauses.some(row => row.verdict === 'blocked') ? 'clauses' : 'completion',
          'The deployment did not deliver what its definition claims.',
        )
      : []),
    ...missingLines(record).map((text): Reason => ({ about: 'profile', text })),
  ]
}

/** The beginning of the sentence about an exhausted budget. */
export const CUT_SHORT = 'The run was cut short'

/** Returns why a run is incomplete, one sentence each, without the halt, which is reported separately. */
export const missingLines = ({ incomplete = [], halted }: RunRecord): string[] =>
  incomplete.filter(sentence => halted === undefined || !sentence.includes(halted))

/**
 * Returns what became worse than the baseline. Known faults do not count, and no more coverage is required than
 * there. A market may refuse what it accepted before, and random walks differ: what was tried and missed for that
 * reason counts only if the run is incomplete because of it.
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

/** Returns whether a clause is broken or blocked as in the baseline, so that it does not count. */
export function isKnown(record: RunRecord, { id, verdict }: Pick<ClauseRecord, 'id' | 'verdict'>): boolean {
  const baseline = usableBaseline(record)
  if (verdict === 'blocked') return baseline !== undefined && baseline.blocked?.includes(id) === false
  return baseline?.known.includes(id) === true
}

/** Returns the first ids of a list. */
export const listed = (ids: readonly string[], most = 8): string =>
  `${ids.slice(0, most).join(', ')}${ids.length > most ? ` and ${ids.length - most} more` : ''}`
