import type { ClauseRecord, RunRecord, Verdict } from '../../fixtures/record.ts'
import { verdictSchema } from '../../fixtures/record.ts'
import { areaTitle, byArea } from '../areas.ts'
import type { ReasonGroup } from '../digest.ts'
import { blocked, byReason } from '../digest.ts'
import { findingsAnchor } from './findings.ts'
import type { Markup } from './markup.ts'
import { html } from './markup.ts'
import { tone } from './tone.ts'

const clauseAnchor = (id: string): string => `clause-${id}`

/** What could not be judged, by reason: first what the deployment is to blame for, then what the run is. */
export function reasonsSection(record: RunRecord): Markup[] {
  return [
    reasonTable(
      'Blocked',
      'The definition claims what these need, and the deployment did not deliver it.',
      blocked(record),
      record,
    ),
    reasonTable(
      'Not exercised',
      'These could not be reached in this run. They never count as passed; they lower the second number.',
      byReason(record, 'not exercised'),
      record,
    ),
  ]
}

function reasonTable(
  title: string,
  note: string,
  groups: readonly ReasonGroup[],
  { clauses }: RunRecord,
): Markup {
  if (groups.length === 0) return html``
  const known = new Set(clauses.map(({ id }) => id))
  const link = (id: string): Markup =>
    known.has(id)
      ? html`<a class="id" href="#${clauseAnchor(id)}">${id}</a>`
      : html`<span class="id">${id}</span>`
  const anchor = title.toLowerCase().replaceAll(' ', '-')
  return html`<section aria-labelledby="${anchor}">
<h2 id="${anchor}">${title}</h2>
<p class="note">${note}</p>
<div class="scroll"><table>
<thead><tr><th scope="col" class="number">Clauses</th><th scope="col">Reason</th></tr></thead>
<tbody>
${groups.map(
  ({ reason, ids }) => html`<tr><td class="number">${ids.length}</td><td>${reason}
<details class="which"><summary>Which</summary><ul>${ids.map(id => html`<li>${link(id)}</li>`)}</ul></details></td></tr>
`,
)}</tbody>
</table></div>
</section>
`
}

/** Every clause of the document, by area, with the form that filters them. */
export function clausesSection({ clauses }: RunRecord): Markup {
  return html`<section aria-labelledby="clauses">
<h2 id="clauses">All clauses</h2>
<p class="note">Every verifiable statement of the document, and what became of it in this run.</p>
<form class="filters" hidden>
<label class="wide">Search<input type="search" name="words" placeholder="Id, words, part, reason" autocomplete="off"></label>
<label>Verdict<select name="verdict"><option value="">all</option>${verdictSchema.options.map(option)}</select></label>
<label>Level<select name="level"><option value="">all</option>${['must', 'should'].map(option)}</select></label>
<output aria-live="polite"></output>
</form>
<div class="clauses">
${byArea(clauses).map(([area, rows]) => areaTable(areaTitle(area), rows))}
</div>
</section>
`
}

const option = (value: string): Markup => html`<option>${value}</option>`

function areaTable(title: string, rows: readonly ClauseRecord[]): Markup {
  const number = (...wanted: Verdict[]): number =>
    rows.filter(({ verdict }) => wanted.includes(verdict)).length
  const applicable = rows.length - number('not applicable')
  const exercised = number('conforms', 'violates')
  const tally =
    applicable === 0
      ? 'not applicable here'
      : `${number('conforms')} of ${exercised} exercised conform; ${exercised} of ${applicable} applicable exercised`
  return html`<div class="scroll"><table>
<caption>${title}<span class="tally">${tally}</span></caption>
<thead><tr><th scope="col">Clause</th><th scope="col" class="level">Level</th><th scope="col" class="part">Part</th><th scope="col">Verdict</th></tr></thead>
<tbody>
${rows.map(clauseRow)}</tbody>
</table></div>
`
}

function clauseRow({ id, level, side, part, says, verdict, reason, findings }: ClauseRecord): Markup {
  const evidence =
    findings.length === 0
      ? undefined
      : html`<small><a href="#${findingsAnchor(id)}">${findings.length === 1 ? '1 finding' : `${findings.length} findings`}</a></small>`
  return html`<tr id="${clauseAnchor(id)}" data-verdict="${verdict}" data-level="${level}"><td class="what"><span class="id">${id}</span>${says}</td><td class="level">${level}</td><td class="part">${part}${side === 'client' ? ' (client)' : ''}</td><td class="state ${tone(verdict)}"><span class="word"><span class="mark" aria-hidden="true"></span>${verdict}</span>${reason === undefined ? undefined : html`<small>${reason}</small>`}${evidence}</td></tr>
`
}
