import { isExercised, type Verdict } from '../../fixtures/record.ts'
import type { History, Judged, RunInTime } from '../history/history.ts'
import { areaAnchor } from '../html/clauses.ts'
import { html, type Markup } from '../html/markup.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { linkTo } from './layout.ts'
import { markOf, when } from './parts.ts'
import type { Site } from './site.ts'

/** Runs that have room beside one another. */
const MOST_RUNS = 30

/** The mark of an area of which some clauses conform, and others were not exercised. */
const PART = '◧'

/** Worst first: what an area comes to, by what its clauses do. */
const WORST: readonly Verdict[] = ['error', 'violates', 'blocked', 'conforms', 'not exercised']

/** Returns a matrix of areas over the newest runs, the newest on the right; each mark leads to its area in that run. */
export function matrix({ runs }: Judged, { clauses }: History, site: Site): Markup {
  const shown = runs.slice(0, MOST_RUNS).toReversed()
  const seen = [...clauses.values()].filter(({ id }) => shown.some(run => run.verdicts.get(id) !== undefined))
  const areas = byArea(seen)
  return html`<div class="scroll matrix" tabindex="0" role="group" aria-label="Areas over runs"><table>
<thead><tr><td></td>${shown.map(run => html`<th scope="col">${linkTo(site, { page: 'run', run: run.id }, html`<span>${when(run.startedAt).slice(5, 10)}</span>`)}</th>`)}</tr></thead>
<tbody>
${areas.map(
  ([
    area,
    rows,
  ]) => html`<tr><th scope="row">${areaTitle(area)}</th>${shown.map(run => cell(run, area, rows, site))}</tr>
`,
)}</tbody>
</table></div>
<p class="note">${['violates' as const, 'conforms' as const, 'blocked' as const, 'not exercised' as const, undefined].map((verdict, at) => html`${at === 0 ? '' : ', '}<span class="marks">${markOf(verdict).mark}</span> ${markOf(verdict).name}`)}. <span class="marks">${PART}</span> conforms as far as it was exercised. A number is how many clauses of the area were broken.</p>`
}

function cell(run: RunInTime, area: string, rows: readonly { id: string }[], site: Site): Markup {
  const verdicts = rows.flatMap(({ id }) => run.verdicts.get(id) ?? [])
  const worst = WORST.find(verdict => verdicts.includes(verdict))
  const { mark, name, letter } = markOf(worst)
  if (worst === undefined)
    return html`<td class="${letter}"><span aria-label="${name}" role="img">${mark}</span></td>`
  const broken = verdicts.filter(verdict => verdict === 'violates').length
  const exercised = verdicts.filter(verdict => isExercised({ verdict })).length
  const share = `${exercised} of ${verdicts.length} clauses exercised`
  const told = `${areaTitle(area)}, ${when(run.startedAt)}: ${broken > 0 ? `${broken} broken` : name}, ${share}`
  const isPart = worst === 'conforms' && exercised < verdicts.length
  const text = html`<span role="img" aria-label="${told}" title="${told}">${worst === 'violates' ? broken : isPart ? PART : mark}</span>`
  return html`<td class="${letter}">${linkTo(site, { page: 'run', run: run.id }, text, `#${areaAnchor(area)}`)}</td>`
}
