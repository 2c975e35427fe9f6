import type { RunRecord } from '../../fixtures/ground/record.ts'
import { areaTitle } from '../judge/areas.ts'
import { type Case, type ClauseCase, clauseCases, type RunCase, runCases } from './cases.ts'

/** The version of the Common Test Report Format (ctrf.io). */
const SPEC_VERSION = '0.0.0'

/** CTRF has no status for what could not be judged, so that is `other`. */
const STATUS = { passed: 'passed', failure: 'failed', error: 'other', skipped: 'skipped' } as const

/**
 * Returns the run in the Common Test Report Format: a test per clause that the run could have decided, with the
 * same outcome as in JUnit, and one per reason that kept the run from being complete.
 */
export function toCtrf(record: RunRecord): object {
  const { kit, run, seed, deployment, profile, verdict, startedAt, finishedAt } = record
  const clauses = clauseCases(record)
  const own = runCases(record)
  const number = (outcome: Case['outcome']): number =>
    [...clauses.map(one => one.outcome), ...own.map(outcomeOfRun)].filter(one => one === outcome).length
  return {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    runId: run,
    timestamp: finishedAt,
    generatedBy: kit.name,
    results: {
      tool: { name: kit.name, version: kit.version },
      summary: {
        tests: clauses.length + own.length,
        passed: number('passed'),
        failed: number('failure'),
        skipped: number('skipped'),
        pending: 0,
        other: number('error'),
        start: Date.parse(startedAt),
        stop: Date.parse(finishedAt),
      },
      tests: [...clauses.map(testOf), ...own.map(runTest)],
      environment: { appName: deployment.name, testEnvironment: deployment.baseUrl },
      extra: { verdict, seed, profile },
    },
  }
}

function testOf({ row, outcome, message, evidence, seconds }: ClauseCase): object {
  return {
    testId: row.id,
    name: `${row.id}: ${row.says}`,
    status: STATUS[outcome],
    rawStatus: row.verdict,
    duration: Math.round(seconds * 1000),
    suite: [areaTitle(row.area)],
    tags: [row.level, `part ${row.part}`],
    message,
    trace: evidence === '' ? undefined : evidence,
  }
}

const outcomeOfRun = ({ messages }: RunCase): 'passed' | 'error' =>
  messages.length === 0 ? 'passed' : 'error'

const runTest = (one: RunCase): object => ({
  name: one.name,
  status: STATUS[outcomeOfRun(one)],
  duration: 0,
  suite: ['The run itself'],
  message: one.messages.length === 0 ? undefined : one.messages.join('\n'),
})
