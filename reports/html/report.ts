import { hash } from 'node:crypto'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { answerText, factsOf, statusesOf } from '../judge/operations.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { KIND_COLUMNS, kindRows } from '../render/digest.ts'
import { count, milliseconds } from '../render/plain.ts'
import { blocked, byReason, type ReasonGroup } from '../render/reasons.ts'
import { behaviour } from './behaviour.ts'
import { clauseAnchor, clausesSection } from './clauses.ts'
import { type Evidence, findingsSection } from './findings.ts'
import { callouts, contents, verdictOf } from './head.ts'
import { loadSection } from './load.ts'
import { html, type Markup, verbatim } from './markup.ts'
import { overviewSection } from './overview.ts'
import { statesSection } from './states.ts'
import { style } from './style.ts'

/** The number of clauses up to which a reason names them in its line. */
const FEW = 3

/** Returns what was blocked and what was not exercised, by reason. */
function reasonsSection(record: RunRecord): (Markup | undefined)[] {
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

/** Returns every operation that was called, with the count of each status. */
function operationsSection({ operations = [] }: RunRecord): Markup | undefined {
  if (operations.length === 0) return undefined
  const statuses = statusesOf(operations)
  return html`<section aria-labelledby="operations">
<h2 id="operations">Answers</h2>
<details class="others"><summary>How often each status was answered by ${count(operations.length, 'operation')}, and how long it took</summary>
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
</table></div></details>
</section>
`
}

/** Returns what checks observed where the document leaves the answer open. */
function factsSection(record: RunRecord): Markup | undefined {
  const facts = factsOf(record)
  if (facts.length === 0) return undefined
  return html`<section aria-labelledby="facts">
<h2 id="facts">Facts</h2>
<details class="others"><summary>What was observed in ${facts.length} cases that the document leaves open; it is not judged</summary>
<ul>${facts.map(fact => html`<li>${fact}</li>\n`)}</ul></details>
</section>
`
}

const fingerprint = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Only the page's own style and script are allowed, and nothing is fetched, whatever a deployment sent. */
const POLICY = `default-src 'none'; style-src ${fingerprint(style)}; script-src ${fingerprint(behaviour)}; base-uri 'none'; form-action 'none'`

/** Returns the run as one page that needs no network, no other file and no script. */
export function toHtml(record: RunRecord, evidence: Evidence): string {
  const { deployment } = record
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${outcomeOf(record).word}: ${deployment.name}</title>
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="masthead">
<div class="title"><h1>${deployment.name}</h1><p class="address">${deployment.baseUrl}</p></div>
${verdictOf(record)}
</header>
<div class="page">
${contents(record)}
<main id="main">
${callouts(record)}
${reportBody(record, evidence)}
</main>
</div>
<footer><p>Made by ${record.kit.name} ${record.kit.version} from record.json, which contains all of this and more.</p></footer>
<script>${verbatim(behaviour)}</script>
</body>
</html>
`
  return page.markup
}

/** Returns everything below the verdict and the `callouts`. */
export const reportBody = (record: RunRecord, evidence: Evidence): Markup => html`${overviewSection(
  record,
  evidence,
)}
${findingsSection(record, evidence)}
${loadSection(record)}
${reasonsSection(record)}
${statesSection(record)}
${kindsTable(record)}
${operationsSection(record)}
${factsSection(record)}
${clausesSection(record)}`

/** Returns the table by kind of product. It counts a clause once per kind, unlike the card. */
function kindsTable(record: RunRecord): Markup | undefined {
  const rows = kindRows(record)
  if (rows.length === 0) return undefined
  return html`<div class="scroll"><table class="kinds">
<thead><tr>${KIND_COLUMNS.map((title, at) => html`<th scope="col"${at === 0 ? undefined : html` class="number"`}>${title}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([
    kind,
    ...cells
  ]) => html`<tr><th scope="row">${kind}</th>${cells.map(cell => html`<td class="number">${cell}</td>`)}</tr>
`,
)}</tbody>
</table></div>`
}
