import type { Plot } from '../../fixtures/record-load.ts'
import { count, number } from '../render/plain.ts'
import { html, type Markup } from './markup.ts'
import { type Area, areaBeside, axes, nothingToSee, picture, roomFor } from './plot-frame.ts'
import { tenth } from './plot-path.ts'
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
export type BarsPlot = Extract<Plot, { kind: 'bars' }>

type Bar = BarsPlot['bars'][number]

const STEPS = 5

/** The ratio of the widest to the narrowest bar above which the axis is logarithmic. */
const UNEVEN = 4

/** Draws a histogram, with a logarithmic axis if the bars grow wider. `id` is unique within the page. */
export function drawBars(plot: BarsPlot, id: string): Markup {
  const bars = plot.bars.filter(({ from, to, count }) => [from, to, count].every(Number.isFinite))
  const most = bars.reduce((highest, bar) => Math.max(highest, bar.count), 0)
  if (most === 0) return nothingToSee

  const yRange = niceRange(0, most, STEPS, true)
  const yTicks = niceTicks(...yRange, STEPS, true)
  const area = areaBeside(yTicks.labels, 0)
  const y = linear(yRange, area.bottom, area.top)
  const { at, ticks, ends } = horizontal(bars, area)
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
export function barsEssence({ x, y, bars }: BarsPlot): string {
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
