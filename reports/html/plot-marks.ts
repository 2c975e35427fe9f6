import { html, type Markup } from './markup.ts'
import { type Area, textWidth } from './plot-frame.ts'
import { tenth } from './plot-path.ts'

/** A moment worth knowing, where it is drawn. */
export interface Mark {
  x: number
  label: string
}

/** A mark with the row in which its label has room. */
export interface PlacedMark extends Mark {
  row: number
  /** Whether the label stands before the line, because behind it the picture ends. */
  before: boolean
}

const MOST_ROWS = 3
const GAP = 8

/** Finds a row for each label, so that none covers another; labels that would need a fourth row are left out. */
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

/** Returns marks as lines across the picture, labelled above it. */
export function drawMarks(marks: readonly PlacedMark[], { top, bottom }: Area, rows: number): Markup {
  const baseline = (row: number): number => top - 5 - (rows - 1 - row) * 15
  const lines = marks.map(({ x, row }) => `M${tenth(x)} ${baseline(row) - 9}V${bottom}`).join('')
  const labels = marks.filter(({ label }) => label !== '')
  // Labels last: they stand out from the lines that cross them.
  return html`${lines === '' ? undefined : html`<path class="moment" d="${lines}"/>\n`}${labels.map(
    ({ x, label, row, before }) =>
      html`<text class="moment-label" x="${tenth(before ? x - 4 : x + 4)}" y="${baseline(row)}"${before ? html` text-anchor="end"` : undefined}>${label}</text>\n`,
  )}`
}
