import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ascending, nearestRank } from './figures.ts'

const latencies = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }), {
  minLength: 1,
  maxLength: 300,
})

/** Returns the quantile by its definition, without computing ranks. */
const byDefinition = (values: readonly number[], percent: number) =>
  [...values]
    .sort((a, b) => a - b)
    .find(value => values.filter(other => other <= value).length * 100 >= percent * values.length)

test('quantiles are those of a sorted list', () => {
  fc.assert(
    fc.property(latencies, fc.integer({ min: 1, max: 100 }), (values, percent) => {
      expect(nearestRank(ascending(values), percent / 100)).toBe(byDefinition(values, percent))
    }),
  )
})
