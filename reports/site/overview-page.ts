import { isExercised, type Verdict } from '../../fixtures/ground/record.ts'
import {
  brokenNow,
  comparableRuns,
  type History,
  type Judged,
  newestOf,
  type RunInTime,
  type Scope,
  scopeOf,
} from '../history/history.ts'
import { areaAnchor } from '../html/clauses.ts'
import { findingsAnchor } from '../html/findings.ts'
import { html, type Markup, wordIn } from '../html/markup.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { count, shorten } from '../render/plain.ts'
import {
  dayOf,
  exercisedText,
  hollow,
  layout,
  linkTo,
  markOf,
  partOf,
  runLink,
  runsTable,
  type Site,
  sinceText,
  unreadableList,
  when,
} from './parts.ts'

/** The numbers of runs and broken clauses that are shown at once, and the maximum number of folded runs. */
const SHOWN_RUNS = 10
const SHOWN_BROKEN = 12
const MOST_RUNS = 500

const SUBJECTS: Record<Judged['subject'], string> = {
  deployment: 'Deployment',
  client: 'Client',
  recording: 'Recorded traffic',
}

/** Returns the overview: every deployment with its state, since when, and its newest runs. */
export function overviewPage(history: History, site: Site): string {
  const { judged } = history
  const total = judged.reduce((sum, { runs }) => sum + runs.length, 0)
  return layout({
    title: 'Runs over time',
    site,
    lead: html`<p class="address">${count(total, 'run')} of ${judged.length === 1 ? judged[0]!.name : count(judged.length, 'deployment')}</p>`,
    body: html`${unreadNote(history)}${total === 0 ? html`<p>There is no run yet.</p>` : undefined}
${judged.map(one => section(one, history, site))}
${unreadableList(history)}`,
  })
}

/** Returns a note that older runs are missing, so that "since" may be too late. */
function unreadNote({ unread }: History): Markup | undefined {
  if (unread === 0) return undefined
  return html`<section class="callout tone-blocked" role="status"><h2>${count(unread, 'older run')} still to be read</h2><p>This page shows more in a moment. Until then, what is said to be so since a run may have been so before.</p></section>`
}

function section(one: Judged, history: History, site: Site): Markup {
  const newest = newestOf(one)
  const whole = new Set(comparableRuns(one))
  const older = one.runs.slice(SHOWN_RUNS)
  const rest = older.length - MOST_RUNS
  return html`<section class="deployment tone-${newest.tone}" aria-labelledby="${one.id}">
<h2 id="${one.id}">${one.name}</h2>
${standing(one, site)}
${brokenList(one, history, site)}
<h3>Areas over runs</h3>
${matrix(one, history, site)}
<h3>Newest runs</h3>
${runsTable(one.runs.slice(0, SHOWN_RUNS), site, whole)}
${
  older.length === 0
    ? undefined
    : html`<details class="others"><summary>${count(older.length, 'older run')}</summary>
${runsTable(older.slice(0, MOST_RUNS), site, whole)}
${rest > 0 ? html`<p class="note">and ${rest} more</p>` : undefined}</details>`
}
</section>`
}

/** What the newest run that stands for a deployment is called. */
const NEWEST: Readonly<Record<Scope, string>> = {
  whole: 'whole run',
  part: 'run of a part',
  load: 'run of load',
}

/** Returns the address, the result of the newest run that stands for the deployment, and what was run since. */
function standing({ subject, baseUrl, runs }: Judged, site: Site): Markup {
  const newest = newestOf({ runs })
  const later = runs.slice(0, runs.indexOf(newest))
  const [latest] = later
  return html`<p class="address">${SUBJECTS[subject]} ${baseUrl}</p>
<p>${wordIn(newest.tone, newest.word)} in the newest ${NEWEST[scopeOf(newest)]}, ${runLink(site, newest)}: ${count(newest.broken.length, 'clause')} broken, ${exercisedText(newest)} exercised.${newest.halted === undefined ? undefined : html` <strong>It ended early: ${newest.halted}.</strong>`}</p>
${latest === undefined ? undefined : html`<p class="note">Since then, ${count(later.length, 'run')} of less than the whole, the last one ${runLink(site, latest)} (${partOf(latest).join(', ')}): ${latest.word}.</p>`}`
}

function brokenList(one: Judged, history: History, site: Site): Markup | undefined {
  const broken = brokenNow(one)
  if (broken.length === 0) return undefined
  const newest = one.runs.indexOf(newestOf(one))
  const inRuns = (isThen: (at: number) => boolean): number =>
    broken.filter(({ since }) => isThen(one.runs.indexOf(since.last) - newest)).length
  const [later, earlier] = [inRuns(at => at < 0), inRuns(at => at > 0)]
  const items = broken.map(each => brokenItem(each, one, history, site))
  const rest = items.length - SHOWN_BROKEN
  return html`<h3>Broken when last exercised (${broken.length})</h3>
${later + earlier === 0 ? undefined : html`<p class="note">${broken.length - later - earlier} in that run${later === 0 ? '' : `; ${later} in a later one of a part`}${earlier === 0 ? '' : `; ${earlier} in an earlier one: it did not exercise ${earlier === 1 ? 'it' : 'them'}`}.</p>`}
<ul class="since">${items.slice(0, SHOWN_BROKEN)}</ul>
${
  rest > 0
    ? html`<details class="others"><summary>and ${count(rest, 'more clause')}</summary><ul class="since">${items.slice(SHOWN_BROKEN)}</ul></details>`
    : undefined
}`
}

function brokenItem(
  { clause, since }: ReturnType<typeof brokenNow>[number],
  one: Judged,
  { clauses }: History,
  site: Site,
): Markup {
  const link = linkTo(site, { page: 'run', run: since.last.id }, clause, `#${findingsAnchor(clause)}`)
  return html`<li><span class="id">${link}</span> ${shorten(clauses.get(clause)?.says ?? '', 300)}
<small>${sinceText(site, since, one)}</small></li>
`
}

/** The maximum number of columns. */
const MOST_COLUMNS = 30

/** The symbol of an area in which some clauses conform and others were not exercised. */
const PART = '◧'

/** The verdict of an area is the first of these that any of its clauses has. */
const WORST: readonly Verdict[] = ['error', 'violates', 'blocked', 'conforms', 'not exercised']

/** Returns a matrix of areas over the newest runs, the newest on the right, linked to the areas in each run. */
function matrix(one: Judged, { clauses }: History, site: Site): Markup {
  const shown = one.runs.slice(0, MOST_COLUMNS).toReversed()
  const whole = new Set(comparableRuns(one))
  const name = dayOf(shown)
  const seen = [...clauses.values()].filter(({ id }) => shown.some(run => run.verdicts.get(id) !== undefined))
  const areas = byArea(seen)
  const isMixed = shown.some(run => !whole.has(run))
  return html`<div class="scroll matrix" tabindex="0" role="group" aria-label="Areas over runs"><table>
<thead><tr><td></td>${shown.map(run => html`<th scope="col" class="run${hollow(run, whole)}">${linkTo(site, { page: 'run', run: run.id }, html`<span>${name(run)}</span>`)}</th>`)}</tr></thead>
<tbody>
${areas.map(
  ([area, rows]) =>
    html`<tr><th scope="row">${areaTitle(area)}</th>${shown.map(run => cell(run, hollow(run, whole), area, rows, site))}</tr>
`,
)}</tbody>
</table></div>
<p class="note">${['violates' as const, 'conforms' as const, 'blocked' as const, 'not exercised' as const, undefined].map((verdict, at) => html`${at === 0 ? '' : ', '}<span class="marks">${markOf(verdict).mark}</span> ${markOf(verdict).name}`)}. <span class="marks">${PART}</span> conforms as far as it was exercised. A number is how many clauses of the area were broken.${isMixed ? ' A dashed frame is a run of a part.' : ''}</p>`
}

function cell(
  run: RunInTime,
  frame: string,
  area: string,
  rows: readonly { id: string }[],
  site: Site,
): Markup {
  const verdicts = rows.flatMap(({ id }) => run.verdicts.get(id) ?? [])
  const worst = WORST.find(verdict => verdicts.includes(verdict))
  const { mark, name, letter } = markOf(worst)
  if (worst === undefined)
    return html`<td class="${letter}${frame}"><span aria-label="${name}" role="img">${mark}</span></td>`
  const broken = verdicts.filter(verdict => verdict === 'violates').length
  const exercised = verdicts.filter(verdict => isExercised({ verdict })).length
  const share = `${exercised} of ${verdicts.length} clauses exercised${frame === '' ? '' : ', in a run of a part'}`
  const told = `${areaTitle(area)}, ${when(run.startedAt)}: ${broken > 0 ? `${broken} broken` : name}, ${share}`
  const isPart = worst === 'conforms' && exercised < verdicts.length
  const text = html`<span role="img" aria-label="${told}" title="${told}">${worst === 'violates' ? broken : isPart ? PART : mark}</span>`
  return html`<td class="${letter}${frame}">${linkTo(site, { page: 'run', run: run.id }, text, `#${areaAnchor(area)}`)}</td>`
}
