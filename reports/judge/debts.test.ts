import { expect, test } from 'vitest'
import type { CheckReport, Excuse, Excused } from '../../fixtures/ground/check-report.ts'
import { brokenBy, checkOf, recordOf } from '../testing/checks.ts'
import { withDebts } from './judge-check.ts'

const CANCEL = 'v2 cancel'
const arranged = 'refused'

let made = 0
const check = (kind: CheckReport['kind'], report: Partial<CheckReport>) =>
  checkOf(`x.suite.ts > check ${++made}`, ['A'], { ...(kind && { kind }), exercised: [], ...report })

/** A check whose cancellations are excused each time. */
const excused = (
  why: Excuse,
  times = 4,
  more: Partial<Excused> = {},
  kind: CheckReport['kind'] = 'transfers',
) => {
  const finding = { ...brokenBy('x', 'A'), operation: CANCEL, expected: 'a refusal', observed: '502' }
  return check(kind, { excused: [{ why, times, moments: times, finding, ...more }] })
}
const inVain = (times = 4, more: Partial<Excused> = {}, kind?: CheckReport['kind']) =>
  excused('away', times, { arranged, ...more }, kind)

/** A check to which a market answers so many cancellations, and so many with a 5xx. */
const others = (through = 60, down = 0, more: Partial<CheckReport> = {}) =>
  check('transfers', {
    clauses: ['B'],
    answers: { [`${CANCEL} 200`]: through },
    down: { [CANCEL]: down },
    ...more,
  })

const OPEN = { kind: 'transfers', verdict: 'not exercised', reason: expect.stringContaining('4 of 4 times') }

test.each<[string, ReturnType<typeof check>[], object?]>([
  [
    'as arranged in vain, twice for each of two kinds',
    [inVain(2), inVain(2, {}, 'hotels'), others()],
    { verdict: 'blocked' },
  ],
  ['as arranged in vain, twice', [inVain(2), others()]],
  ['as arranged in vain, in one moment', [inVain(4, { moments: 1 }), others()]],
  [
    'as arranged in vain, by control that may have no effect',
    [inVain(), excused('unheeded', 1, { arranged }), others()],
  ],
  ['and came as arranged once', [inVain(), others(60, 0, { heeded: ['A refused'] })]],
  ['for a breakdown, at one place of many', [excused('broken'), others(40, 20)]],
  ['for a supplier that is away, each time', [excused('away'), others()], OPEN],
  ['for a supplier that is away for the whole run', [excused('away', 40), others(0, 90)]],
  [
    'for a supplier that is away, and was decided, too',
    [excused('away'), others(60, 0, { exercised: ['A'] })],
  ],
])('what is excused %s', (_, checks, debt) => {
  expect(withDebts(checks).debts).toMatchObject(debt === undefined ? [] : [debt])
})

const clause = {
  part: '4.5',
  area: 'v2-bookings',
  level: 'must',
  side: 'server',
  says: 'It MUST hold.',
} as const

test.each([
  ['blocked', inVain(), { verdict: 'blocked' }],
  ['violates', excused('broken'), { verdict: 'violates', findings: [{ message: 'A is broken, each time' }] }],
  [
    'conforms',
    excused('away'),
    { verdict: 'conforms', kinds: [OPEN, { kind: 'hotels', verdict: 'conforms' }] },
  ],
])('makes a run with it %s, whatever others show', (verdict, one, row) => {
  const record = recordOf([one, others(), check('hotels', { exercised: ['A'] })], {
    catalogue: { A: clause, B: clause },
    deployment: { name: 'here', baseUrl: 'http://127.0.0.1:1', products: ['v2-transfers', 'v2-hotels'] },
  })
  expect(record.clauses[0]).toMatchObject(row)
  if (verdict !== 'conforms') expect(record.verdict).toBe(verdict)
})

test('what was excused every time in an earlier run is seen again in a single answer', () => {
  const once = [excused('broken', 1)]
  expect(withDebts(once).debts).toEqual([])
  expect(withDebts(once, new Set(['A'])).debts).toMatchObject([{ verdict: 'violates' }])
})
