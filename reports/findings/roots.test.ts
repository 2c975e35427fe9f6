import { expect, test } from 'vitest'
import type { ClauseRecord, Finding } from '../../fixtures/ground/record.ts'
import { byHarm, rootsOf } from './roots.ts'

const clause = (
  id: string,
  finding: Partial<Finding>,
  level: ClauseRecord['level'] = 'must',
): ClauseRecord => ({
  id,
  level,
  side: 'server',
  part: '4',
  area: 'http',
  says: 'A MUST b',
  verdict: 'violates',
  checks: [],
  findings: [{ message: id, source: 'check', check: id, exchanges: [id], ...finding }],
})

const shown = (...clauses: ClauseRecord[]) =>
  rootsOf({ clauses }).map(({ cause, knockOns }) => [
    cause.broken[0].clause.id,
    ...knockOns.map(({ cause, reason }) => `${cause.broken[0].clause.id}: ${reason}`),
  ])

const confirm = { operation: 'POST /confirm', observed: '400 Invalid pax entry' }

test('the same refusal by the same operation has one root: the finding with the fewest steps', () => {
  expect(
    shown(
      clause('V1-IDEM-RACE', { ...confirm, exchanges: ['a1', 'a2', 'a3'] }),
      clause('V1-BOOKS', { ...confirm, exchanges: ['b1'] }),
      clause('V1-OTHER', { ...confirm, operation: 'POST /cancel', exchanges: ['c1'] }),
    ),
  ).toEqual([
    ['V1-BOOKS', 'V1-IDEM-RACE: POST /confirm answers 400 Invalid pax entry, as in V1-BOOKS'],
    ['V1-OTHER'],
  ])
})

test('several clauses that one exchange of a check breaks are one cause', () => {
  const same = { check: 'x', exchanges: ['a1', 'a2'] }
  expect(shown(clause('V2-IDEM-REPLAY-STATUS', same), clause('V2-IDEM-REPLAY-FLAG', same))).toEqual([
    ['V2-IDEM-REPLAY-STATUS'],
  ])
})

/** What a check found at its second exchange, and a passive rule at its first one. */
const later = clause('TENANCY-READ', {
  check: 'x',
  exchanges: ['a1', 'a2'],
  operation: 'GET /read',
  observed: '200',
})
const earlier = (id: string, more: Partial<Finding>): ClauseRecord =>
  clause(id, { source: 'passive', check: 'x', exchanges: ['a1'], ...more })

/** A key that was used for another body, and what its answers show. */
test.each([
  ['most', [3, 1, 2], 2, []],
  ['few', [3, 1, 4], 1, [['V2-BOOKING-ITEMS']]],
])('what %s answers show that had to be refused', (_, ids, follow, roots) => {
  const shows = (message: string, exchanges: number[], more: Partial<Finding> = {}): Finding => ({
    message,
    source: 'passive',
    check: 'x',
    exchanges: exchanges.map(String),
    ...more,
  })
  const items = clause('V2-BOOKING-ITEMS', {})
  items.findings = [...ids.map(id => shows('got two', [id])), shows('read as two', [ids[1]!, 9])]
  const reused = clause('V2-IDEM-REUSED-OFFER', {})
  const compare = { of: 'error' as const, is: ['IDEMPOTENCY_KEY_REUSED'] }
  reused.findings = [1, 2].map(id => shows('got status 200', [id], { compare, observed: 'status 200' }))
  // Reading the booking follows in any case.
  const follows = 'V2-BOOKING-ITEMS: exchange 1, which had to be refused, breaks V2-IDEM-REUSED-OFFER'
  expect(shown(items, reused)).toEqual([
    ['V2-IDEM-REUSED-OFFER', ...Array<string>(follow).fill(follows)],
    ...roots,
  ])
})

test('a fault in an earlier step of a check is the root of a later one', () => {
  const compare = { of: 'json' as const, at: 'booking.booking_id' }
  expect(shown(later, earlier('V2-BOOKING-ID', { compare, operation: 'POST /book' }))).toEqual([
    ['V2-BOOKING-ID', 'TENANCY-READ: exchange a1, which its check went on from, breaks V2-BOOKING-ID'],
  ])
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
