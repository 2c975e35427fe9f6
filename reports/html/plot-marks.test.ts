import { expect, test } from 'vitest'
import { placeMarks } from './plot.ts'

test('labels of marks do not overlap, and are left of the line at the right end', () => {
  const { marks, rows } = placeMarks(
    [
      { x: 100, label: 'the spike begins' },
      { x: 120, label: 'it ends' },
      { x: 300, label: 'all is well' },
      { x: 430, label: 'the end' },
    ],
    440,
  )
  expect(rows).toBe(2)
  expect(marks.map(({ row, before }) => [row, before])).toEqual([
    ...[
      [0, false],
      [1, false],
      [0, false],
      [1, true],
    ],
  ])
})

test('marks without room for a label are lines only', () => {
  const { marks, rows } = placeMarks(
    Array.from({ length: 9 }, (_, at) => ({ x: 100 + at, label: `mark ${at}` })),
    440,
  )
  expect(rows).toBe(3)
  expect(marks.filter(({ label }) => label !== '')).toHaveLength(3)
})
