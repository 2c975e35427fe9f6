import { describe, expect, test } from 'vitest'
import type { Plot } from '../../fixtures/ground/record-load.ts'
import { exampleLoadRecord } from '../testing/example-load.ts'
import { expectWellNested } from '../testing/markup.ts'
import { plotFigure } from './load.ts'
import { toHtml } from './report.ts'

const evidence = { exchanges: new Map(), curlOf: () => '' }
const page = toHtml(exampleLoadRecord, evidence)

test('the page of a load run: lists its scenarios with their verdicts, each of which leads to its figures', () => {
  const rows = page.match(/<tr><td><a class="id" href="#load-\d">.*?<\/tr>/gs)!
  const cells = (row: string) =>
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .trim()
      .replaceAll(/\s{2,}/g, ' | ')
  expect(rows.map(cells)).toEqual([
    'rate-limit-burst | violates | Does exactly the documented number pass in a window? | 5,710 | 14 s | p95 5.8 ms',
    'booking-contention | conforms | Does one key ever make two bookings under load? | 8,412 | 26 s | p95 39 ms',
    'search-polling | not exercised | How long do searches take, how many polls, do results only grow? | 0 | 20 s | –',
    'breakpoint | measured | At which rate do the objectives fail? | 1,204,318 | 1 h 2 min | –',
  ])
})

test('the page of a load run: is well nested and self-contained, and escapes all texts of the record', () => {
  expectWellNested(page)
  expect(page).not.toMatch(/ (?:src|srcset|action|style|on\w+)="|url\(|<(?:img|image|use|foreignObject)\b/)
  expect(page.match(/<script/g)).toHaveLength(1)
  for (const [, target] of page.matchAll(/ href="#([^"]*)"/g)) expect(page).toContain(` id="${target}"`)
})

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
