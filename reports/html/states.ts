import type { RunRecord, StateDiagram } from '../../fixtures/ground/record.ts'
import { statesLine } from '../judge/states.ts'
import { clauseAnchor } from './clauses.ts'
import { html, type Markup } from './markup.ts'

/** Returns the anchor of a state machine within the page. */
export const statesAnchor = ({ part }: Pick<StateDiagram, 'part'>): string =>
  `states-${part.replace('.', '-')}`

/** Returns the state machines of part 3, with what the run observed of each transition. */
export function statesSection({ states = [], clauses }: RunRecord): Markup | undefined {
  if (states.length === 0) return undefined
  const known = new Set(clauses.map(({ id }) => id))
  return html`<section aria-labelledby="states">
<h2 id="states">States and transitions</h2>
<p class="note">${statesLine(states)}: a random walk went this way, or a clause that cannot be decided without it was exercised.</p>
<div class="machines">
${states.map(diagram => section(diagram, known))}</div>
</section>
`
}

function section(diagram: StateDiagram, known: ReadonlySet<string>): Markup {
  const { part, title, transitions } = diagram
  return html`<div class="machine">
<h3 id="${statesAnchor(diagram)}">${title} <span class="tally">part ${part}; ${transitions.filter(({ seen }) => seen !== 'not visited').length} of ${transitions.length} visited</span></h3>
<table>
<thead><tr><th scope="col">Transition</th><th scope="col">Seen</th></tr></thead>
<tbody>
${transitions.map(
  ({ from, to, on, seen, clauses }) =>
    html`<tr><td><b>${from}</b> ${from === to ? 'stays' : html`→ <b>${to}</b>`}: ${on}</td><td>${seen === 'broken' ? html`<b>broken</b>` : seen} <small>${clauses.map((id, place) => html`${place === 0 ? '' : ', '}${known.has(id) ? html`<a href="#${clauseAnchor(id)}">${id}</a>` : id}`)}</small></td></tr>
`,
)}</tbody>
</table>
</div>
`
}
