import { expect, test } from 'vitest'
import type { Finding } from '../../fixtures/ground/record.ts'
import { knownAmong } from './compare.ts'

const base: Finding = {
  message: 'GET /api/v2/bookings/71: expected total 80, got 80.01 (exchange a7)',
  expected: 'total 80',
  observed: '80.01',
  source: 'check',
  check: 'a.suite.ts > reads (hotels)',
  exchanges: ['a7'],
  operation: 'v2 read booking',
  status: 200,
}
const amount = (expected: number, observed: number): Partial<Finding> => ({
  message: `GET /api/v2/bookings/${expected}: expected total ${expected}, got ${observed} (exchange c1)`,
  expected: `total ${expected}`,
  observed: String(observed),
})
const word = (message: string): Partial<Finding> => ({ message, expected: 'x', observed: 'y' })

test.each<[string, Partial<Finding>, Partial<Finding>, boolean]>([
  ['in another exchange', { exchanges: ['c9'] }, {}, true],
  ['of another amount, wrong in the same way', amount(120, 120.5), {}, true],
  ['wrong by 1,000 and not by a cent', amount(80, 1080), {}, false],
  ['too low and not too high', amount(80, 79.99), {}, false],
  ['negative', amount(80, -80), {}, false],
  ['in cents and not in units', amount(80, 8000), amount(80, 95), false],
  ['in cents, as before', amount(80, 8000), amount(45, 4500), true],
  ['of an answer that became a failure', { status: 500 }, { status: 201 }, false],
  ['of another operation', { operation: 'v2 cancel' }, {}, false],
  ['of another kind of product', { check: 'a.suite.ts > reads (transfers)' }, {}, false],
  ['of another field', word('created_at is no time'), word('expires_at is no time'), false],
  ['of a check that was renamed', { check: 'b.suite.ts > shows (hotels)' }, {}, true],
  ['of a passive rule, and no more of a check', { source: 'passive' }, {}, false],
])('a finding %s', (_, now, then, known) => {
  expect(knownAmong([{ ...base, ...then }])({ ...base, ...now })).toBe(known)
})

test('facts that an earlier format lacks are not compared', () => {
  const { operation: _, status: _status, ...old } = base
  expect(knownAmong([old])(base)).toBe(true)
})
