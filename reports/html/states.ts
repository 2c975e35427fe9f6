import type { RunRecord, StateDiagram } from '../../fixtures/record.ts'
import { statesLine } from '../judge/states.ts'
import { clauseAnchor } from './clauses.ts'
import { html, type Markup } from './markup.ts'
import { type PlacedState, type Point, place } from './state-layout.ts'

type Seen = StateDiagram['transitions'][number]['seen']

/** The style of lines, distinguishable without colour. */
const LINES: Readonly<Record<Seen, { className: string; says: string }>> = {
  visited: { className: 'visited', says: 'visited: solid line, filled circle' },
  'not visited': { className: 'unvisited', says: 'not visited: dashed line, open circle' },
  broken: { className: 'broken-way', says: 'broken, a clause about it is violated: thick line, square' },
}

const SEEN: readonly Seen[] = ['visited', 'not visited', 'broken']

/** Returns the anchor of a state machine within the page. */
export const statesAnchor = ({ part }: Pick<StateDiagram, 'part'>): string =>
  `states-${part.replace('.', '-')}`

/** Returns the state machines of part 3, with what the run observed of each transition. */
export function statesSection({ states = [], clauses }: RunRecord): Markup | undefined {
  if (states.length === 0) return undefined
  const known = new Set(clauses.map(({ id }) => id))
  return html`<section aria-labelledby="states">
<h2 id="states">States and transitions</h2>
<p class="note">${statesLine(states)}: a random walk went this way, or a clause that cannot be decided without it was exercised. Numbers are those of the table below each diagram.</p>
<ul class="legend" aria-label="Lines of the diagrams">
${(Object.keys(LINES) as Seen[]).map(seen => html`<li>${sample(seen)} ${LINES[seen].says}</li>\n`)}</ul>
<div class="machines">
${states.map(diagram => section(diagram, known))}</div>
</section>
`
}

function section(diagram: StateDiagram, known: ReadonlySet<string>): Markup {
  const { part, title, transitions } = diagram
  return html`<div class="machine">
<h3 id="${statesAnchor(diagram)}">${title} <span class="tally">part ${part}; ${transitions.filter(({ seen }) => seen !== 'not visited').length} of ${transitions.length} visited</span></h3>
<div class="scroll" tabindex="0" role="region" aria-label="Diagram of part ${part}">${drawing(diagram)}</div>
<details class="others"><summary>The ${transitions.length} transitions</summary>
<table>
<thead><tr><th scope="col" class="number">Line</th><th scope="col">Transition</th><th scope="col">Seen</th></tr></thead>
<tbody>
${transitions.map(
  ({ from, to, on, seen, clauses }, at) =>
    html`<tr><td class="number">${at + 1}</td><td><b>${from}</b> ${from === to ? 'stays' : html`→ <b>${to}</b>`}: ${on}</td><td>${seen} <small>${clauses.map((id, place) => html`${place === 0 ? '' : ', '}${known.has(id) ? html`<a href="#${clauseAnchor(id)}">${id}</a>` : id}`)}</small></td></tr>
`,
)}</tbody>
</table></details>
</div>
`
}

/** Returns a diagram without texts, as a small picture. */
export function thumbnail(diagram: StateDiagram): Markup {
  const { width, height, states, transitions } = place(diagram)
  const ways = (wanted: Seen): string =>
    transitions
      .filter(({ at }) => diagram.transitions[at]!.seen === wanted)
      .map(({ points }) => `M${points.map(({ x, y }) => `${px(x)} ${px(y)}`).join('L')}`)
      .join('')
  const boxes = states.map(
    ({ x, y, width: w, height: h }) => `M${px(x - w / 2)} ${px(y - h / 2)}h${px(w)}v${px(h)}h${px(-w)}z`,
  )
  return html`<svg class="thumbnail" viewBox="0 0 ${width} ${height}" aria-hidden="true">${SEEN.map(seen => {
    const path = ways(seen)
    return path === ''
      ? undefined
      : html`<g class="${LINES[seen].className}"><path class="way" d="${path}"/></g>`
  })}<path class="boxes" d="${boxes.join('')}"/></svg>`
}

function drawing(diagram: StateDiagram): Markup {
  const { width, height, states, transitions } = place(diagram)
  const seen = (at: number): Seen => diagram.transitions[at]!.seen
  return html`<svg class="states" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Part ${diagram.part}, ${diagram.title}: states and transitions as in the table below">
${transitions.map(one => line(one.points, seen(one.at)))}
${states.map(box)}
${transitions.map(one => numbered(one.label, String(one.at + 1), seen(one.at)))}
</svg>`
}

const box = ({ name, x, y, width, height }: PlacedState): Markup =>
  html`<g class="state"><rect x="${px(x - width / 2)}" y="${px(y - height / 2)}" width="${width}" height="${height}" rx="8"/><text x="${px(x)}" y="${px(y)}">${name}</text></g>
`

function line(points: readonly Point[], seen: Seen): Markup {
  return html`<g class="${LINES[seen].className}"><path class="way" d="${curve(points)}"/><path class="tip" d="${tip(points)}"/></g>
`
}

/** Returns a smooth line through every point (a Catmull-Rom spline, as Bézier curves). */
function curve(points: readonly Point[]): string {
  const parts = points.slice(1).map((to, at) => {
    const from = points[at]!
    const [before, after] = [points[at - 1] ?? from, points[at + 2] ?? to]
    const near = { x: from.x + (to.x - before.x) / 6, y: from.y + (to.y - before.y) / 6 }
    const far = { x: to.x - (after.x - from.x) / 6, y: to.y - (after.y - from.y) / 6 }
    return `C${[near, far, to].map(({ x, y }) => `${px(x)} ${px(y)}`).join(' ')}`
  })
  return `M${px(points[0]!.x)} ${px(points[0]!.y)}${parts.join('')}`
}

/** The length of an arrowhead in pixels. */
const TIP = 9

/** Returns the arrowhead at the end of a line. */
function tip(points: readonly Point[]): string {
  const end = points.at(-1)!
  const before = points.at(-2)!
  const angle = Math.atan2(end.y - before.y, end.x - before.x)
  const corner = (turn: number): string =>
    `${px(end.x - TIP * Math.cos(angle + turn))} ${px(end.y - TIP * Math.sin(angle + turn))}`
  return `M${px(end.x)} ${px(end.y)}L${corner(0.42)}L${corner(-0.42)}Z`
}

function numbered({ x, y }: Point, text: string, seen: Seen): Markup {
  const shape =
    seen === 'broken'
      ? html`<rect x="${px(x - 11)}" y="${px(y - 11)}" width="22" height="22"/>`
      : html`<circle cx="${px(x)}" cy="${px(y)}" r="11"/>`
  return html`<g class="label ${LINES[seen].className}">${shape}<text x="${px(x)}" y="${px(y)}">${text}</text></g>
`
}

const SAMPLE: readonly Point[] = [2, 62].map(x => ({ x, y: 13 }))

const sample = (seen: Seen): Markup =>
  html`<svg class="states" width="64" height="26" viewBox="0 0 64 26" aria-hidden="true">${line(SAMPLE, seen)}${numbered({ x: 28, y: 13 }, '1', seen)}</svg>`

const px = (value: number): string => String(Math.round(value))
