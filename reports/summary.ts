import type { RunRecord, Verdict } from '../fixtures/record.ts'
import { broken } from './digest.ts'

/** What `--json` prints: the record without the rows that hold nothing to act on. */
export interface RunSummary
  extends Pick<
    RunRecord,
    | 'schemaVersion'
    | 'kit'
    | 'run'
    | 'deployment'
    | 'seed'
    | 'only'
    | 'startedAt'
    | 'finishedAt'
    | 'verdict'
    | 'halted'
    | 'totals'
    | 'coverage'
    | 'requests'
    | 'errors'
    | 'leftovers'
  > {
  /** Folder of the run, where the whole record is. */
  out: string
  findings: ({
    clause: string
    level: string
    says: string
  } & RunRecord['clauses'][number]['findings'][number])[]
  blocked: { clause: string; reason?: string }[]
}

/** The record's summary. `out` is the folder of the run. */
export function summarise(record: RunRecord, out: string): RunSummary {
  const { clauses, checks: _, ...rest } = record
  const ofVerdict = (wanted: Verdict): RunRecord['clauses'] =>
    clauses.filter(({ verdict }) => verdict === wanted)
  return {
    ...rest,
    out,
    findings: broken(record).flatMap(({ id, level, says, findings }) =>
      findings.map(finding => ({ clause: id, level, says, ...finding })),
    ),
    blocked: ofVerdict('blocked').map(({ id, reason }) => ({
      clause: id,
      ...(reason === undefined ? {} : { reason }),
    })),
  }
}
