import { describe, expect, test } from 'vitest'
import type { ClauseRecord, Finding } from '../../fixtures/record.ts'
import { causesOf, essenceOf } from './causes.ts'

const finding = (message: string, exchanges: string[], more: Partial<Finding> = {}): Finding => ({
  ...{ message, source: 'check', check: 'a.suite.ts > is replayed', exchanges },
  ...more,
})

const clause = (id: string, findings: Finding[], level: 'must' | 'should' = 'must'): ClauseRecord => ({
  ...{ id, level, side: 'server', part: '4.5', area: 'v2-bookings', says: 'It MUST.', verdict: 'violates' },
  ...{ checks: [], findings },
})

describe('essence', () => {
  test('the same fault of another answer says the same', () => {
    const one = finding('GET /api/v2/bookings/17: created_at is "2027-01-01 10:00" (exchange a7)', ['a7'])
    const two = finding('GET /api/v2/bookings/21: created_at is "2027-03-01 12:00" (exchange b9)', ['b9'])
    expect(essenceOf(one)).toBe(essenceOf(two))
  })

  test('another field says something else', () => {
    expect(essenceOf(finding('created_at is no time', []))).not.toBe(
      essenceOf(finding('expires_at is no time', [])),
    )
  })
})

describe('causes', () => {
  test('162 answers with one fault are one cause, and a breach of tenancy stands before it', () => {
    const many = Array.from({ length: 162 }, (_, n) =>
      finding(`created_at is "${n}" (exchange a${n})`, [`a${n}`], { source: 'passive' }),
    )
    const causes = causesOf({
      clauses: [
        clause('FORMAT-V2-TIMESTAMP', many),
        clause('TENANCY-V2-READ', [finding('it was shown', ['b1'])]),
      ],
    })
    expect(causes.map(({ broken: [{ clause, more }] }) => [clause.id, more.length])).toEqual([
      ['TENANCY-V2-READ', 0],
      ['FORMAT-V2-TIMESTAMP', 161],
    ])
  })

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

  test('two fields that one answer lacks are two causes of one clause', () => {
    const lacking = ['created_at is missing', 'status is missing'].map(message => finding(message, ['a1']))
    expect(causesOf({ clauses: [clause('V2-BOOKING-FIELDS', lacking)] })).toHaveLength(2)
  })

  test('a recommendation does not hide behind a requirement', () => {
    const both = finding('it is not there', ['a1'])
    const causes = causesOf({ clauses: [clause('V2-BOOK-A', [both]), clause('V2-BOOK-B', [both], 'should')] })
    expect(causes).toHaveLength(2)
  })

  test('findings without exchanges stay apart', () => {
    const causes = causesOf({ clauses: [clause('V2-BOOK-A', [finding('one', []), finding('two', [])])] })
    expect(causes).toHaveLength(2)
  })
})
