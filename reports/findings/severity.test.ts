import { describe, expect, test } from 'vitest'
import type { Finding } from '../../fixtures/ground/record.ts'
import { byHarm, severityOf } from './severity.ts'

describe('severity', () => {
  test.each([
    ['TENANCY-V2-READ', 'money and tenancy'],
    ['V2-IDEM-RACE-ONE-BOOKING', 'money and tenancy'],
    ['TEST-MODE-V2-FLAG', 'money and tenancy'],
    ['V2-IDEM-REPLAY-STATUS', 'idempotency'],
    ['V2-CANCEL-READ', 'states'],
    ['V2-ERR-REQUEST-ID', 'answers'],
    ['FORMAT-V2-TIMESTAMP', 'formats'],
    ['CACHE-V2-READ', 'formats'],
  ])('%s: %s', (id, severity) => {
    expect(severityOf({ id })).toBe(severity)
  })

  test('the severity in a record wins over the table, which earlier records need', () => {
    const finding: Finding = { message: 'x', source: 'check', check: 'y', exchanges: [] }
    const id = 'FORMAT-V2-TIMESTAMP'
    expect(severityOf({ id, findings: [{ ...finding, severity: 'states' }] })).toBe('states')
    expect(severityOf({ id, findings: [finding] })).toBe('formats')
  })

  test('a breach of tenancy comes before a timestamp, and a recommendation after both', () => {
    const rows = [
      { id: 'TENANCY-V2-HINT', level: 'should' },
      { id: 'FORMAT-V2-TIMESTAMP', level: 'must' },
      { id: 'V2-IDEM-REPLAY-STATUS', level: 'must' },
      { id: 'TENANCY-V2-READ', level: 'must' },
    ] as const
    expect(rows.toSorted(byHarm).map(({ id }) => id)).toEqual([
      'TENANCY-V2-READ',
      'V2-IDEM-REPLAY-STATUS',
      'FORMAT-V2-TIMESTAMP',
      'TENANCY-V2-HINT',
    ])
  })
})
