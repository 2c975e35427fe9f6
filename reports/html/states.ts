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
  const bySeen = Map.groupBy(transitions, ({ seen }) => seen)
  const list = (seen: Transition['seen']): Markup | undefined => {
    const rows = bySeen.get(seen)
    return rows && html`<ul>${rows.map(row => transition(row, known))}</ul>`
  }
  const named = (seen: Transition['seen'], name: string): Markup | undefined =>
    bySeen.has(seen) ? html`<h4>${name}</h4>${list(seen)}` : undefined
  const visited = bySeen.get('visited')
  return html`<div class="machine">
<h3 id="${statesAnchor(diagram)}">${title} <span class="tally">part ${part}; ${transitions.length - (bySeen.get('not visited') ?? []).length} of ${transitions.length} visited</span></h3>
${named('broken', 'Broken')}${named('not visited', 'Not visited')}${
  visited &&
  html`<details class="others"><summary>Visited: ${visited.length}</summary>${list('visited')}</details>`
}
</div>
`
}

type Transition = StateDiagram['transitions'][number]

function transition({ from, to, on, clauses }: Transition, known: ReadonlySet<string>): Markup {
  const links = clauses.map(
    (id, place) =>
      html`${place === 0 ? '' : ', '}${known.has(id) ? html`<a href="#${clauseAnchor(id)}">${id}</a>` : id}`,
  )
  return html`<li><b>${from}</b> ${from === to ? 'stays' : html`→ <b>${to}</b>`}: ${on} <small>${links}</small></li>
`
}
