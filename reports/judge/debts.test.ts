import { describe, expect, test } from 'vitest'
import type { CheckReport, Excuse, Excused } from '../../fixtures/ground/check-report.ts'
import { brokenBy, checkOf, recordOf } from '../testing/checks.ts'
import { withDebts } from './debts.ts'

const CANCEL = 'v2 cancel'

const excused = (why: Excuse, times: number, more: Partial<Excused> = {}): Excused => ({
  why,
  times,
  moments: times,
  finding: {
    ...brokenBy('x', 'A'),
    operation: CANCEL,
    expected: 'a refusal',
    observed: '502 PROVIDER_ERROR',
  },
  ...more,
})

let made = 0
const check = (kind: CheckReport['kind'], report: Partial<CheckReport>) =>
  checkOf(`x.suite.ts > check ${++made}`, ['A'], { ...(kind && { kind }), exercised: [], ...report })

/** A check to which a market answers so many cancellations, and so many with a 5xx. */
const others = (kind: CheckReport['kind'], through: number, down = 0, exercised: string[] = []) =>
  check(kind, {
    clauses: ['B'],
    exercised,
    answers: { [`${CANCEL} 200`]: through },
    ...(down > 0 && { down: { [CANCEL]: down } }),
  })

const arranged = 'refused'
const refused = excused('away', 4, { arranged })
const transfers = (one: Excused, more: Partial<CheckReport> = {}) =>
  check('transfers', { excused: [one], answers: { [`${CANCEL} 502`]: one.times }, ...more })

describe('what is excused', () => {
  test.each([
    ['as arranged in vain, each time', [transfers(refused), others('transfers', 60)], 'blocked'],
    [
      'as arranged in vain, twice for each of two kinds',
      [
        transfers({ ...refused, times: 2, moments: 2 }),
        check('hotels', { excused: [{ ...refused, times: 2, moments: 2 }] }),
        others('transfers', 60),
      ],
      'blocked',
    ],
    [
      'as arranged in vain, twice',
      [transfers({ ...refused, times: 2, moments: 2 }), others('transfers', 60)],
    ],
    ['as arranged in vain, in one moment', [transfers({ ...refused, moments: 1 }), others('transfers', 60)]],
    [
      'as arranged in vain, where a supplier is away as often',
      [transfers(refused), others('transfers', 40, 20)],
    ],
    [
      'as arranged in vain, by control that may have no effect',
      [transfers(refused), transfers(excused('unheeded', 1, { arranged })), others('transfers', 60)],
    ],
    [
      'and came as arranged once',
      [transfers(refused), others('transfers', 60), transfers(refused, { heeded: ['A refused'] })],
    ],
    ['for a breakdown, each time', [transfers(excused('broken', 4)), others('transfers', 60)], 'violates'],
    ['for a breakdown, at one place of many', [transfers(excused('broken', 4)), others('transfers', 40, 20)]],
    [
      'for a supplier that is away, each time',
      [transfers(excused('away', 4)), others('transfers', 60)],
      'not exercised',
    ],
    [
      'for a supplier that is away for the whole run',
      [transfers(excused('away', 40)), others('transfers', 0, 90)],
    ],
    [
      'for a supplier that is away, and was decided, too',
      [transfers(excused('away', 4)), others('transfers', 60, 0, ['A'])],
    ],
  ] as const)('%s', (_, checks, verdict: string | undefined = undefined) => {
    expect(withDebts(checks).debts.map(debt => debt.verdict)).toEqual(verdict === undefined ? [] : [verdict])
  })
})

const clause = {
  part: '4.5',
  area: 'v2-bookings',
  level: 'must',
  side: 'server',
  says: 'It MUST hold.',
} as const
const record = (...checks: ReturnType<typeof check>[]) =>
  recordOf(checks, {
    catalogue: { A: clause, B: clause },
    deployment: { name: 'here', baseUrl: 'http://127.0.0.1:1', products: ['v2-transfers', 'v2-hotels'] },
  })

test('what control arranged in vain blocks the run, and names both sides', () => {
  const { verdict, clauses, debts } = record(transfers(refused), others('transfers', 60))
  expect([verdict, clauses[0]!.verdict]).toEqual(['blocked', 'blocked'])
  expect(debts).toMatchObject([{ clause: 'A', kind: 'transfers', act: CANCEL, arranged, times: 4 }])
  expect(clauses[0]!.reason).toContain('Either control or the deployment is wrong')
})

test('a breakdown that comes every time is a finding of the clause', () => {
  const { verdict, clauses } = record(transfers(excused('broken', 4)), others('transfers', 60))
  expect(verdict).toBe('violates')
  expect(clauses[0]!.findings).toMatchObject([{ operation: CANCEL, message: 'A is broken, each of 4 times' }])
})

test('a clause that is always excused for a kind of product is not exercised for it, whatever others show', () => {
  const ofHotels = check('hotels', { exercised: ['A'] })
  const { clauses } = record(transfers(excused('away', 4)), others('transfers', 60), ofHotels)
  expect(clauses[0]!.verdict).toBe('conforms')
  expect(clauses[0]!.kinds).toMatchObject([
    { kind: 'transfers', verdict: 'not exercised', reason: expect.stringContaining('4 of 4 times') },
    { kind: 'hotels', verdict: 'conforms' },
  ])
})

test('what was excused every time in an earlier run is seen again in a single answer', () => {
  const once = [transfers(excused('broken', 1))]
  expect(withDebts(once).debts).toEqual([])
  expect(withDebts(once, new Set(['A'])).debts).toMatchObject([{ verdict: 'violates' }])
})
