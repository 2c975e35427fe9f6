import { expect, test } from 'vitest'
import { dueAfter } from '../scenarios/lib/executors.ts'

test('at a constant rate iterations are due at equal distances, from the beginning on', () => {
  const steady = [{ from: 4, to: 4, seconds: 10 }]
  expect([0, 1, 2, 39].map(n => dueAfter(steady, n))).toEqual([0, 0.25, 0.5, 9.75])
})

test('a rising rate is due as often as its area says', () => {
  const rising = [{ from: 0, to: 10, seconds: 10 }]
  expect(dueAfter(rising, 50)).toBeCloseTo(10)
  expect(dueAfter(rising, 12.5)).toBeCloseTo(5)
})

test('a falling rate, a pause and a later stretch add up', () => {
  const stretches = [
    { from: 10, to: 0, seconds: 2 },
    { from: 0, to: 0, seconds: 3 },
    { from: 5, to: 5, seconds: 1 },
  ]
  expect(dueAfter(stretches, 10)).toBeCloseTo(2)
  expect(dueAfter(stretches, 11)).toBeCloseTo(5.2)
})

test('an iteration beyond the last stretch is never due', () => {
  expect(dueAfter([{ from: 1, to: 1, seconds: 3 }], 4)).toBe(Number.POSITIVE_INFINITY)
})
