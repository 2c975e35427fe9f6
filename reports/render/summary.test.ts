import { expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../fixtures/ground/record.ts'
import { exampleRecord } from '../testing/example.ts'
import { summarise } from './summary.ts'

test('has everything to act on, and none of the rest', () => {
  const summary = summarise(exampleRecord, 'reports/out/x')
  expect(summary).toMatchObject({
    schemaVersion: SCHEMA_VERSION,
    run: exampleRecord.run,
    verdict: 'violates',
    seed: 1_234_567,
    out: 'reports/out/x',
    coverage: { applicable: 9, exercised: 6, conforming: 3, open: 1 },
    deployment: { name: 'Staging of Example Travel' },
    blocked: [{ clause: 'V2-VOUCHER-READY', reason: expect.stringContaining('no offers') }],
  })
  expect(summary.findings).toHaveLength(11)
  expect(summary.findings[0]).toMatchObject({
    clause: 'V2-IDEM-REPLAY',
    level: 'must',
    exchanges: ['a3', 'a4'],
  })
  expect(summary).not.toHaveProperty('clauses')
  expect(summary).not.toHaveProperty('checks')
})
