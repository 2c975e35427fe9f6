import type { ClauseRecord, RunRecord, Verdict } from '../../fixtures/record.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { blocked, byReason, type ReasonGroup } from '../render/reasons.ts'
import { areaAnchor, clauseAnchor, tallyOf } from './clauses.ts'
import { html, type Markup } from './markup.ts'

/** A symbol of its own shape for each verdict, so that no colour is needed. */
export const MARKS: Readonly<Record<Verdict, string>> = {
  violates: '✕',
  error: '!',
  blocked: '▲',
  'not exercised': '□',
  conforms: '■',
  'not applicable': '·',
}

/** Returns one symbol per applicable clause, by area. */
export function overviewSection({ clauses }: RunRecord): Markup {
  const present = (Object.keys(MARKS) as Verdict[]).filter(
    verdict => verdict !== 'not applicable' && clauses.some(row => row.verdict === verdict),
  )
  const areas = byArea(clauses.filter(({ verdict }) => verdict !== 'not applicable'))
  return html`<section aria-labelledby="overview">
<h2 id="overview">Overview</h2>
<p class="note">A mark for each applicable clause: ${present.map((verdict, at) => html`${at === 0 ? '' : ', '}<span class="marks">${MARKS[verdict]}</span> ${verdict}`)}.</p>
<dl class="areas">
${areas.map(
  ([area, rows]) => html`<div><dt><a href="#${areaAnchor(area)}">${areaTitle(area)}</a></dt>
<dd><p class="marks">${marksOf(rows)}</p>
<small>${tallyOf(rows)}</small></dd></div>
`,
)}</dl>
</section>
`
}

/** Returns the symbols of clauses. Those that need attention are links, the others are text. */
function marksOf(rows: readonly ClauseRecord[]): Markup[] {
  const runs: ClauseRecord[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run !== undefined && run[0]!.verdict === row.verdict && !needsLook(row)) run.push(row)
    else runs.push([row])
  }
  return runs.map(run => {
    const { id, verdict } = run[0]!
    const mark = MARKS[verdict]
    return needsLook(run[0]!)
      ? html`<a class="${(isMild(run[0]!) ? 'blocked' : verdict)[0]!}" href="#${clauseAnchor(id)}" title="${id}: ${verdict}" aria-label="${id}: ${verdict}">${mark}</a>`
      : html`<i class="${verdict[0]!}" aria-hidden="true">${mark.repeat(run.length)}</i>`
  })
}

/** Returns whether a broken clause is only recommended, or waived: it is not red. */
const isMild = (row: ClauseRecord): boolean =>
  row.verdict === 'violates' && (row.level === 'should' || !hasUnwaived(row))

const needsLook = ({ verdict }: ClauseRecord): boolean =>
  verdict === 'violates' || verdict === 'blocked' || verdict === 'error'

/** Returns why clauses could not be judged: first because of the deployment, then for lack of something. */
export const reasonsSection = (record: RunRecord): Markup[] => [
  reasonTable(
    'Blocked',
    'The definition claims what these clauses need, but the deployment did not deliver it.',
    blocked(record),
    record,
  ),
  reasonTable(
    'Not exercised',
    'Clauses that could not be reached in this run, and what it would take, largest groups first. They never count as passed; they lower the second number.',
    byReason(record, 'not exercised'),
    record,
  ),
]

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
<table>
<thead><tr><th scope="col" class="number">Clauses</th><th scope="col">Reason</th></tr></thead>
<tbody>
${groups.map(
  ({ reason, ids }) => html`<tr><td class="number">${ids.length}</td><td>${reason}
<details class="which"><summary>Which</summary><ul>${ids.map(id => html`<li>${link(id)}</li>`)}</ul></details></td></tr>
`,
)}</tbody>
</table>
</section>
`
}
