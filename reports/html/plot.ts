import type { Plot } from '../../fixtures/record-load.ts'
import { number } from '../render/plain.ts'
import { html, type Markup } from './markup.ts'
import { drawBars } from './plot-bars.ts'
import { type Area, areaBeside, axes, nothingToSee, picture, roomFor, textWidth } from './plot-frame.ts'
import { linePath, tenth } from './plot-path.ts'
import { linear, niceRange, niceTicks } from './plot-scale.ts'

/** A mark at a moment, with its position. */
interface Mark {
  x: number
  label: string
}

/** A mark with the row of its label. */
interface PlacedMark extends Mark {
  row: number
  /** Whether the label is left of the line, since there is no room on the right. */
  before: boolean
}

const MOST_ROWS = 3
const GAP = 8

/** Assigns a row to each label so that none overlap. Labels that would need a fourth row are left out. */
export function placeMarks(marks: readonly Mark[], right: number): { marks: PlacedMark[]; rows: number } {
  const ends: number[] = []
  const placed: PlacedMark[] = []
  for (const { x, label } of marks.toSorted((a, b) => a.x - b.x)) {
    const width = textWidth(label) + 4
    const before = x + width > right
    const start = before ? x - width : x
    const free = ends.findIndex(end => end + GAP <= start)
    const row = free === -1 ? ends.length : free
    const shown = row < MOST_ROWS
    if (shown) ends[row] = start + width
    placed.push({ x, label: shown ? label : '', row: Math.min(row, MOST_ROWS - 1), before })
  }
  return { marks: placed, rows: ends.length }
}

/** Returns marks as vertical lines with labels above the plot. */
function drawMarks(marks: readonly PlacedMark[], { top, bottom }: Area, rows: number): Markup {
  const baseline = (row: number): number => top - 5 - (rows - 1 - row) * 15
  const lines = marks.map(({ x, row }) => `M${tenth(x)} ${baseline(row) - 9}V${bottom}`).join('')
  const labels = marks.filter(({ label }) => label !== '')
  // Labels come last, so that they are above the lines.
  return html`${lines === '' ? undefined : html`<path class="moment" d="${lines}"/>\n`}${labels.map(
    ({ x, label, row, before }) =>
      html`<text class="moment-label" x="${tenth(before ? x - 4 : x + 4)}" y="${baseline(row)}"${before ? html` text-anchor="end"` : undefined}>${label}</text>\n`,
  )}`
}

/** A line plot. */
export type LinesPlot = Extract<Plot, { kind: 'lines' }>

const COLOURS = 6
const STEPS = 5

/** Returns the CSS classes of a series: a combination of colour and dashes unlike earlier ones, if possible. */
export const seriesClass = (at: number): string =>
  `c${(at % COLOURS) + 1} d${((at + Math.floor(at / COLOURS)) % COLOURS) + 1}`

/** Draws lines over an axis from zero, with gaps where values are missing. `id` is unique within the page. */
function drawLines(plot: LinesPlot, id: string): Markup {
  const ys = plot.series.flatMap(({ points }) => points.map(([, y]) => y)).filter(isNumber)
  const moments = (plot.marks ?? []).filter(({ x }) => isNumber(x))
  const xs = plot.series.flatMap(({ points }) => points.map(([x]) => x)).filter(isNumber)
  if (ys.length === 0) return nothingToSee

  const whole = ys.every(Number.isInteger)
  const yRange = niceRange(extreme(ys, Math.min, 0), extreme(ys, Math.max, 0), STEPS, whole)
  const yTicks = niceTicks(...yRange, STEPS, whole)
  const xRange = horizontalRange([...xs, ...moments.map(({ x }) => x)])
  const across = (area: Area) => linear(xRange, area.left, area.right)

  const flat = areaBeside(yTicks.labels, 0)
  const { marks, rows } = placeMarks(
    moments.map(({ x, label }) => ({ x: across(flat)(x), label })),
    flat.right,
  )
  const area = areaBeside(yTicks.labels, rows)
  const x = across(area)
  const y = linear(yRange, area.bottom, area.top)
  const xTicks = niceTicks(...xRange, roomFor(niceTicks(...xRange, 8).labels, area))

  return picture(
    { id, title: plot.title, essence: linesEssence(plot) },
    html`${axes(area, { title: plot.x, ticks: xTicks, at: x }, { title: plot.y, ticks: yTicks, at: y })}${drawMarks(marks, area, rows)}${plot.series.map(
      ({ points }, at) => {
        const { path, dots } = linePath(
          points.map(([px, py]) => (isNumber(px) && isNumber(py) ? [x(px), y(py)] : null)),
        )
        return html`${path === '' ? undefined : html`<path class="line ${seriesClass(at)}" d="${path}"/>\n`}${dots.map(
          dot =>
            html`<circle class="dot ${seriesClass(at)}" cx="${tenth(dot.x)}" cy="${tenth(dot.y)}" r="2.5"/>\n`,
        )}`
      },
    )}`,
  )
}

/** Returns the content of a line plot in words: lowest, highest and last value of each series, and the marks. */
export function linesEssence({ x, y, series, marks = [] }: LinesPlot): string {
  const lines = series.map(({ name, points }) => {
    const values = points.map(([, value]) => value).filter(isNumber)
    if (values.length === 0) return `${name}: no values.`
    return `${name}: lowest ${number(extreme(values, Math.min))}, highest ${number(extreme(values, Math.max))}, last ${number(values.at(-1)!)}.`
  })
  const moments = marks.map(mark => `${mark.label} at ${number(mark.x)}.`)
  return [`${y} by ${x}.`, ...lines, ...moments].join(' ')
}

/** Returns a range that starts at zero if that is near, and is never empty. */
function horizontalRange(xs: readonly number[]): [number, number] {
  const [low, high] = [extreme(xs, Math.min), extreme(xs, Math.max)]
  if (low === high) return [low - 1, high + 1]
  return [low > 0 && low < (high - low) / 4 ? 0 : low, high]
}

const isNumber = (value: number | null): value is number => value !== null && Number.isFinite(value)

function extreme(values: readonly number[], pick: (a: number, b: number) => number, start?: number): number {
  return values.reduce((found, value) => pick(found, value), start ?? values[0]!)
}

/** Returns a plot with its title and legend. `id` is unique within the page. */
export function plotFigure(plot: Plot, id: string): Markup {
  const [drawing, keys] =
    plot.kind === 'lines' ? [drawLines(plot, id), legend(plot)] : [drawBars(plot, id), undefined]
  return html`<figure class="plot"><figcaption>${plot.title}${keys}</figcaption>
${drawing}</figure>
`
}

/** Returns the names of the lines, unless a single line has the name of the axis. */
function legend({ series, y }: LinesPlot): Markup | undefined {
  const [first] = series
  if (series.length === 0 || (series.length === 1 && first!.name === y)) return undefined
  return html`<ul class="keys">${series.map(
    ({ name }, at) =>
      html`<li><svg viewBox="0 0 24 8" aria-hidden="true"><path class="line ${seriesClass(at)}" d="M0 4h24"/></svg>${name}</li>`,
  )}</ul>`
}
