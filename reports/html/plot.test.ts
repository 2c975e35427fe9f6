import { describe, expect, test } from 'vitest'
import type { Plot } from '../../fixtures/ground/record-load.ts'
import { HOSTILE } from '../testing/example.ts'
import { barsEssence, linesEssence, placeMarks, plotFigure, seriesClass } from './plot.ts'
import { WIDTH } from './plot-frame.ts'

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

test('each of few samples is a dot', () => {
  const markup = drawn(bars([0, 1, 2], [1, 2, 0], [2, 3, 1]))
  expect(markup.match(/<circle class="sample"/g)).toHaveLength(3)
  expect(markup).not.toContain('class="bars"')
  expect(drawn(bars([0, 1, 21]))).toContain('class="bars"')
})

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

  test('are told to those who cannot see them', () => {
    const plot = lines(
      { p50: through([0, 12], [1, null], [2, 8], [3, 9.5]), p99: through([0, null]) },
      { marks: [{ x: 2, label: 'spike' }] },
    )
    const essence =
      'milliseconds by seconds. p50: lowest 8, highest 12, last 9.5. p99: no values. spike at 2.'
    expect(linesEssence(plot as Parameters<typeof linesEssence>[0])).toBe(essence)
    expect(drawn(plot)).toContain(
      `<svg role="img" aria-labelledby="p-title p-desc" viewBox="0 0 400 236">\n<title id="p-title">Latency</title><desc id="p-desc">${essence}</desc>`,
    )
  })

  test('a single series with the name of the axis needs no legend', () => {
    const points = through([0, 1], [1, 2])
    expect(drawn(lines({ milliseconds: points }))).not.toContain('class="keys"')
    expect(drawn(lines({ p95: points }))).toContain('class="keys"')
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
      expect(Math.abs(one)).toBeLessThanOrEqual(WIDTH)
      expect(String(one)).toMatch(/^-?\d+(\.\d)?$/)
    }
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('no two of many series look alike', () => {
    const classes = Array.from({ length: 30 }, (_, at) => seriesClass(at))
    expect(new Set(classes).size).toBe(30)
  })
})

test('marks make room above the picture for themselves', () => {
  const points = through([0, 1], [10, 1])
  const marked = drawn(lines({ a: points }, { marks: [{ x: 5, label: 'now' }] }))
  expect(marked).toContain('<path class="moment" d="M198 27V196"/>')
  expect(marked).toContain('<text class="moment-label" x="202" y="36">now</text>')
  expect(drawn(lines({ a: points }))).not.toContain('moment')
})

describe('bars', () => {
  test('that grow wider along the axis have a logarithmic axis', () => {
    const markup = drawn(bars([1, 2, 5], [2, 4, 80], [4, 8, 20], [8, 16, 1]))
    expect(texts(markup)).toEqual([
      ...['0', '20', '40', '60', '80', '1', '2', '5', '10', 'requests', 'milliseconds'],
    ])
    const widths = [...markup.matchAll(/h(\d+\.?\d*)V196z/g)].map(([, width]) => Number(width))
    expect(widths).toHaveLength(4)
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(0.2)
  })

  test('of one width have a linear axis with independent ticks', () => {
    const markup = drawn(bars([0, 25, 5], [25, 50, 0], [50, 75, 20]))
    expect(texts(markup)).toContain('40')
    expect(markup.match(/V196z/g)).toHaveLength(2)
  })

  test('of whole numbers have each number below their middle', () => {
    const markup = drawn(bars([1, 2, 5], [2, 3, 9], [3, 4, 1]))
    expect(texts(markup)).toEqual(['0', '2', '4', '6', '8', '10', '1', '2', '3', 'requests', 'milliseconds'])
  })

  test('the smallest bar shows, and the highest stays within the picture', () => {
    const markup = drawn(bars([0, 10, 1], [10, 20, 1_000_000]))
    expect(markup).toMatch(/V195h/)
    expect(markup).toMatch(/V26h/)
  })

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
      for (const one of coordinates(markup)) expect(Math.abs(one)).toBeLessThanOrEqual(WIDTH)
    }
  })

  test('that are all empty are described instead of drawn', () => {
    for (const plot of [bars(), bars([0, 1, 0])]) expect(drawn(plot)).toContain('no value was measured')
  })

  test('are told to those who cannot see them', () => {
    expect(barsEssence(bars([10, 20, 1_500], [20, 50, 7], [50, 90, 0]))).toBe(
      'requests by milliseconds. 1,507 in 2 bars, from 10 to 50; most (1,500) at 10 to 20.',
    )
    expect(barsEssence(bars())).toBe('requests by milliseconds. There are none.')
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

test('a plot of three lines with 300 points each takes a few kilobytes', () => {
  const points = (seed: number): Points =>
    Array.from({ length: 300 }, (_, at) => [at, (at * 7919 * seed) % 997])
  expect(drawn(lines({ p50: points(1), p95: points(2), p99: points(3) })).length).toBeLessThan(12_000)
})

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
