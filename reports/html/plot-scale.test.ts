import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logTicks, niceRange, niceStep, niceTicks } from './plot-scale.ts'

describe('ticks', () => {
  test.each<[from: number, to: number, labels: string[]]>([
    [0, 10, ['0', '2', '4', '6', '8', '10']],
    [0, 3_000, ['0', '1,000', '2,000', '3,000']],
    [0, 0.3, ['0', '0.1', '0.2', '0.3']],
    [-3, 4, ['-2', '0', '2', '4']],
    [7, 29, ['10', '15', '20', '25']],
    [0, 1.5e9, ['0', '500M', '1B', '1.5B']],
    [0, 4e18, ['0', '1e18', '2e18', '3e18', '4e18']],
    [0, 2e-8, ['0', '5e-9', '1e-8', '1.5e-8', '2e-8']],
  ])('from %d to %d are %j', (from, to, labels) => expect(niceTicks(from, to, 5).labels).toEqual(labels))

  test('are few, in order, a nice step apart and within their range, however large or small it is', () => {
    const finite = fc.double({ noNaN: true, min: -1e300, max: 1e300 })
    fc.assert(
      fc.property(finite, finite, fc.integer({ min: 2, max: 8 }), (a, b, most) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        const { values, labels } = niceTicks(low, high, most)
        expect(values.length).toBeLessThanOrEqual(most + 1)
        expect(labels).toHaveLength(values.length)
        expect(values).toEqual(values.toSorted((x, y) => x - y))
      }),
    )
  })

  test('a range that reaches to ticks holds what it was made from', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: 0, max: 1e12 }), high => {
        const [from, to] = niceRange(0, high, 5)
        expect(from).toBe(0)
        expect(to).toBeGreaterThanOrEqual(high * (1 - 1e-8))
        expect(to).toBeLessThanOrEqual(Math.max(1, high * 2))
      }),
    )
    expect(niceRange(0, 0, 5)).toEqual([0, 1])
    expect(niceRange(0, 5e-324, 5)).toEqual([0, 1])
    expect(niceRange(0, 0.4, 5, true)).toEqual([0, 1])
    expect(niceRange(-7, 12, 5)).toEqual([-10, 15])
  })

  test('a step is 1, 2 or 5 times a power of ten, and something where there is nothing to divide', () => {
    expect([niceStep(10, 5), niceStep(11, 5), niceStep(26, 5), niceStep(0.9, 2)]).toEqual([2, 5, 10, 0.5])
    expect([niceStep(0, 5), niceStep(Number.POSITIVE_INFINITY, 5)]).toEqual([1, 1])
  })
})

test.each<[range: [number, number], most: number, labels: string[]]>([
  [[1, 100], 10, ['1', '2', '5', '10', '20', '50', '100']],
  [[0.4, 30], 10, ['0.5', '1', '2', '5', '10', '20']],
  [[1, 100_000], 6, ['1', '10', '100', '1,000', '10,000', '100,000']],
  [[1, 1e12], 5, ['1', '1,000', '1M', '1B', '1T']],
])('logarithmic ticks of %j, %d at most, are %j', (range, most, labels) =>
  expect(logTicks(...range, most).labels).toEqual(labels),
)
