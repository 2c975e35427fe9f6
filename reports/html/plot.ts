import type { Plot } from '../../fixtures/record-load.ts'
import { html, type Markup } from './markup.ts'
import { drawBars } from './plot-bars.ts'
import { drawLines, type LinesPlot, seriesClass } from './plot-lines.ts'

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
