import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validate as validateCtrf } from 'ctrf'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import type { Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { writeRun } from '../folder/write.ts'
import { exampleExchanges, exampleNdjson, exampleRecord, HOSTILE } from '../testing/example.ts'
import { exampleLoadRecord } from '../testing/example-load.ts'
import { toCtrf } from './ctrf.ts'
import { FORMATS } from './format-names.ts'
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
const broken = exampleRecord.clauses.filter(({ findings }) => findings.length > 0)

describe('CTRF', () => {
  test.each([
    ['a run', exampleRecord],
    ['a load run', exampleLoadRecord],
    ['hostile texts', hostile],
    ['a run that was halted', { ...exampleRecord, halted: 'the disk is full' }],
  ])('%s is what its schema allows', (_, record) => {
    expect(validateCtrf(toCtrf(record))).toMatchObject({ valid: true })
  })

  test('counts what it lists, and fails for every requirement that was seen broken', () => {
    const { results } = toCtrf(exampleRecord) as {
      results: {
        summary: Record<string, number>
        tests: { testId?: string; status: string; trace?: string }[]
      }
    }
    const { summary, tests } = results
    expect(tests).toHaveLength(summary.tests!)
    for (const status of ['passed', 'failed', 'skipped', 'other']) {
      expect(
        tests.filter(one => one.status === status),
        status,
      ).toHaveLength(summary[status]!)
    }
    const failed = tests.filter(({ status }) => status === 'failed')
    expect(failed.map(({ testId }) => testId).sort()).toEqual(
      broken
        .filter(({ level, verdict }) => level === 'must' && verdict === 'violates')
        .map(({ id }) => id)
        .sort(),
    )
    expect(failed[0]!.trace).toContain('again: npx travel-sales replay ')
  })
})

describe('GitHub', () => {
  test('an annotation is one line and one command, whatever a deployment sent', () => {
    const record = withFindings(hostile, ({ message }) => ({
      message: `100%\n::error::${message}\r\n::set-output name=x::y`,
    }))
    for (const line of toAnnotations(record)) {
      expect(line).toMatch(/^::(error|warning|notice) title=[^:,]+::[^\r\n]+$/)
      expect(line).not.toMatch(/%(?!25|3A|2C)/)
    }
  })

  test('begins with the worst, and has at most ten errors, ten warnings and the number of others', () => {
    const [worst] = broken.filter(({ level }) => level === 'must')
    const clauses = Array.from({ length: 40 }, (_, at) => ({ ...worst!, id: `${worst!.id}-${at}` }))
    const lines = toAnnotations({
      ...exampleRecord,
      clauses: clauses.map(clause => ({
        ...clause,
        findings: clause.findings.map(finding => ({ ...finding, exchanges: [clause.id] })),
      })),
    })
    expect(lines.filter(line => line.startsWith('::error'))).toHaveLength(10)
    expect(lines.at(-1)).toMatch(/^::notice .*more in the report\.$/)
  })

  test('a step summary stays below its limit and says what was left out', () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}`)
    const cut = stepSummaryOf(lines.join('\n'))
    expect(cut.trimEnd().split('\n').length).toBeLessThan(LONGEST_STEP_SUMMARY)
    expect(cut).toContain('And 803 more lines in summary.md.')
    expect(stepSummaryOf('one\ntwo\n')).toBe('one\ntwo\n')
  })
})

test('each is written only if it is asked for', async () => {
  const dir = temporaryFolder()
  await writeFile(join(dir, 'exchanges.ndjson'), exampleNdjson)
  await writeRun(exampleRecord, dir, { env: {} })
  const before = await readdir(dir)
  await writeRun(exampleRecord, dir, { env: {}, also: FORMATS })
  const added = (await readdir(dir)).filter(name => !before.includes(name)).sort()
  expect(added).toEqual(['ctrf-report.json', 'traffic.har'])
  const har = JSON.parse(await readFile(join(dir, 'traffic.har'), 'utf8'))
  expect(har.log.entries).toHaveLength(exampleExchanges.length)
})
