import type { RunRecord } from '../fixtures/record.ts'
import { areaTitle } from './areas.ts'
import { type Case, type ClauseCase, clauseCases, runMessages } from './cases.ts'
import { shorten } from './plain.ts'

/** The version of the Common Test Report Format (ctrf.io) that is written. */
const SPEC_VERSION = '0.0.0'

/** CTRF has no word for what could not be judged: `other`. */
const STATUS = { passed: 'passed', failure: 'failed', error: 'other', skipped: 'skipped' } as const

/**
 * The run in the Common Test Report Format: a test a clause that this run could have decided, with the same outcome as in
 * JUnit, and one for each thing that kept the run itself from being whole.
 */
export function toCtrf(record: RunRecord): object {
  const { kit, run, seed, deployment, profile, verdict, startedAt, finishedAt } = record
  const clauses = clauseCases(record)
  const messages = runMessages(record)
  const number = (outcome: Case['outcome']): number =>
    clauses.filter(one => one.outcome === outcome).length + (outcome === 'error' ? messages.length : 0)
  return {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    runId: run,
    timestamp: finishedAt,
    generatedBy: kit.name,
    results: {
      tool: { name: kit.name, version: kit.version },
      summary: {
        tests: clauses.length + messages.length,
        passed: number('passed'),
        failed: number('failure'),
        skipped: number('skipped'),
        pending: 0,
        other: number('error'),
        start: Date.parse(startedAt),
        stop: Date.parse(finishedAt),
      },
      tests: [...clauses.map(testOf), ...messages.map(runTest)],
      environment: { appName: deployment.name, testEnvironment: deployment.baseUrl },
      extra: { verdict, seed, ...(profile === undefined ? {} : { profile }) },
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
    ...(message === undefined ? {} : { message }),
    ...(evidence === '' ? {} : { trace: evidence }),
  }
}

const runTest = (message: string): object => ({
  name: shorten(message.split('\n')[0]!, 200),
  status: STATUS.error,
  duration: 0,
  suite: ['The run itself'],
  message,
})
