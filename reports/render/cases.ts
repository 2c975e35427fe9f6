import { placeOf } from '../../fixtures/clauses/places.ts'
import type { ClauseRecord, RunRecord } from '../../fixtures/ground/record.ts'
import { howToSeeAgain } from '../findings/command-to-see-again.ts'
import { repeated } from '../findings/roots.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { REASONS } from '../judge/assemble.ts'
import { type About, isKnown, outcomeOf } from '../judge/outcome.ts'
import { count, plain, present, shorten } from './plain.ts'

/** The maximum number of findings per clause; `record.json` has them all. */
const FINDINGS_PER_CLAUSE = 20

/** The result of a clause, or of the run itself, in the terms of test reports. */
export interface Case {
  outcome: 'passed' | 'failure' | 'error' | 'skipped'
  /** Why it did not pass, in one line. */
  message?: string
  /** Its findings in full; empty if there are none. */
  evidence: string
}

/** A clause that the run could have decided. */
export interface ClauseCase extends Case {
  row: ClauseRecord
}

/**
 * Returns a case for each clause that a run could have decided. Broken requirements are failures; blocked clauses
 * and faults of the kit are errors; clauses that were not exercised, broken recommendations, and waived or known
 * findings are skipped.
 */
export function clauseCases(record: RunRecord): ClauseCase[] {
  return record.clauses.filter(isCase).map(row => ({
    row,
    ...clauseOutcome(row, record),
    evidence: evidenceOf(record, row),
  }))
}

/** Clauses that do not apply, have no check or were not selected need no action and are left out. */
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
    const again = howToSeeAgain(record, row, finding, at)
    return present([
      message,
      more.length === 0 ? undefined : `and ${count(more.length, 'more answer')} like it`,
      waived && `waived until ${waived.expires} by ${waived.owner}: ${waived.reason}`,
      expected === undefined ? undefined : `expected: ${expected}`,
      observed === undefined ? undefined : `observed: ${observed}`,
      `check: ${check}`,
      exchanges.length === 0 ? undefined : `exchanges: ${exchanges.join(', ')}`,
      `again: ${again}`,
    ]).join('\n')
  })
  if (shown.length === 0) return ''
  const rest = found.length - shown.length
  return plain(
    [`Document: ${placeOf(row)}.`, ...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n\n'),
  )
}

/** A requirement on the run as a whole, and why it failed. */
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

/** Returns a case for each reason that can keep the run itself from passing, except reasons about clauses. */
export function runCases(record: RunRecord): RunCase[] {
  const { reasons } = outcomeOf(record)
  return [
    { name: 'The kit worked', messages: record.errors.map(oneMessage) },
    ...RUN_CASES.map(([about, name]) => ({
      name,
      // What keeps a run from passing keeps it from passing the gate.
      messages: reasons
        .filter(one => one.about === about || about === 'gate')
        .map(({ text }) => oneMessage(text)),
    })),
  ]
}
