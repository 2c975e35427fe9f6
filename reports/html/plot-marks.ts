import { html, type Markup } from './markup.ts'
import { type Area, textWidth } from './plot-frame.ts'
import { tenth } from './plot-path.ts'

/** A mark at a moment, with its position. */
export interface Mark {
  x: number
  label: string
}

/** A mark with the row of its label. */
export interface PlacedMark extends Mark {
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
export function drawMarks(marks: readonly PlacedMark[], { top, bottom }: Area, rows: number): Markup {
  const baseline = (row: number): number => top - 5 - (rows - 1 - row) * 15
  const lines = marks.map(({ x, row }) => `M${tenth(x)} ${baseline(row) - 9}V${bottom}`).join('')
  const labels = marks.filter(({ label }) => label !== '')
  // Labels come last, so that they are above the lines.
  return html`${lines === '' ? undefined : html`<path class="moment" d="${lines}"/>\n`}${labels.map(
    ({ x, label, row, before }) =>
      html`<text class="moment-label" x="${tenth(before ? x - 4 : x + 4)}" y="${baseline(row)}"${before ? html` text-anchor="end"` : undefined}>${label}</text>\n`,
  )}`
}
