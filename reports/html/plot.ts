import type { Plot } from '../../fixtures/ground/record-load.ts'
import { count, number } from '../render/plain.ts'
import { html, type Markup } from './markup.ts'
import { type Area, areaBeside, axes, nothingToSee, picture, roomFor } from './plot-frame.ts'
import { linePath, tenth } from './plot-path.ts'
import {
  linear,
  logarithmic,
  logTicks,
  niceRange,
  niceTicks,
  type Position,
  type Ticks,
} from './plot-scale.ts'

/** A histogram. */
type BarsPlot = Extract<Plot, { kind: 'bars' }>

type Bar = BarsPlot['bars'][number]

const BAR_STEPS = 5

/** The ratio of the widest to the narrowest bar above which the axis is logarithmic. */
const UNEVEN = 4

/** The number of samples up to which each is a dot: of so few, a bar would look like a measured distribution. */
const FEW = 20

/** Draws a histogram, with a logarithmic axis if the bars grow wider. `id` is unique within the page. */
function drawBars(plot: BarsPlot, id: string): Markup {
  const bars = plot.bars.filter(({ from, to, count }) => [from, to, count].every(Number.isFinite))
  const most = bars.reduce((highest, bar) => Math.max(highest, bar.count), 0)
  if (most === 0) return nothingToSee

  const yRange = niceRange(0, most, BAR_STEPS, true)
  const yTicks = niceTicks(...yRange, BAR_STEPS, true)
  const area = areaBeside(yTicks.labels)
  const y = linear(yRange, area.bottom, area.top)
  const { at, ticks, ends } = horizontal(bars, area)
  const total = bars.reduce((sum, bar) => sum + bar.count, 0)
  if (total <= FEW) {
    const dots = bars.flatMap(bar => {
      const [left, right] = ends(bar)
      const x = tenth((at(left) + at(right)) / 2)
      return Array.from(
        { length: bar.count },
        (_, nth) => html`<circle class="sample" cx="${x}" cy="${tenth(y(nth + 0.5))}" r="4.5"/>`,
      )
    })
    return picture(
      { id, title: plot.title, essence: barsEssence({ ...plot, bars }) },
      html`${axes(area, { title: plot.x, ticks, at }, { title: plot.y, ticks: yTicks, at: y })}${dots}
`,
    )
  }
  const path = bars
    .filter(bar => bar.count > 0)
    .map(bar => {
      const [left, right] = ends(bar)
      // The smallest bar must be visible.
      const top = Math.min(y(bar.count), area.bottom - 1)
      const width = Math.max(1, at(right) - at(left) - 1)
      return `M${tenth(at(left) + 0.5)} ${area.bottom}V${tenth(top)}h${tenth(width)}V${area.bottom}z`
    })
  return picture(
    { id, title: plot.title, essence: barsEssence({ ...plot, bars }) },
    html`${axes(area, { title: plot.x, ticks, at }, { title: plot.y, ticks: yTicks, at: y })}<path class="bars" d="${path.join('')}"/>
`,
  )
}

/** Returns the content of a histogram in words: the count, the range, and the most frequent values. */
function barsEssence({ x, y, bars }: BarsPlot): string {
  const filled = bars.filter(bar => bar.count > 0).sort((a, b) => a.from - b.from)
  const [first] = filled
  if (first === undefined) return `${y} by ${x}. There are none.`
  const total = filled.reduce((sum, bar) => sum + bar.count, 0)
  const highest = filled.reduce((found, bar) => (bar.count > found.count ? bar : found))
  const span = ({ from, to }: Bar): string =>
    from === to ? number(from) : `${number(from)} to ${number(to)}`
  return `${y} by ${x}. ${number(total)} in ${count(filled.length, 'bar')}, from ${number(first.from)} to ${number(filled.at(-1)!.to)}; most (${number(highest.count)}) at ${span(highest)}.`
}

interface Horizontal {
  at: Position
  ticks: Ticks
  /** Returns the horizontal range of a bar. */
  ends: (bar: Bar) => [number, number]
}

function horizontal(bars: readonly Bar[], area: Area): Horizontal {
  const lowest = Math.min(...bars.map(({ from }) => from))
  const highest = Math.max(...bars.map(({ to }) => to))
  const room = roomFor(niceTicks(lowest, highest, 8).labels, area)
  const { left, right } = area

  // Each bar counts one whole number, so its label is below its middle.
  if (bars.every(({ from, to }) => Number.isInteger(from) && (to === from || to === from + 1))) {
    const last = Math.max(...bars.map(({ from }) => from))
    const at = linear([lowest - 0.6, last + 0.6], left, right)
    return { at, ticks: niceTicks(lowest, last, room, true), ends: ({ from }) => [from - 0.4, from + 0.4] }
  }
  const ends = ({ from, to }: Bar): [number, number] => [from, to]
  const widths = bars.map(({ from, to }) => to - from).filter(width => width > 0)
  const starts = bars.flatMap(({ from, to }) => (from > 0 ? [from] : to > 0 ? [to / 2] : []))
  if (lowest >= 0 && Math.max(...widths) > UNEVEN * Math.min(...widths)) {
    const range = [Math.min(...starts), highest] as const
    return { at: logarithmic(range, left, right), ticks: logTicks(...range, room + 2), ends }
  }
  const range: [number, number] = lowest === highest ? [lowest - 1, highest + 1] : [lowest, highest]
  return { at: linear(range, left, right), ticks: niceTicks(...range, room), ends }
}

/** A line plot. */
type LinesPlot = Extract<Plot, { kind: 'lines' }>

const COLOURS = 6
const STEPS = 5

/** Returns the CSS classes of a series: a combination of colour and dashes unlike earlier ones, if possible. */
const seriesClass = (at: number): string =>
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

  const area = areaBeside(yTicks.labels)
  const x = linear(xRange, area.left, area.right)
  const marks = moments.map(({ x: at }) => `M${tenth(x(at))} ${area.top}V${area.bottom}`).join('')
  const y = linear(yRange, area.bottom, area.top)
  const xTicks = niceTicks(...xRange, roomFor(niceTicks(...xRange, 8).labels, area))

  return picture(
    { id, title: plot.title, essence: linesEssence(plot) },
    html`${axes(area, { title: plot.x, ticks: xTicks, at: x }, { title: plot.y, ticks: yTicks, at: y })}${marks === '' ? undefined : html`<path class="moment" d="${marks}"/>\n`}${plot.series.map(
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
function linesEssence({ x, y, series, marks = [] }: LinesPlot): string {
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

/** Returns the names of the lines, unless a single line has the name of the axis, and the moments that are marked. */
function legend({ series, y, marks = [] }: LinesPlot): Markup | undefined {
  const isNamed = series.length > 1 || (series.length === 1 && series[0]!.name !== y)
  if (!isNamed && marks.length === 0) return undefined
  const names = isNamed ? series.map(({ name }, at) => key(`line ${seriesClass(at)}`, name)) : []
  const moments = marks.map(({ x, label }) => key('moment', `${label} (${number(x)})`))
  return html`<ul class="keys">${[...names, ...moments]}</ul>`
}

const key = (line: string, name: string): Markup =>
  html`<li><svg viewBox="0 0 24 8" aria-hidden="true"><path class="${line}" d="M0 4h24"/></svg>${name}</li>`
