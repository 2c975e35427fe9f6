import { shorten } from '../render/plain.ts'
import { html, type Markup } from './markup.ts'
import { tenth } from './plot-path.ts'
import type { Position, Ticks } from './plot-scale.ts'

/** The size of a plot in its own units, which are pixels at full size. */
const WIDTH = 400
const HEIGHT = 236

const LONGEST_LABEL = 54

/** The area of the drawing. */
export interface Area {
  left: number
  right: number
  top: number
  bottom: number
}

/** Returns an upper estimate of a text's width, since the browser chooses the font. */
const textWidth = (text: string): number => text.length * 7.4

/** Returns the area beside the labels of the vertical axis. */
export function areaBeside(labels: readonly string[]): Area {
  const widest = Math.max(0, ...labels.map(textWidth))
  return { left: Math.ceil(widest) + 8, right: WIDTH - 20, top: 26, bottom: HEIGHT - 40 }
}

/** The labels of an axis and their positions. */
interface Axis {
  title: string
  ticks: Ticks
  at: Position
}

/** Draws the grid, labels and titles of both axes. */
export function axes({ left, right, bottom }: Area, x: Axis, y: Axis): Markup {
  const levels = y.ticks.values.map(value => tenth(y.at(value)))
  const grid = levels.map(level => `M${left} ${level}H${right}`).join('')
  const notches = x.ticks.values.map(value => `M${tenth(x.at(value))} ${bottom}v4`).join('')
  return html`<path class="grid" d="${grid}"/>
<path class="axis" d="M${left} ${bottom}H${right}${notches}"/>
<g class="labels" text-anchor="end">${y.ticks.labels.map((label, at) => html`<text x="${left - 7}" y="${tenth(levels[at]! + 4)}">${label}</text>`)}</g>
<g class="labels" text-anchor="middle">${x.ticks.labels.map((label, at) => html`<text x="${tenth(x.at(x.ticks.values[at]!))}" y="${bottom + 17}">${label}</text>`)}</g>
<text class="names" x="0" y="11">${shorten(y.title, LONGEST_LABEL)}</text>
<text class="names" x="${tenth((left + right) / 2)}" y="${HEIGHT - 5}" text-anchor="middle">${shorten(x.title, LONGEST_LABEL)}</text>
`
}

/** Returns how many of these labels fit on a horizontal axis. */
export function roomFor(labels: readonly string[], { left, right }: Area): number {
  const widest = Math.max(0, ...labels.map(textWidth))
  return Math.max(2, Math.min(8, Math.floor((right - left) / (widest + 24))))
}

/** The description of a plot for those who cannot see it. */
export interface Told {
  /** Unique within the page. */
  id: string
  title: string
  essence: string
}

/** Returns a complete plot. */
export function picture({ id, title, essence }: Told, drawing: Markup): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Plot"><svg role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${essence}</desc>
${drawing}</svg></div>`
}

/** Replaces an empty plot. */
export const nothingToSee = html`<p class="nothing">There is nothing to draw: no value was measured.</p>`
