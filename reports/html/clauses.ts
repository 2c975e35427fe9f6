import type { ClauseRecord, RunRecord, Verdict } from '../../fixtures/record.ts'
import { verdictSchema } from '../../fixtures/record.ts'
import { KIND_NAMES } from '../../fixtures/service/products.ts'
import { areaTitle, byArea } from '../areas.ts'
import { findingsAnchor } from './findings.ts'
import type { Markup } from './markup.ts'
import { html } from './markup.ts'

/** Address of a clause within the page. */
export const clauseAnchor = (id: string): string => `clause-${id}`
/** Address of an area within the page. */
export const areaAnchor = (area: string): string => `area-${area}`

/** Every clause of the document, by area, with the form that filters them. */
export function clausesSection({ clauses, checks }: RunRecord): Markup {
  const numbers = new Map(checks.map(({ id }, at) => [id, at + 1]))
  const areas = byArea(clauses)
  return html`<section aria-labelledby="clauses">
<h2 id="clauses">All clauses</h2>
<p class="note">Every verifiable statement of the document, and what became of it in this run. Numbers lead to the checks that cite a clause.</p>
<form class="filters" hidden>
<label class="wide">Search<input type="search" name="words" placeholder="Id, words, part, reason" autocomplete="off"></label>
<label>Verdict<select name="verdict"><option value="">all</option>${verdictSchema.options.map(value => option(value))}</select></label>
<label>Area<select name="area"><option value="">all</option>${areas.map(([area]) => option(area, areaTitle(area)))}</select></label>
<label>Level<select name="level"><option value="">all</option>${['must', 'should'].map(value => option(value))}</select></label>
<output aria-live="polite"></output>
</form>
<div class="clauses">
${areas.map(([area, rows]) => areaTable(area, rows, numbers))}
</div>
</section>
`
}

const option = (value: string, label = value): Markup => html`<option value="${value}">${label}</option>`

function areaTable(
  area: string,
  rows: readonly ClauseRecord[],
  numbers: ReadonlyMap<string, number>,
): Markup {
  const applicable = rows.filter(({ verdict }) => verdict !== 'not applicable')
  const others = rows.filter(({ verdict }) => verdict === 'not applicable')
  const table = (shown: readonly ClauseRecord[]): Markup => html`<table>
<thead><tr><th scope="col">Clause</th><th scope="col" class="part">Part</th><th scope="col">Verdict</th></tr></thead>
<tbody>
${shown.map(row => clauseRow(row, numbers))}</tbody>
</table>
`
  return html`<div class="area" data-area="${area}">
<h3 id="${areaAnchor(area)}">${areaTitle(area)}<span class="tally">${tallyOf(rows)}</span></h3>
${applicable.length === 0 ? undefined : table(applicable)}
${others.length === 0 ? undefined : html`<details class="others"><summary>${others.length} not applicable</summary>\n${table(others)}</details>`}
</div>
`
}

/** Both numbers of an area, in words. */
export function tallyOf(rows: readonly ClauseRecord[]): string {
  const number = (...wanted: Verdict[]): number =>
    rows.filter(({ verdict }) => wanted.includes(verdict)).length
  const applicable = rows.length - number('not applicable')
  const exercised = number('conforms', 'violates')
  return applicable === 0
    ? 'not applicable here'
    : `${number('conforms')} of ${exercised} exercised conform; ${exercised} of ${applicable} applicable exercised`
}

/** Returns what became of a clause for each kind of product; in few bytes, since there are many. */
function kindsList({ kinds = [] }: ClauseRecord): Markup | undefined {
  if (kinds.length === 0) return undefined
  const told = kinds.map(({ kind, verdict }) =>
    verdict === 'conforms' ? KIND_NAMES[kind] : `${KIND_NAMES[kind]}: ${verdict}`,
  )
  return html`<small>${told.join(', ')}</small>`
}

function clauseRow(row: ClauseRecord, numbers: ReadonlyMap<string, number>): Markup {
  const { id, level, side, part, says, verdict, reason, findings, checks } = row
  const evidence =
    findings.length === 0
      ? undefined
      : html` <a href="#${findingsAnchor(id)}">${findings.length === 1 ? '1 finding' : `${findings.length} findings`}</a>`
  const cited = checks.flatMap(check => numbers.get(check) ?? []).slice(0, MOST_CHECKS)
  return html`<tr id="${clauseAnchor(id)}" data-verdict="${verdict}"${level === 'must' ? undefined : html` data-level="${level}"`}><td><b>${id}</b> ${says}${cited.map(number => html` <a href="#k${number}">${number}</a>`)}</td><td>${part}${side === 'client' ? ' (client)' : ''}</td><td>${verdict}${evidence}${reason === undefined ? undefined : html`<small>${reason}</small>`}${kindsList(row)}</td></tr>
`
}

/** Checks that a row links to. */
const MOST_CHECKS = 6

/** Every check of the run, by number. */
export function checksSection({ checks }: RunRecord): Markup | undefined {
  if (checks.length === 0) return undefined
  return html`<section aria-labelledby="checks">
<h2 id="checks">Checks</h2>
<details class="others"><summary>All ${checks.length.toLocaleString('en')} checks, with the requests that each sent and the time it took</summary>
<ol>
${checks.map(
  ({ id, verdict, requests, milliseconds }, at) =>
    html`<li id="k${at + 1}">${id} <small>${requests.v1 + requests.v2}, ${Math.round(milliseconds)} ms${verdict === 'conforms' ? '' : `, ${verdict}`}</small></li>
`,
)}</ol></details>
</section>
`
}
