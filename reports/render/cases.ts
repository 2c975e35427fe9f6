import { placeOf } from '../../fixtures/clauses/places.ts'
import type { ClauseRecord, RunRecord } from '../../fixtures/record.ts'
import { repeated } from '../findings/causes.ts'
import { commandToSeeAgain } from '../findings/command-to-see-again.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { REASONS } from '../judge/assemble.ts'
import { type About, isKnown, outcomeOf } from '../judge/outcome.ts'
import { count, plain, present, shorten } from './plain.ts'

/** Findings told of each clause; `record.json` has them all. */
const FINDINGS_PER_CLAUSE = 20

/** What became of a clause, or of the run itself, in the words of test reports. */
export interface Case {
  outcome: 'passed' | 'failure' | 'error' | 'skipped'
  /** Why, where it did not simply pass; one line. */
  message?: string
  /** Its findings, in full; empty where there are none. */
  evidence: string
  seconds: number
}

/** A clause that a run could have decided. */
export interface ClauseCase extends Case {
  row: ClauseRecord
}

/**
 * Returns a case for each clause that a run could have decided. Broken required clauses are failures; blocked clauses and
 * faults of the kit are errors; what was not exercised, recommendations that are not followed, and findings that are
 * waived or known are skipped. Times add up to the time of the run.
 */
export function clauseCases(record: RunRecord): ClauseCase[] {
  const shares = timeShares(record)
  return record.clauses.filter(isCase).map(row => ({
    row,
    ...clauseOutcome(row, record),
    evidence: evidenceOf(record, row),
    seconds: shares.get(row.id) ?? 0,
  }))
}

/** What does not apply, has no check or was not selected is nothing that anybody could act on. */
const isCase = ({ verdict, reason }: ClauseRecord): boolean =>
  verdict !== 'not applicable' && !(verdict === 'not exercised' && OUT_OF_SIGHT.includes(reason ?? ''))

const OUT_OF_SIGHT: readonly string[] = [REASONS.open, REASONS.notSelected, REASONS.noScenario]

function clauseOutcome(row: ClauseRecord, record: RunRecord): Pick<Case, 'outcome' | 'message'> {
  const reason = row.reason ?? ''
  const first = row.findings[0]?.message ?? row.reason ?? row.verdict
  if (isKnown(record, row)) return { outcome: 'skipped', message: oneMessage(`As in the baseline: ${first}`) }
  switch (row.verdict) {
    case 'conforms':
      return { outcome: 'passed' }
    case 'violates':
      if (!hasUnwaived(row)) return { outcome: 'skipped', message: oneMessage(`Waived: ${first}`) }
      return row.level === 'must'
        ? { outcome: 'failure', message: oneMessage(first) }
        : { outcome: 'skipped', message: oneMessage(`A recommendation is not followed: ${first}`) }
    case 'blocked':
      return { outcome: 'error', message: oneMessage(row.reason ?? 'blocked') }
    case 'error':
      return { outcome: 'error', message: oneMessage(row.reason ?? 'the kit failed') }
    default:
      return { outcome: 'skipped', message: oneMessage(`${row.verdict}: ${reason}`) }
  }
}

const oneMessage = (text: string): string => shorten(plain(text), 1000)

function evidenceOf(record: RunRecord, row: ClauseRecord): string {
  const found = repeated(row)
  const shown = found.slice(0, FINDINGS_PER_CLAUSE).map(({ finding, more, at }) => {
    const { message, expected, observed, check, exchanges, waived } = finding
    const again = commandToSeeAgain(record, row.id, finding, at)
    return present([
      message,
      more.length === 0 ? undefined : `and ${count(more.length, 'more answer')} like it`,
      waived && `waived until ${waived.expires} by ${waived.owner}: ${waived.reason}`,
      expected === undefined ? undefined : `expected: ${expected}`,
      observed === undefined ? undefined : `observed: ${observed}`,
      `check: ${check}`,
      `exchanges: ${exchanges.join(', ')}`,
      again && `again: ${again}`,
    ]).join('\n')
  })
  if (shown.length === 0) return ''
  const rest = found.length - shown.length
  return plain(
    [`Document: ${placeOf(row)}.`, ...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n\n'),
  )
}

/** A promise of the run as a whole, and what broke it. */
export interface RunCase {
  /** The same in every run. */
  name: string
  messages: string[]
}

const RUN_CASES: readonly (readonly [about: About, name: string])[] = [
  ['completion', 'The run was completed'],
  ['profile', 'The run looked at what its profile asks for'],
  ['gate', 'The gate lets it pass'],
  ['bookings', 'Nothing is left booked'],
]

/** Returns a case for each thing that can keep the run itself from passing; what is about clauses stands at theirs. */
export function runCases(record: RunRecord): RunCase[] {
  const { reasons } = outcomeOf(record)
  return [
    { name: 'The kit worked', messages: record.errors.map(oneMessage) },
    ...RUN_CASES.map(([about, name]) => ({
      name,
      messages: reasons.filter(one => one.about === about).map(({ text }) => oneMessage(text)),
    })),
  ]
}

/**
 * Seconds by clause. A check's time is divided among its clauses; checks run side by side, so that all are scaled to the
 * time that the run took.
 */
function timeShares({ checks, clauses: rows, startedAt, finishedAt }: RunRecord): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { clauses, milliseconds } of checks)
    for (const id of clauses) shares.set(id, (shares.get(id) ?? 0) + milliseconds / 1000 / clauses.length)
  const shown = rows.filter(isCase).reduce((sum, { id }) => sum + (shares.get(id) ?? 0), 0)
  const took = Math.max(0, (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)
  const scale = shown === 0 ? 0 : took / shown
  return new Map([...shares].map(([id, seconds]) => [id, seconds * scale]))
}
