import { describe, expect, test } from 'vitest'
import type { Plot } from '../../fixtures/ground/record-load.ts'
import { plotFigure } from './load.ts'

type Points = [number, number | null][]

const lines = (series: Record<string, Points>): Plot => ({
  kind: 'lines',
  title: 'Latency',
  x: 'seconds',
  y: 'milliseconds',
  series: Object.entries(series).map(([name, points]) => ({ name, points })),
})

const drawn = (plot: Plot): string => plotFigure(plot, 'p').markup
const texts = (markup: string): string[] =>
  [...markup.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!)
/** Returns every coordinate of a plot. */
const coordinates = (markup: string): number[] =>
  [...markup.matchAll(/ (?:x|y|cx|cy|d)="([^"]*)"/g)].flatMap(([, text]) =>
    [...text!.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number),
  )

describe('lines', () => {
  test('go from corner to corner of a space with axes from zero, with ticks, titles and a legend', () => {
    const markup = drawn(
      lines({
        p50: [
          [0, 0],
          [30, 2_000],
        ],
        p99: [
          [0, 500],
          [30, null],
        ],
      }),
    )
    expect(texts(markup)).toEqual([
      ...['0', '500', '1,000', '1,500', '2,000'],
      ...['0', '10', '20', '30'],
      ...['milliseconds', 'seconds'],
    ])
    expect(markup).toContain('<path class="line c1 d1" d="M62 196h0L380 26"/>')
    expect(markup).toContain('<path class="line c2 d2" d="M62 153.5h0"/>')
    expect(markup).toMatch(/<li><svg[^>]*><path class="line c2 d2"[^>]*\/><\/svg>p99<\/li>/)
  })

  test('nothing but gaps is said, not drawn', () => {
    expect(
      drawn(
        lines({
          a: [
            [1, null],
            [2, Number.NaN],
          ],
        }),
      ),
    ).toMatch(/^(?!.*role="img").*no value was measured/s)
  })

  test.each<[what: string, points: Points]>([
    ['a single point', [[0, 0]]],
    [
      'huge numbers',
      [
        [0, 1e300],
        [1e200, -1e300],
      ],
    ],
    [
      'tiny numbers',
      [
        [0, 1e-300],
        [1, 2e-300],
      ],
    ],
    [
      'negative ones',
      [
        [-4, -20],
        [1, 35],
      ],
    ],
    [
      'numbers that only differ far behind the point',
      [
        [1e15, 1e15],
        [1e15 + 1, 1e15 + 1],
      ],
    ],
  ])('%s stays within the picture', (_, points) => {
    const markup = drawn(lines({ a: points, b: points }))
    expect(markup).toContain('role="img"')
    for (const one of coordinates(markup)) {
      expect(Math.abs(one)).toBeLessThanOrEqual(400)
    }
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
  })
})

test('bars from zero, of one value, and huge ones stay within the picture', () => {
  for (const all of [
    [
      [0, 1, 3],
      [1, 10, 2],
      [10, 1e18, 4],
    ],
    [[7.5, 7.5, 3]],
    [[0, 0, 1]],
    [[0, 0.5, 1e15]],
  ] as [number, number, number][][]) {
    const markup = drawn({
      kind: 'bars',
      title: 'Distribution',
      x: 'milliseconds',
      y: 'requests',
      bars: all.map(([from, to, count]) => ({ from, to, count })),
    })
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
    for (const one of coordinates(markup)) expect(Math.abs(one)).toBeLessThanOrEqual(400)
  }
})
