import { expect, test } from 'vitest'
import type { Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { exampleRecord, HOSTILE } from '../testing/example.ts'
import { LONGEST_STEP_SUMMARY, stepSummaryOf, toAnnotations } from './github.ts'

/** The example with a finding for each hostile text. */
const [firstClause, ...otherClauses] = exampleRecord.clauses
const findings = HOSTILE.map(text => ({
  message: text,
  source: 'check' as const,
  check: text,
  exchanges: ['a4'],
}))
const hostile: RunRecord = {
  ...exampleRecord,
  clauses: [{ ...firstClause!, verdict: 'violates', findings }, ...otherClauses],
}

/** Changes every finding of a record. */
const withFindings = (record: RunRecord, change: (finding: Finding) => Partial<Finding>): RunRecord => ({
  ...record,
  clauses: record.clauses.map(clause => ({
    ...clause,
    findings: clause.findings.map(finding => ({ ...finding, ...change(finding) })),
  })),
})

test('an annotation is one line and one command, whatever a deployment sent', () => {
  const record = withFindings(hostile, ({ message }) => ({
    message: `100%\n::error::${message}\r\n::set-output name=x::y`,
  }))
  for (const line of toAnnotations(record)) {
    expect(line).toMatch(/^::(error|warning|notice) title=[^:,]+::[^\r\n]+$/)
    expect(line).not.toMatch(/%(?!25|3A|2C)/)
  }
})

test('a step summary stays below its limit and says what was left out', () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}`)
  const cut = stepSummaryOf(lines.join('\n'))
  expect(cut.trimEnd().split('\n').length).toBeLessThan(LONGEST_STEP_SUMMARY)
  expect(cut).toContain('And 803 more lines in summary.md.')
  expect(stepSummaryOf('one\ntwo\n')).toBe('one\ntwo\n')
})
