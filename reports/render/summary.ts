import type { RunRecord } from '../../fixtures/ground/record.ts'
import type {
  CallFigures,
  LoadRecord,
  Quantiles,
  ScenarioFigures,
} from '../../fixtures/ground/record-load.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { broken } from './digest.ts'
import { checksOf, type ScenarioVerdict, verdictOf } from './load.ts'

/** The output of `--json`: the record without rows that need no action. */
interface RunSummary extends Omit<RunRecord, 'clauses' | 'checks' | 'load'> {
  /** The folder of the run, which has the whole record. */
  out: string
  /** Whether the command ends with 0, and why not. */
  passes: boolean
  reasons: string[]
  findings: ({
    clause: string
    level: string
    says: string
  } & RunRecord['clauses'][number]['findings'][number])[]
  blocked: { clause: string; reason?: string | undefined }[]
  load?: { k6: LoadRecord['k6']; scenarios: ScenarioSummary[] } | undefined
}

/** The figures of a scenario without plots, and the verdict of its checks. */
interface ScenarioSummary
  extends Pick<
    ScenarioFigures,
    'name' | 'profile' | 'seconds' | 'requests' | 'rate' | 'iterations' | 'refused' | 'facts'
  > {
  verdict: ScenarioVerdict
  /** Percentiles are absent if latencies are not reported. */
  calls: (Pick<CallFigures, 'op' | 'sent' | 'outcomes'> & Partial<Quantiles>)[]
}

/** Returns the summary of a record. `out` is the folder of the run. */
export function summarise(record: RunRecord, out: string): RunSummary {
  const { clauses, checks: _, load, ...rest } = record
  const { passes, reasons } = outcomeOf(record)
  return {
    ...rest,
    out,
    passes,
    reasons: reasons.map(({ text }) => text),
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
      op,
      sent,
      outcomes,
      ...(scenario.refused === undefined ? latency : {}),
    })),
  }
}
