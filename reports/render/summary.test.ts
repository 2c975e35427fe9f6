import { expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../fixtures/ground/record.ts'
import { exampleRecord } from '../testing/example.ts'
import { exampleLoadRecord } from '../testing/example-load.ts'
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

test('has the figures of a load run without plots, and percentiles only if they are reported', () => {
  const { load } = summarise(exampleLoadRecord, 'reports/out/x')
  expect(load!.k6.version).toBe('2.3.0')
  expect(load!.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['rate-limit-burst', 'violates'],
    ['booking-contention', 'conforms'],
    ['search-polling', 'not exercised'],
    ['breakpoint', 'measured'],
  ])
  expect(load!.scenarios[1]).toMatchObject({
    requests: { sent: 8_412, counted: 8_415 },
    rate: { intended: 80 },
    calls: [{ op: 'v2 book', sent: 8_000, outcomes: { 409: 2_519 }, p50: 16.2 }, { op: 'v2 read booking' }],
  })
  expect(load!.scenarios[3]!.refused).toContain('dropped')
  expect(load!.scenarios[3]!.calls[0]).toEqual({
    op: 'v2 search hotels',
    sent: 172_045,
    outcomes: { 200: 171_990, 503: 55 },
  })
  expect(JSON.stringify(load)).not.toContain('points')
  expect(summarise(exampleRecord, 'x').load).toBeUndefined()
})
