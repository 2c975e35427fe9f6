import type { RunRecord } from '../../fixtures/ground/record.ts'
import { blocked, byReason, type ReasonGroup } from '../render/reasons.ts'
import { clauseAnchor } from './clauses.ts'
import { html, type Markup } from './markup.ts'

/** Returns what was blocked and what was not exercised, by reason. */
export function reasonsSection(record: RunRecord): (Markup | undefined)[] {
  const known = new Set(record.clauses.map(({ id }) => id))
  const section = (id: string, title: string, note: string, groups: readonly ReasonGroup[]) =>
    groups.length === 0
      ? undefined
      : html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="note">${note}</p>
<table>
<thead><tr><th scope="col" class="number">Clauses</th><th scope="col">Reason</th></tr></thead>
<tbody>
${groups.map(
  ({ reason, ids }) => html`<tr><td class="number">${ids.length}</td><td>${reason}
<details class="which"><summary>Which</summary><ul>${ids.map(one => html`<li>${known.has(one) ? html`<a class="id" href="#${clauseAnchor(one)}">${one}</a>` : html`<span class="id">${one}</span>`}</li>`)}</ul></details></td></tr>\n`,
)}</tbody>
</table>
</section>
`
  return [
    section(
      'blocked',
      'Blocked',
      'The definition claims what these clauses need, but the deployment did not deliver it.',
      blocked(record),
    ),
    section(
      'not-exercised',
      'Not exercised',
      'These clauses never count as passed; they lower the second number.',
      byReason(record, 'not exercised'),
    ),
  ]
}
