import { expect, test } from 'vitest'
import { linePath, tenth } from './plot-path.ts'

test('a line has gaps, and an isolated point is a dot', () => {
  expect(linePath([[0, 1], [1, 1], null, [3, 4], null, null, [6, 2], [7, 2]])).toEqual({
    path: 'M0 1l1 0M6 2l1 0',
    dots: [{ x: 3, y: 4 }],
  })
})

test('roundings do not add up along a line', () => {
  const { path } = linePath(Array.from({ length: 301 }, (_, at) => [at / 3, 0] as const))
  const steps = path.split('l')[1]!.split(' ').map(Number)
  const end = steps.filter((_, at) => at % 2 === 0).reduce((sum, step) => sum + step, 0)
  expect(tenth(end)).toBe(100)
  expect(path.length).toBeLessThan(300 * 7)
})
