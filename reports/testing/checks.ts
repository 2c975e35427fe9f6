import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { assemble } from '../judge/assemble.ts'
import type { RunInput } from '../judge/run-input.ts'

/** Returns a check as the test runner collects it. It decided all that it cites, unless its report says otherwise. */
export function checkOf(
  id: string,
  clauses: string[],
  report: Partial<CheckReport> = {},
  more: Partial<CollectedCheck> = {},
): CollectedCheck {
  const [file, ...title] = id.split(' > ')
  return {
    id,
    file: file!,
    title,
    tags: clauses,
    kind: report.kind,
    milliseconds: 84,
    errors: [],
    state: (report.findings ?? []).length > 0 ? 'failed' : 'passed',
    report: {
      clauses,
      exercised: clauses,
      findings: [],
      requests: { v1: 0, v2: 4 },
      properties: [],
      ...report,
    },
    ...more,
  }
}

/** Returns what a check reports of a clause that it saw broken. */
export const brokenBy = (check: string, clause: string): CheckReport['findings'][number] => ({
  clause,
  message: `${clause} is broken`,
  source: 'check',
  check,
  exchanges: ['7'],
})

/** Returns the record of a run of these checks. */
export const recordOf = (
  checks: CollectedCheck[],
  input: Pick<RunInput, 'catalogue'> & Partial<RunInput>,
): RunRecord =>
  assemble({
    kit: { name: 'kit', version: '1.2.3', node: '24.0.0' },
    context: { run: 'r1', seed: 7 },
    deployment: { name: 'here', baseUrl: 'http://127.0.0.1:1', products: ['v2-transfers'] },
    passiveClauses: new Map(),
    requests: { v1: 1, v2: 2 },
    leftovers: [],
    collected: { checks, moduleErrors: [], unhandledErrors: [], ended: true },
    startedAt: '2026-10-01T00:00:00.000Z',
    finishedAt: '2026-10-01T00:00:02.000Z',
    ...input,
  })
