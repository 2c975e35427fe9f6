import { describe, expect, test } from 'vitest'
import type { CheckRecord, ClauseRecord, Finding, RunRecord, Verdict } from '../../fixtures/ground/record.ts'
import { exampleRecord } from '../testing/example.ts'
import { compare, knownAmong } from './compare.ts'

const finding = (message: string, check = 'a.suite.ts > one'): Finding => ({
  message,
  source: 'check',
  check,
  exchanges: ['a1'],
})

const clause = (id: string, verdict: Verdict, findings: Finding[] = [], reason?: string): ClauseRecord => ({
  id,
  level: 'must',
  side: 'server',
  part: '4.5',
  area: 'v2-bookings',
  says: 'It MUST.',
  verdict,
  checks: [],
  findings,
  ...(reason !== undefined && { reason }),
})

const run = (clauses: ClauseRecord[], more: Partial<RunRecord> = {}): RunRecord => ({
  ...exampleRecord,
  clauses,
  checks: [],
  ...more,
})

const one = (verdict: Verdict, more: Partial<CheckRecord> = {}): CheckRecord => ({
  ...exampleRecord.checks[0]!,
  id: 'one.suite.ts > it',
  clauses: ['V2-A'],
  verdict,
  ...more,
})

describe('comparing two runs', () => {
  test('tells newly broken, known and no longer exercised clauses apart', () => {
    const then = run([
      clause('V2-A', 'conforms'),
      clause('V2-B', 'violates', [finding('expected 200, got 201 (exchange a7)')]),
      clause('V2-C', 'violates', [finding('expected 200, got 500')]),
      clause('V2-D', 'conforms'),
      clause('V2-E', 'not exercised'),
    ])
    const now = run([
      clause('V2-A', 'violates', [finding('expected 200, got 404')]),
      clause('V2-B', 'violates', [finding('expected 200, got 201 (exchange c9)')]),
      clause('V2-C', 'conforms'),
      clause('V2-D', 'not exercised', [], 'no offers'),
      clause('V2-E', 'conforms'),
    ])
    const checks = [one('conforms', { clauses: ['V2-D'] })]
    const compared = compare({ ...then, checks }, now)
    expect(compared).toMatchObject({ broken: ['V2-A'], known: ['V2-B'], unexercised: ['V2-D'] })
  })

  test('clauses outside a selection are not compared, but a removed clause is reported', () => {
    const then = run([clause('V2-A', 'conforms'), clause('V2-B', 'conforms')])
    const selected = run([clause('V2-A', 'not exercised', [], 'not selected')], { only: 'V2-B' })
    expect(compare(then, selected)).toMatchObject({ unexercised: [], missed: [] })
    expect(compare(then, run([clause('V2-A', 'conforms')])).unexercised).toEqual(['V2-B'])
  })

  test.each<
    [string, CheckRecord[], CheckRecord[], Partial<RunRecord>, 'missed' | 'unexercised' | 'left out']
  >([
    ['was refused', [one('conforms')], [one('not exercised', { chance: true })], {}, 'missed'],
    ['drew no case of it', [one('conforms')], [one('conforms')], {}, 'missed'],
    ['lacks something', [one('conforms')], [one('not exercised')], {}, 'unexercised'],
    ['is gone', [one('conforms')], [one('conforms', { id: 'other.suite.ts > it' })], {}, 'unexercised'],
    ['has a new title', [one('conforms')], [one('conforms', { id: 'one.suite.ts > renamed' })], {}, 'missed'],
    [
      'has a new title and another kind of product',
      [one('conforms', { id: 'one.suite.ts > it (hotels)' })],
      [one('conforms', { id: 'one.suite.ts > renamed (transfers)' })],
      ...([{}, 'unexercised'] as const),
    ],
    ['was cut off', [one('conforms')], [one('conforms')], { halted: 'out of time' }, 'unexercised'],
    [
      'was refused, beside one that always lacked something',
      [one('conforms'), one('not exercised', { id: 'live' })],
      [one('not exercised', { chance: true }), one('not exercised', { id: 'live' })],
      ...([{}, 'missed'] as const),
    ],
    [
      'always lacked something, and that other traffic had shown',
      [one('not exercised'), one('conforms', { id: 'other', clauses: ['V2-B'] })],
      [one('not exercised'), one('conforms', { id: 'other', clauses: ['V2-B'] })],
      ...([{}, 'missed'] as const),
    ],
    [
      'always lacked something, and that the traffic of checks had shown which were not selected',
      [one('not exercised'), one('conforms', { id: 'other', clauses: ['V2-B'] })],
      [one('not exercised')],
      ...([{ only: 'V2-A' }, 'left out'] as const),
    ],
    [
      'was not selected, since it cites another clause, too',
      [one('conforms')],
      [one('conforms', { id: 'other' })],
      ...([{ only: 'V2-A and not V2-B' }, 'left out'] as const),
    ],
    [
      'lacks something, and was selected',
      [one('conforms')],
      [one('not exercised')],
      { only: 'V2-A' },
      'unexercised',
    ],
  ])('a clause whose check %s', (_, before, after, over, where) => {
    const then = run([clause('V2-A', 'conforms')], { checks: before })
    const now = run([clause('V2-A', 'not exercised', [], 'why')], { checks: after, ...over })
    const { missed, unexercised } = compare(then, now)
    const told = where === 'left out' ? {} : { [where]: ['V2-A'] }
    expect({ missed, unexercised }).toMatchObject({ missed: [], unexercised: [], ...told })
  })
})

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
