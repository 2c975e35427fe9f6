import type { Gate, RunRecord } from '../../fixtures/ground/record.ts'
import { listed, missingLines, outcomeOf } from '../judge/outcome.ts'
import { count, present } from '../render/plain.ts'
import { blocked } from '../render/reasons.ts'
import { compare } from './compare.ts'
import { type Waived, type Waiver, waiverName } from './waivers.ts'

/** Returns the gate of a run with waivers. Whether it passes is decided last. */
export function gateOf({ clauses, unneeded, untested }: Waived, waivers: readonly Waiver[]): Gate {
  const covered = waivers.flatMap(waiver =>
    waiver.covers === undefined ? [] : [{ waiver: waiverName(waiver), clauses: [...waiver.covers] }],
  )
  const waived = clauses.flatMap(({ findings }) => findings).filter(finding => finding.waived !== undefined)
  return {
    passes: false,
    waived: waived.length,
    covered: covered.length === 0 ? undefined : covered,
    unneeded: unneeded.map(waiverName),
    untested: untested.map(waiverName),
  }
}

const NO_WAIVERS: Gate = { passes: false, waived: 0, unneeded: [], untested: [] }

/** What a run is compared with, besides its own verdict. */
interface Measures {
  /** An earlier run. Only what became worse counts. */
  baseline?: RunRecord | undefined
  /** The required share of exercised clauses, 0 to 1. */
  requireCoverage?: number | undefined
}

/** Returns a record with its gate, if it has one. */
export function gated(record: RunRecord, { baseline, requireCoverage }: Measures = {}): RunRecord {
  if (record.gate === undefined && baseline === undefined && requireCoverage === undefined) return record
  const { applicable, exercised } = record.coverage.perKind ?? record.coverage
  const gate: Gate = {
    ...(record.gate ?? NO_WAIVERS),
    coverage:
      requireCoverage === undefined
        ? undefined
        : { required: requireCoverage, reached: applicable === 0 ? 0 : exercised / applicable },
    baseline: baseline && against(baseline, record),
  }
  return { ...record, gate: { ...gate, passes: outcomeOf({ ...record, gate }).passes } }
}

/** Returns what became worse than in an earlier run. Waived findings are not new. */
function against(baseline: RunRecord, record: RunRecord): NonNullable<Gate['baseline']> {
  const unusable = whyUnusable(baseline)
  const unwaived = {
    ...record,
    clauses: record.clauses.map(row => ({
      ...row,
      findings: row.findings.filter(({ waived }) => waived === undefined),
    })),
  }
  const { broken, known, ...others } = compare(baseline, unwaived)
  const stuck = new Set(blockedIds(baseline))
  const leftOut = new Set(record.clauses.flatMap(({ id, selected }) => (selected === false ? [id] : [])))
  return {
    run: baseline.run,
    unusable,
    broken: unusable === undefined ? broken : [...broken, ...known],
    known: unusable === undefined ? known : [],
    ...others,
    blocked: blockedIds(record).filter(id => !stuck.has(id) && !leftOut.has(id)),
  }
}

const blockedIds = (record: RunRecord): string[] => blocked(record).flatMap(({ ids }) => ids)

/** Returns why an earlier run cannot be a baseline: it was incomplete. */
function whyUnusable(baseline: RunRecord): string | undefined {
  const { verdict, halted } = baseline
  if (halted !== undefined) return 'it was not completed'
  if (verdict === 'conforms' || (verdict === 'violates' && missingLines(baseline).length === 0))
    return undefined
  return verdict === 'violates' ? 'it is incomplete' : `its verdict is ${verdict}`
}

/** Returns the number of waived clauses, and how often they were seen broken. */
function waivedLine({ clauses }: RunRecord, times: number): string {
  const ids = clauses.filter(({ findings }) => findings.some(({ waived }) => waived !== undefined))
  return `${count(ids.length, 'clause is', 'clauses are')} waived, seen broken ${times === 1 ? 'once' : `${times} times`}.`
}

/** Returns the sentences that explain the gate's decision, unless the verdict says it all. */
export function gateLines(record: RunRecord): string[] {
  const { gate } = record
  // The headline has the reasons of a run that would conform.
  if (gate === undefined) return []
  const { passes, reasons } = outcomeOf(record)
  const { baseline, waived, untested, covered = [] } = gate
  const { run, unusable, known = [], missed = [] } = baseline ?? {}
  return present([
    `The gate ${passes ? 'passes' : 'does not pass'}${run === undefined ? '' : ` against ${run}`}.`,
    ...reasons.filter(({ about }) => about !== 'profile').map(({ text }) => text),
    unusable &&
      `No finding of ${run} counts as known, because ${unusable}: keep a run that conforms, or a complete one that violates.`,
    naming('Broken as before', known),
    naming(`Exercised in ${run} and tried again, but shown by no answer of this run`, missed),
    waived === 0 ? undefined : waivedLine(record, waived),
    ...covered.map(
      ({ waiver, clauses: ids }) =>
        `The waiver ${waiver} covers ${count(ids.length, 'clause')}: ${ids.join(', ')}.`,
    ),
    naming('Waivers for clauses that this run did not exercise or select', untested),
  ])
}

const naming = (text: string, ids: readonly string[]): string | undefined =>
  ids.length === 0 ? undefined : `${text}: ${listed(ids)}.`
