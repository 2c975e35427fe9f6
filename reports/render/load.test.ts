import { expect, test } from 'vitest'
import type { ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import { exampleLoadRecord as record } from '../testing/example-load.ts'
import { checksOf, outcomesOf, outcomesText, verdictOf } from './load.ts'

const [, contention] = record.load!.scenarios as [ScenarioFigures, ScenarioFigures]

test.each([
  [['conforms', 'not exercised'], 'conforms'],
  [['conforms', 'blocked'], 'blocked'],
  [['blocked', 'error'], 'error'],
  [['not exercised', 'not applicable'], 'not exercised'],
] as const)('the verdict of a scenario with checks of %j is %s', (verdicts, expected) => {
  const [check] = checksOf(record, contention)
  const checks = verdicts.map(verdict => ({ ...check!, verdict }))
  expect(verdictOf(record, checks)).toBe(expected)
})

test('outcomes list statuses first, in order, or as all', () => {
  const call = { ...contention.calls[0]!, outcomes: { timeout: 2, 409: 1_500, 200: 3 } }
  expect(outcomesText(call)).toBe('200: 3; 409: 1,500; timeout: 2')
  expect(outcomesText({ ...call, sent: 7, outcomes: { 200: 7 } })).toBe('all 200')
  expect(outcomesText({ ...call, sent: 8, outcomes: { 200: 7 } })).toBe('200: 7')
  expect(outcomesOf({ outcomes: {} })).toEqual([])
})
