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
import { html, type Markup, wordIn } from '../html/markup.ts'
import { type LinesPlot, plotFigure } from '../html/plot.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { count, shorten } from '../render/plain.ts'
import {
  clauseLink,
  dayOf,
  deploymentLink,
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

/** The maximum numbers of points in a line and lines in a plot. */
const MOST_POINTS = 300
const MOST_OPERATIONS = 6

/** The minimum number of calls for a percentile. */
const FEWEST_CALLS = 3

/** Returns plots of a deployment over its comparable runs: broken clauses, coverage, and latencies. */
function trends(one: Judged, { clauses }: History, prefix: string): Markup {
  const runs = comparableRuns(one)
  const shown = runs.slice(0, MOST_POINTS).toReversed()
  const line = (name: string, value: (run: RunInTime) => number | null) => ({
    name,
    points: shown.map((run, at): [number, number | null] => [at, value(run)]),
  })
  const name = dayOf(shown)
  const named = (at: number) => shown[at] && name(shown[at])
  const brokenOf = (level: string) => (run: RunInTime) =>
    run.broken.filter(id => (clauses.get(id)?.level ?? 'must') === level).length
  const days = new Set([shown[0]!, shown.at(-1)!].map(({ startedAt }) => when(startedAt).slice(0, 10)))
  const x = `${count(shown.length, 'run')}, ${[...days].join(' to ')}`
  const plots: LinesPlot[] = [
    {
      kind: 'lines',
      title: 'Clauses broken',
      x,
      y: 'clauses',
      series: [line('required', brokenOf('must')), line('recommended', brokenOf('should'))],
    },
    {
      kind: 'lines',
      title: 'Share exercised',
      x,
      y: '% of what is asked',
      series: [line('% of what is asked', shareOf)],
    },
    {
      kind: 'lines',
      title: 'How long answers took: p95 by operation',
      x,
      y: 'ms',
      series: slowest(runs).map(operation =>
        line(operation, run => {
          const told = run.operations[operation]
          return told === undefined || told.calls < FEWEST_CALLS ? null : told.p95
        }),
      ),
    },
  ]
  const others = one.runs.length - runs.length
  return html`${others === 0 ? undefined : html`<p class="note">Left out are runs of a part or of load, and those that ended early: ${others} of ${count(one.runs.length, 'run')}.</p>`}
<div class="plots">${plots.map((plot, at) => plotFigure(plot, `${prefix}-${at}`, named))}</div>`
}

/** Returns the exercised share; `null` for a load run, which is about few clauses. */
function shareOf({ profile, coverage, isLoad }: RunInTime): number | null {
  if (isLoad) return null
  const [part, whole] = profile
    ? [profile.exercised, profile.asked]
    : [coverage.exercised, coverage.applicable]
  return whole === 0 ? null : (100 * part) / whole
}

/** Returns the operations that most runs have, the slowest in the newest run first. */
function slowest(runs: readonly RunInTime[]): string[] {
  const told = new Map<string, { times: number; p95: number }>()
  for (const { operations } of runs.slice(0, MOST_POINTS)) {
    for (const [operation, { calls, p95 }] of Object.entries(operations)) {
      if (calls < FEWEST_CALLS) continue
      const known = told.get(operation)
      if (known === undefined) told.set(operation, { times: 1, p95 })
      else known.times++
    }
  }
  const often = Math.max(...[...told.values()].map(({ times }) => times)) / 2
  return [...told]
    .filter(([, { times }]) => times >= often)
    .sort(([, a], [, b]) => b.p95 - a.p95)
    .slice(0, MOST_OPERATIONS)
    .map(([operation]) => operation)
}

/** The maximum numbers of runs and broken clauses in the overview. The page of a deployment has all. */
const MOST_RUNS = 10
const MOST_BROKEN = 12

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
  const all = one.runs.length > MOST_RUNS ? `Trends, and all ${one.runs.length} runs` : 'Trends'
  return html`<section class="deployment tone-${newest.tone}" aria-labelledby="${one.id}">
<h2 id="${one.id}">${deploymentLink(site, one)}</h2>
${standing(one, site)}
${brokenList(one, history, site, MOST_BROKEN, title => html`<h3>${title}</h3>`)}
<h3>Areas over runs</h3>
${matrix(one, history, site)}
<h3>Newest runs</h3>
${runsTable(one.runs.slice(0, MOST_RUNS), site, new Set(comparableRuns(one)))}
<p class="beside">${linkTo(site, { page: 'deployment', deployment: one.id }, all)}</p>
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

function brokenList(
  one: Judged,
  { clauses }: History,
  site: Site,
  most: number,
  heading: (title: string) => Markup,
): Markup | undefined {
  const broken = brokenNow(one)
  if (broken.length === 0) return undefined
  const newest = one.runs.indexOf(newestOf(one))
  const inRuns = (isThen: (at: number) => boolean): number =>
    broken.filter(({ since }) => isThen(one.runs.indexOf(since.last) - newest)).length
  const [later, earlier] = [inRuns(at => at < 0), inRuns(at => at > 0)]
  return html`${heading(`Broken when last exercised (${broken.length})`)}
${later + earlier === 0 ? undefined : html`<p class="note">${broken.length - later - earlier} in that run${later === 0 ? '' : `; ${later} in a later one of a part`}${earlier === 0 ? '' : `; ${earlier} in an earlier one: it did not exercise ${earlier === 1 ? 'it' : 'them'}`}.</p>`}
<ul class="since">${broken.slice(0, most).map(
    ({
      clause,
      since,
    }) => html`<li>${clauseLink(site, clause)} ${shorten(clauses.get(clause)?.says ?? '', 300)}
<small>${sinceText(site, since, one)}</small></li>
`,
  )}</ul>
${broken.length > most ? html`<p class="note">and ${count(broken.length - most, 'more clause')}: ${linkTo(site, { page: 'deployment', deployment: one.id }, 'all of them')}</p>` : undefined}`
}

/** Returns the page of a deployment: its state, trends, and every run. */
export function deploymentPage(one: Judged, history: History, site: Site): string {
  return layout({
    title: one.name,
    site,
    trail: [],
    lead: standing(one, site),
    body: html`${unreadNote(history)}<section aria-labelledby="trends"><h2 id="trends">Trends</h2>
${trends(one, history, 'trend')}</section>
<section aria-label="Broken when last exercised">${brokenList(one, history, site, Number.POSITIVE_INFINITY, title => html`<h2>${title}</h2>`)}</section>
<section aria-labelledby="areas"><h2 id="areas">Areas over runs</h2>
${matrix(one, history, site)}</section>
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
<p class="note">A clause counts as broken or fixed compared with the last run that exercised it: runs of selected clauses tell nothing about the others.</p>
${runsTable(one.runs, site, new Set(comparableRuns(one)))}</section>`,
  })
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
    html`<tr><th scope="row">${linkTo(site, { page: 'area', area }, areaTitle(area))}</th>${shown.map(run => cell(run, hollow(run, whole), area, rows, site))}</tr>
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
