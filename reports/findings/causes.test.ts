import { describe, expect, test } from 'vitest'
import type { ClauseRecord, Finding } from '../../fixtures/ground/record.ts'
import { causesOf } from './roots.ts'

const finding = (message: string, exchanges: string[], more: Partial<Finding> = {}): Finding => ({
  message,
  source: 'check',
  check: 'a.suite.ts > is replayed',
  exchanges,
  ...more,
})

const clause = (id: string, findings: Finding[], level: 'must' | 'should' = 'must'): ClauseRecord => ({
  id,
  level,
  side: 'server',
  part: '4.5',
  area: 'v2-bookings',
  says: 'It MUST.',
  verdict: 'violates',
  checks: [],
  findings,
})

describe('causes', () => {
  test('several clauses that one exchange breaks are one cause', () => {
    const status = finding('expected 200, got 201', ['a1', 'a2'])
    const flag = finding('idempotent_replay is missing', ['a1', 'a2'])
    const causes = causesOf({
      clauses: [clause('V2-IDEM-REPLAY-STATUS', [status]), clause('V2-IDEM-REPLAY-FLAG', [flag])],
    })
    expect(causes).toHaveLength(1)
    expect(causes[0]!.broken.map(({ clause }) => clause.id)).toEqual([
      'V2-IDEM-REPLAY-STATUS',
      'V2-IDEM-REPLAY-FLAG',
    ])
  })
})
