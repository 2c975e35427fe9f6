import { expect, test } from 'vitest'
import { exampleLoadRecord as record } from '../testing/example-load.ts'
import { checksOf, verdictOf } from './load.ts'

test.each([
  [['conforms', 'not exercised'], 'conforms'],
  [['conforms', 'blocked'], 'blocked'],
  [['blocked', 'error'], 'error'],
  [['not exercised', 'not applicable'], 'not exercised'],
] as const)('the verdict of a scenario with checks of %j is %s', (verdicts, expected) => {
  const [check] = checksOf(record, record.load!.scenarios[1]!)
  const checks = verdicts.map(verdict => ({ ...check!, verdict }))
  expect(verdictOf(record, checks)).toBe(expected)
})
