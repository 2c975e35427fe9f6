import { expect, test } from 'vitest'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import type { Collected } from '../../fixtures/run/collected.ts'
import { brokenBy, checkOf } from '../testing/checks.ts'
import { isProven, matrixOf, partsOf, sentence, undecidedClauses } from './matrix.ts'

const catalogue = { A: { level: 'must' }, B: { level: 'must' }, C: { level: 'should' } } as const
const deviants = [
  { id: 'a-wrong', breaks: ['A'], because: 'A is not kept' },
  { id: 'b-wrong', breaks: ['B'], because: 'B is not kept' },
]

const known = {
  deviants,
  benign: [{ id: 'a-allowed', allows: 'A leaves it open' }],
  catalogue,
  needed: new Map([['SHOWN', 'an answer that shows it']]),
  all: deviants,
}

function check(variant: string | undefined, found: string[], more: Partial<CheckReport> = {}) {
  const report = {
    exercised: ['A', 'B', 'C'],
    findings: found.map(clause => brokenBy('x', clause)),
    ...(variant !== undefined && { variant }),
    ...more,
  }
  return checkOf(`x.suite.ts > x [${variant ?? ''}] ${found}`, ['A'], report)
}

const collected = (...checks: Collected['checks']): Collected => ({
  checks,
  moduleErrors: [],
  unhandledErrors: [],
  ended: true,
})

test('a deviant is caught by a finding under its own clause', () => {
  const matrix = matrixOf(
    collected(check(undefined, []), check('a-wrong', ['A', 'C']), check('b-wrong', ['B'])),
    known,
  )
  expect(matrix.deviants).toMatchObject([
    { id: 'a-wrong', caught: true, under: ['A'], also: ['C'], checks: 1, evidence: 'A is broken' },
    { id: 'b-wrong', caught: true, under: ['B'], also: [] },
  ])
  expect(matrix.unproven).toEqual([])
  expect(isProven(matrix)).toBe(true)
})

test('a deviant that is caught for some kinds of product only names the others, and fails the proof', () => {
  const of = (kind: 'transfers' | 'hotels', found: string[]) => ({ ...check('a-wrong', found), kind })
  const others = [check(undefined, []), check('b-wrong', ['B'])]
  const partly = matrixOf(collected(...others, of('transfers', ['A']), of('hotels', [])), known)
  expect(partly.deviants[0]).toMatchObject({ caught: true, missedFor: ['hotels'] })
  expect(partsOf(partly)[0]![1]).toEqual(['a-wrong: not for hotels'])
  expect(sentence(partly)).toContain('under their own clause, 1 of them for some kinds of product alone, 0')
  expect(isProven(partly)).toBe(false)
  const wholly = matrixOf(collected(...others, of('transfers', ['A']), of('hotels', ['A'])), known)
  expect(isProven(wholly)).toBe(true)
})

test.each([
  [
    'a check that was blocked',
    collected(
      check(undefined, [], { stopped: { verdict: 'blocked', reason: 'no offers' } }),
      check('a-wrong', ['A']),
      check('b-wrong', ['B']),
    ),
  ],
  [
    'a file that could not be loaded',
    {
      ...collected(check('a-wrong', ['A']), check('b-wrong', ['B'])),
      moduleErrors: [{ file: 'y.suite.ts', message: 'no' }],
    },
  ],
])('%s on the untouched deployment spoils the proof', (_, seen) => {
  expect(isProven(matrixOf(seen, known))).toBe(false)
})

test.each([
  ['that nothing breaks', [], deviants.slice(0, 1), ['B']],
  ['whose deviants were all found under other clauses', deviants, deviants, ['A', 'B']],
  ['whose deviants did not run: nothing is said of it', [], deviants, []],
])('a binding clause %s', (_, ran, all, listed) => {
  const seen = collected(check(undefined, []), check('a-wrong', ['C']), check('b-wrong', ['C']))
  expect(matrixOf(seen, { ...known, deviants: ran, all }).unproven).toEqual(listed)
})

test('a finding on a benign variant fails the proof', () => {
  const caught = [check('a-wrong', ['A']), check('b-wrong', ['B'])]
  const silent = matrixOf(collected(...caught, check('a-allowed', [])), known)
  expect(silent.benign).toMatchObject([{ id: 'a-allowed', checks: 1, findings: [], errors: [] }])
  expect(isProven(silent)).toBe(true)
  const alarming = matrixOf(collected(...caught, check('a-allowed', ['C'])), known)
  expect(isProven(alarming)).toBe(false)
})

test('a check that leaves a clause undecided without a reason on a conforming deployment is at fault', () => {
  const open = (variant: string | undefined, more: Partial<CheckReport>) =>
    matrixOf(collected(check(variant, [], { clauses: ['A', 'D'], ...more })), { ...known, deviants: [] })
  for (const variant of [undefined, 'a-allowed']) {
    const matrix = open(variant, {})
    expect(undecidedClauses(matrix)).toEqual([
      `${variant ?? 'untouched'}: D: no assertion, and no reason (x.suite.ts > x [${variant ?? ''}] )`,
    ])
    expect(isProven(matrix)).toBe(false)
  }
  // The reasons: the check ended early, no answer could be judged, no case was drawn.
  const stopped = { verdict: 'not exercised', reason: 'needs luck' } as const
  const reasons = [{ stopped }, { clauses: ['SHOWN'] }, { properties: [{ seed: 1, runs: 4, planned: 4 }] }]
  for (const reason of reasons) expect(undecidedClauses(open(undefined, reason))).toEqual([])
})
