import { describe, expect, test } from 'vitest'
import type { Plot } from '../../fixtures/ground/record-load.ts'
import { HOSTILE } from '../testing/example.ts'
import { plotFigure } from './plot.ts'

type Points = [number, number | null][]

const lines = (series: Record<string, Points>, more: Partial<Plot> = {}): Plot =>
  ({
    kind: 'lines',
    title: 'Latency',
    x: 'seconds',
    y: 'milliseconds',
    series: Object.entries(series).map(([name, points]) => ({ name, points })),
    ...more,
  }) as Plot

const through = (...points: Points): Points => points

const bars = (...all: [from: number, to: number, count: number][]): Extract<Plot, { kind: 'bars' }> => ({
  kind: 'bars',
  title: 'Distribution',
  x: 'milliseconds',
  y: 'requests',
  bars: all.map(([from, to, count]) => ({ from, to, count })),
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
    const markup = drawn(lines({ p50: through([0, 0], [30, 2_000]), p99: through([0, 500], [30, null]) }))
    expect(texts(markup)).toEqual([
      ...['0', '500', '1,000', '1,500', '2,000'],
      ...['0', '5', '10', '15', '20', '25', '30'],
      ...['milliseconds', 'seconds'],
    ])
    expect(markup).toContain('<path class="line c1 d1" d="M45 196l335 -170"/>')
    expect(markup).toContain('<circle class="dot c2 d2" cx="45" cy="153.5" r="2.5"/>')
    expect(markup).toMatch(/<li><svg[^>]*><path class="line c2 d2"[^>]*\/><\/svg>p99<\/li>/)
  })

  test.each<[what: string, series: Record<string, Points>]>([
    ['no series', {}],
    ['an empty series', { a: [] }],
    ['nothing but gaps', { a: through([1, null]) }],
    ['no real number', { a: through([1, Number.NaN]) }],
  ])('%s is said, not drawn', (_, series) => {
    expect(drawn(lines(series))).toContain('no value was measured')
    expect(drawn(lines(series))).not.toContain('role="img"')
  })

  test.each<[what: string, points: Points]>([
    ['a single point', through([5, 3])],
    ['a single moment', through([0, 0])],
    ['all zero', through([0, 0], [1, 0])],
    ['huge numbers', through([0, 1e300], [1e200, 5])],
    ['tiny numbers', through([0, 1e-300], [1, 2e-300])],
    ['negative ones', through([-4, -20], [1, 35])],
    ['numbers that only differ far behind the point', through([1e15, 1e15], [1e15 + 1, 1e15 + 1])],
  ])('%s stays within the picture', (_, points) => {
    const markup = drawn(lines({ a: points, b: points }))
    expect(markup).toContain('role="img"')
    for (const one of coordinates(markup)) {
      expect(Math.abs(one)).toBeLessThanOrEqual(400)
      expect(String(one)).toMatch(/^-?\d+(\.\d)?$/)
    }
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
  })
})

describe('bars', () => {
  test('from zero, of one value, and huge ones stay within the picture', () => {
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
      const markup = drawn(bars(...all))
      expect(markup).not.toMatch(/NaN|Infinity|undefined/)
      for (const one of coordinates(markup)) expect(Math.abs(one)).toBeLessThanOrEqual(400)
    }
  })
})

test('names from a record are escaped', () => {
  for (const text of HOSTILE) {
    const points = through([0, 1], [1, 2])
    const named = { title: text, x: text, y: text }
    for (const plot of [
      lines({ [text]: points, more: points }, { ...named, marks: [{ x: 0.5, label: text }] }),
      { ...bars([0, 1, 2]), ...named },
    ]) {
      expect(drawn(plot)).not.toMatch(/<(?:script|img|!)|onerror=[^a]/)
    }
  }
})
