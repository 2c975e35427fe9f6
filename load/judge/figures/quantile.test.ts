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
