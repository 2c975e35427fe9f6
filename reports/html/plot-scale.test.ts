import { describe, expect, test } from 'vitest'
import { logTicks, niceTicks } from './plot-scale.ts'

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
})

test.each<[range: [number, number], most: number, labels: string[]]>([
  [[1, 100], 10, ['1', '2', '5', '10', '20', '50', '100']],
  [[0.4, 30], 10, ['0.5', '1', '2', '5', '10', '20']],
  [[1, 100_000], 6, ['1', '10', '100', '1,000', '10,000', '100,000']],
  [[1, 1e12], 5, ['1', '1,000', '1M', '1B', '1T']],
])('logarithmic ticks of %j, %d at most, are %j', (range, most, labels) =>
  expect(logTicks(...range, most).labels).toEqual(labels),
)
