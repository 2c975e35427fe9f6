import type { Plot } from '../../fixtures/ground/record-load.ts'
import { count, number, shorten } from '../render/plain.ts'
import { html, type Markup } from './markup.ts'

/** The size of a plot in its own units, which are pixels at full size, and where its axes are. */
const WIDTH = 400
const HEIGHT = 236
const LEFT = 62
const RIGHT = WIDTH - 20
const TOP = 26
const BOTTOM = HEIGHT - 40

/** The maximum numbers of steps of an axis, and of labels below bars. */
const STEPS = 5
const MOST_LABELS = 7

const LONGEST_LABEL = 54

/** Values beyond this are left out: a record of others may hold any. */
const LARGEST = 1e300

type LinesPlot = Extract<Plot, { kind: 'lines' }>
type BarsPlot = Extract<Plot, { kind: 'bars' }>

const isNumber = (value: number | null): value is number => value !== null && Math.abs(value) <= LARGEST

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Returns round values around zero and all of these, a step of 1, 2 or 5 times a power of ten apart. */
function ticksOf(values: readonly number[], whole = false): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const least = (high - low) / STEPS
  const power = 10 ** Math.floor(Math.log10(least))
  const nice = power > 0 ? [1, 2, 5, 10].find(factor => factor * power >= least * (1 - 1e-9))! * power : 1
  const step = whole ? Math.max(1, nice) : nice
  const [first, last] = [Math.floor(low / step), Math.max(1, Math.ceil(high / step - 1e-9))]
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}

/** Returns a function that places values between the ends of an axis. */
const scale = (ticks: readonly number[], from: number, to: number): ((value: number) => number) => {
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  return value => tenth(from + ((value - low) / (high - low)) * (to - from))
}

/** A label below the horizontal axis, and its place. */
type Label = readonly [text: string, x: number]

/** Returns a complete picture: the axes with their labels, and a drawing. */
function picture(plot: Plot, id: string, essence: string, labels: readonly Label[], drawing: Markup): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Plot"><svg role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<title id="${id}-title">${plot.title}</title><desc id="${id}-desc">${essence}</desc>
${drawing}<path class="axis" d="M${LEFT} ${BOTTOM}H${RIGHT}${labels.map(([, x]) => `M${x} ${BOTTOM}v4`).join('')}"/>
<g class="labels" text-anchor="middle">${labels.map(([text, x]) => html`<text x="${x}" y="${BOTTOM + 17}">${text}</text>`)}</g>
<text class="names" x="0" y="11">${shorten(plot.y, LONGEST_LABEL)}</text>
<text class="names" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 5}" text-anchor="middle">${shorten(plot.x, LONGEST_LABEL)}</text>
</svg></div>`
}

/** Returns the lines of the vertical axis with their labels. */
function grid(ticks: readonly number[], y: (value: number) => number): Markup {
  return html`<path class="grid" d="${ticks.map(value => `M${LEFT} ${y(value)}H${RIGHT}`).join('')}"/>
<g class="labels" text-anchor="end">${ticks.map(value => html`<text x="${LEFT - 7}" y="${tenth(y(value) + 4)}">${number(value)}</text>`)}</g>
`
}

/** Draws a histogram, each bar as wide as the others. */
function drawBars(plot: BarsPlot, id: string): Markup | undefined {
  const bars = plot.bars.filter(({ from, to, count }) => [from, to, count].every(isNumber))
  const highest = bars.toSorted((one, other) => other.count - one.count)[0]
  if (highest === undefined || highest.count <= 0) return undefined
  const ticks = ticksOf([highest.count], true)
  const y = scale(ticks, BOTTOM, TOP)
  const width = (RIGHT - LEFT) / bars.length
  const path = bars.map(({ count }, at) => {
    // The smallest bar must be visible.
    const top = count > 0 ? Math.min(y(count), BOTTOM - 1) : BOTTOM
    return `M${tenth(LEFT + at * width)} ${BOTTOM}V${top}h${tenth(Math.max(0.5, width - 1))}V${BOTTOM}z`
  })
  const every = Math.ceil(bars.length / MOST_LABELS)
  const labels = bars.flatMap(({ from }, at): Label[] =>
    at % every === 0 ? [[number(from), tenth(LEFT + at * width)]] : [],
  )
  const total = bars.reduce((sum, bar) => sum + bar.count, 0)
  const essence = `${plot.y} by ${plot.x}. ${number(total)} in ${count(bars.length, 'bar')}, from ${number(bars[0]!.from)}; most (${number(highest.count)}) from ${number(highest.from)} to ${number(highest.to)}.`
  return picture(
    plot,
    id,
    essence,
    labels,
    html`${grid(ticks, y)}<path class="bars" d="${path.join('')}"/>\n`,
  )
}

const COLOURS = 6

/** Returns the CSS classes of a series: a combination of colour and dashes unlike earlier ones, if possible. */
const seriesClass = (at: number): string =>
  `c${(at % COLOURS) + 1} d${((at + Math.floor(at / COLOURS)) % COLOURS) + 1}`

/** Draws lines over axes from zero, with gaps where values are missing. */
function drawLines(plot: LinesPlot, id: string): Markup | undefined {
  const { series, marks = [] } = plot
  const points = series.flatMap(one => one.points).filter(([x, y]) => isNumber(x) && isNumber(y))
  if (points.length === 0) return undefined
  const moments = marks.filter(({ x }) => isNumber(x))
  const ys = points.map(([, y]) => y!)
  const yTicks = ticksOf(ys, ys.every(Number.isInteger))
  const xTicks = ticksOf([...points.map(([x]) => x), ...moments.map(({ x }) => x)])
  const y = scale(yTicks, BOTTOM, TOP)
  const x = scale(xTicks, LEFT, RIGHT)
  const paths = series.map(one => {
    const places = one.points.map(([px, py]) =>
      isNumber(px) && isNumber(py) ? `${x(px)} ${y(py)}` : undefined,
    )
    // A line of no length shows a value between two gaps.
    return places.map((place, at) => place && (places[at - 1] ? `L${place}` : `M${place}h0`)).join('')
  })
  return picture(
    plot,
    id,
    [`${plot.y} by ${plot.x}.`, ...series.map(inWords), ...moments.map(momentText)].join(' '),
    xTicks.map(value => [number(value), x(value)]),
    html`${grid(yTicks, y)}${moments.map(mark => html`<path class="moment" d="M${x(mark.x)} ${TOP}V${BOTTOM}"/>\n`)}${paths.map((path, at) => html`<path class="line ${seriesClass(at)}" d="${path}"/>\n`)}`,
  )
}

/** Returns the lowest, highest and last value of a line. */
function inWords({ name, points }: LinesPlot['series'][number]): string {
  const values = points.map(([, value]) => value).filter(isNumber)
  if (values.length === 0) return `${name}: no values.`
  return `${name}: lowest ${number(Math.min(...values))}, highest ${number(Math.max(...values))}, last ${number(values.at(-1)!)}.`
}

const momentText = ({ x, label }: { x: number; label: string }): string => `${label} (${number(x)}).`

/** Returns a plot with its title and legend. `id` is unique within the page. */
export function plotFigure(plot: Plot, id: string): Markup {
  const drawing = plot.kind === 'lines' ? drawLines(plot, id) : drawBars(plot, id)
  return html`<figure class="plot"><figcaption>${plot.title}${plot.kind === 'lines' ? legend(plot) : undefined}</figcaption>
${drawing ?? html`<p class="nothing">There is nothing to draw: no value was measured.</p>`}</figure>
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
