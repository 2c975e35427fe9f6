import type { RunRecord } from '../../fixtures/ground/record.ts'
import { blocked, byReason, type ReasonGroup } from '../render/reasons.ts'
import { clauseAnchor } from './clauses.ts'
import { html, type Markup } from './markup.ts'

/** The number of clauses up to which a reason names them in its line. */
const FEW = 3

/** Returns what was blocked and what was not exercised, by reason. */
export function reasonsSection(record: RunRecord): (Markup | undefined)[] {
  const known = new Set(record.clauses.map(({ id }) => id))
  const named = (id: string) =>
    known.has(id)
      ? html`<a class="id" href="#${clauseAnchor(id)}">${id}</a>`
      : html`<span class="id">${id}</span>`
  const section = (id: string, title: string, note: string, groups: readonly ReasonGroup[]) =>
    groups.length === 0
      ? undefined
      : html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="note">${note}</p>
<table>
<thead><tr><th scope="col" class="number">Clauses</th><th scope="col">Reason</th></tr></thead>
<tbody>
${groups.map(({ reason, ids, further }) => {
  const which = ids.map(id => {
    const more = further.get(id)
    return html` ${named(id)}${more === undefined ? undefined : html` <small>also ${more}</small>`}`
  })
  const told =
    ids.length <= FEW
      ? html`${reason}${which}`
      : html`<details><summary>${reason}</summary><ul class="which">${which.map(one => html`<li>${one}</li>`)}</ul></details>`
  return html`<tr><td class="number">${ids.length}</td><td>${told}</td></tr>\n`
})}</tbody>
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
