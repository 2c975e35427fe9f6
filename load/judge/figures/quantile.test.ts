import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ascending, nearestRank, quantilesOf } from './quantile.ts'

const latencies = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }), {
  minLength: 1,
  maxLength: 300,
})

/** Returns the quantile by its definition, without computing ranks. */
const byDefinition = (values: readonly number[], percent: number) =>
  [...values]
    .sort((a, b) => a - b)
    .find(value => values.filter(other => other <= value).length * 100 >= percent * values.length)

describe('quantiles', () => {
  test.each([
    { values: [7], expected: { min: 7, mean: 7, p50: 7, p90: 7, p95: 7, p99: 7, max: 7 } },
    { values: [2, 1], expected: { min: 1, mean: 1.5, p50: 1, p90: 2, p95: 2, p99: 2, max: 2 } },
    {
      values: Array.from({ length: 100 }, (_, index) => 100 - index),
      expected: { min: 1, mean: 50.5, p50: 50, p90: 90, p95: 95, p99: 99, max: 100 },
    },
  ])('of $values.length values are values among them', ({ values, expected }) => {
    expect(quantilesOf(values)).toEqual(expected)
  })

  test('of no values are null', () => {
    expect(quantilesOf([])).toBeNull()
  })

  test('are those of a sorted list', () => {
    fc.assert(
      fc.property(latencies, fc.integer({ min: 1, max: 100 }), (values, percent) => {
        expect(nearestRank(ascending(values), percent / 100)).toBe(byDefinition(values, percent))
      }),
    )
  })

  test('are taken of a million values', () => {
    let state = 1
    const values = Array.from({ length: 1_000_000 }, () => {
      state = (state * 48_271) % 2_147_483_647
      return state / 1000
    })
    expect(quantilesOf(values)?.max).toBe(values.reduce((most, value) => Math.max(most, value)))
  })
})
