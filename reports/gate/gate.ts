import type { ClauseRecord, Gate, RunRecord } from '../../fixtures/record.ts'
import { compare, regressed } from './compare.ts'
import { type Waived, waiverName } from './waivers.ts'

/** Whether a clause has a finding that nobody answers for. */
export const hasUnwaived = ({ findings }: Pick<ClauseRecord, 'findings'>): boolean =>
  findings.some(({ waived }) => waived === undefined)

/** Returns what waivers make of a run. */
export function gateOf({ clauses, unneeded, untested }: Waived): Gate {
  const waived = clauses.flatMap(({ findings }) => findings).filter(finding => finding.waived !== undefined)
  return {
    passes: unneeded.length === 0,
    waived: waived.length,
    unneeded: unneeded.map(waiverName),
    untested: untested.map(waiverName),
  }
}

const NO_WAIVERS: Gate = { passes: true, waived: 0, unneeded: [], untested: [] }

/**
 * Returns a record with what an earlier one makes of it: only what is newly broken, or no longer exercised, counts.
 * What is waived is not new.
 */
export function against(baseline: RunRecord, record: RunRecord): RunRecord & { gate: Gate } {
  const unwaived = {
    ...record,
    clauses: record.clauses.map(row => ({
      ...row,
      findings: row.findings.filter(({ waived }) => waived === undefined),
    })),
  }
  const comparison = compare(baseline, unwaived)
  const { gate = NO_WAIVERS } = record
  const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
  return {
    ...record,
    gate: {
      ...gate,
      passes: gate.passes && !regressed(comparison),
      baseline: {
        run: baseline.run,
        broken: ids(comparison.broken),
        known: ids(comparison.known),
        unexercised: ids(comparison.unexercised),
      },
    },
  }
}

/** Returns what the gate says, a sentence each; nothing where there is none. */
export function gateLines({ gate }: RunRecord): string[] {
  if (gate === undefined) return []
  const { passes, baseline, waived, unneeded, untested } = gate
  const listed = (ids: readonly string[]): string =>
    `${ids.slice(0, 8).join(', ')}${ids.length > 8 ? ` and ${ids.length - 8} more` : ''}`
  return [
    `The gate ${passes ? 'passes' : 'does not pass'}${baseline === undefined ? '' : ` against ${baseline.run}`}.`,
    ...(baseline === undefined || baseline.broken.length === 0
      ? []
      : [`Newly broken: ${listed(baseline.broken)}.`]),
    ...(baseline === undefined || baseline.unexercised.length === 0
      ? []
      : [`Exercised there and not any more: ${listed(baseline.unexercised)}.`]),
    ...(baseline === undefined || baseline.known.length === 0
      ? []
      : [`Broken as before: ${listed(baseline.known)}.`]),
    ...(waived === 0 ? [] : [`${waived} ${waived === 1 ? 'finding is' : 'findings are'} waived.`]),
    ...(unneeded.length === 0
      ? []
      : [`Waivers that nothing needs any more, to be removed: ${listed(unneeded)}.`]),
    ...(untested.length === 0 ? [] : [`Waivers of what this run did not exercise: ${listed(untested)}.`]),
  ]
}
