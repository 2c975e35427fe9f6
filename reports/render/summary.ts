import type { RunRecord, Verdict } from '../../fixtures/record.ts'
import type { CallFigures, LoadRecord, Quantiles, ScenarioFigures } from '../../fixtures/record-load.ts'
import { broken } from './digest.ts'
import { checksOf, type ScenarioVerdict, verdictOf } from './load.ts'

/** The output of `--json`: the record without the rows that hold nothing to act on. */
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
    | 'incomplete'
    | 'notLookedAt'
    | 'undecided'
    | 'totals'
    | 'coverage'
    | 'profile'
    | 'gate'
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
  load?: { k6: LoadRecord['k6']; scenarios: ScenarioSummary[] }
}

/** Figures of a scenario without its pictures, and the verdict of its checks. */
export interface ScenarioSummary
  extends Pick<
    ScenarioFigures,
    'name' | 'profile' | 'seconds' | 'requests' | 'rate' | 'iterations' | 'refused' | 'facts'
  > {
  verdict: ScenarioVerdict
  /** Percentiles are left out where they are not told. */
  calls: (Pick<CallFigures, 'op' | 'sent' | 'outcomes'> & Partial<Quantiles>)[]
}

/** The record's summary. `out` is the folder of the run. */
export function summarise(record: RunRecord, out: string): RunSummary {
  const { clauses, checks: _, load, ...rest } = record
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
    ...(load === undefined
      ? {}
      : { load: { k6: load.k6, scenarios: load.scenarios.map(scenario => figuresOf(record, scenario)) } }),
  }
}

function figuresOf(record: RunRecord, scenario: ScenarioFigures): ScenarioSummary {
  const {
    question: _,
    settings: _settings,
    checks: _checks,
    startedAt: _startedAt,
    plots: _plots,
    ...rest
  } = scenario
  return {
    ...rest,
    verdict: verdictOf(record, checksOf(record, scenario)),
    calls: scenario.calls.map(({ op, sent, outcomes, latency }) => ({
      ...{ op, sent, outcomes },
      ...(scenario.refused === undefined ? latency : {}),
    })),
  }
}
