import type { RunRecord } from '../../fixtures/record.ts'
import { answerText, factsOf, statusesOf } from '../judge/operations.ts'
import { milliseconds } from '../render/plain.ts'
import { html, type Markup } from './markup.ts'

/** Returns every operation that was called, with the count of each status. */
export function operationsSection({ operations = [] }: RunRecord): Markup | undefined {
  if (operations.length === 0) return undefined
  const statuses = statusesOf(operations)
  return html`<section aria-labelledby="operations">
<h2 id="operations">Answers</h2>
<p class="note">How often each status was answered. A dash is a documented status that no check saw; an empty field is a status that the document does not name. p95 is the time within which 95 % of the calls ended, from sending to the end of the answer, at the pace of the checks.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Answers"><table class="by-status">
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">p95</th>${statuses.map(status => html`<th scope="col" class="number">${status}</th>`)}</tr></thead>
<tbody>
${operations.map(
  ({
    operation,
    answers,
    latency,
  }) => html`<tr><th scope="row">${operation}</th><td class="number">${latency === undefined ? '–' : milliseconds(latency.p95)}</td>${statuses.map(
    status => html`<td class="number">${answerText(answers.find(answer => answer.status === status))}</td>`,
  )}</tr>
`,
)}</tbody>
</table></div>
</section>
`
}

/** Returns what checks observed where the document leaves the answer open. */
export function factsSection(record: RunRecord): Markup | undefined {
  const facts = factsOf(record)
  if (facts.length === 0) return undefined
  return html`<section aria-labelledby="facts">
<h2 id="facts">Facts</h2>
<details class="others"><summary>What was observed in ${facts.length} cases that the document leaves open; it is not judged</summary>
<ul>${facts.map(fact => html`<li>${fact}</li>\n`)}</ul></details>
</section>
`
}
