import type { RunRecord } from '../../fixtures/record.ts'
import type { CallFigures, LoadRecord, Quantiles, ScenarioFigures } from '../../fixtures/record-load.ts'
import { broken } from './digest.ts'
import { checksOf, type ScenarioVerdict, verdictOf } from './load.ts'

/** The output of `--json`: the record without the rows that hold nothing to act on. */
export interface RunSummary extends Omit<RunRecord, 'clauses' | 'checks' | 'load'> {
  /** Folder of the run, where the whole record is. */
  out: string
  findings: ({
    clause: string
    level: string
    says: string
  } & RunRecord['clauses'][number]['findings'][number])[]
  blocked: { clause: string; reason?: string | undefined }[]
  load?: { k6: LoadRecord['k6']; scenarios: ScenarioSummary[] } | undefined
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

/** Returns the record's summary. `out` is the folder of the run. */
export function summarise(record: RunRecord, out: string): RunSummary {
  const { clauses, checks: _, load, ...rest } = record
  return {
    ...rest,
    out,
    findings: broken(record).flatMap(({ id, level, says, findings }) =>
      findings.map(finding => ({ clause: id, level, says, ...finding })),
    ),
    blocked: clauses
      .filter(({ verdict }) => verdict === 'blocked')
      .map(({ id, reason }) => ({ clause: id, reason })),
    load: load && { k6: load.k6, scenarios: load.scenarios.map(scenario => figuresOf(record, scenario)) },
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
