import { type Finding, isExercised, type Verdict } from '../../fixtures/ground/record.ts'
import {
  brokenNow,
  comparableRuns,
  type History,
  type Judged,
  newestOf,
  type RunInTime,
  type Scope,
  type Since,
  scopeOf,
} from '../history/history.ts'
import { behaviour } from '../html/behaviour.ts'
import { areaAnchor } from '../html/clauses.ts'
import { findingsAnchor } from '../html/findings.ts'
import { html, type Markup, wordIn } from '../html/head.ts'
import { MARKS } from '../html/report.ts'
import { style } from '../html/style.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { percent } from '../render/digest.ts'
import { clausesAndKinds, count, present, seconds, shorten } from '../render/plain.ts'

/** The style of a site in addition to that of the report. */
const ownStyle = `
.sitebar { display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; align-items: baseline; padding: .7rem 1.5rem; background: var(--raised); border-bottom: 1px solid var(--line); font-size: .92rem; }
.sitebar b { font-weight: 600; margin-right: .5rem; } .sitebar [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.whole main, .page main { padding-bottom: 4rem; } @media screen and (min-width: 80rem) { .whole main { max-width: 82rem; } }
.deployment { background: var(--raised); border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 8px; padding: 1.1rem 1.5rem 1.3rem; margin: 1.5rem 0; }
main .deployment > h2 { margin: 0; } .deployment h3 { margin: 1.2rem 0 .4rem; }
.deployment .address { margin: .1rem 0 .5rem; font-size: .9rem; } .deployment .word { color: var(--tone); font-weight: 600; }
.runs td, .runs th { white-space: nowrap; } .runs td.wide { white-space: normal; min-width: 11rem; }
.runs .word { display: inline-flex; align-items: baseline; font-weight: 600; color: var(--tone); }
.runs .tone-unseen.word, .runs .tone-none.word, .tone-unseen.word, .tone-none.word { color: var(--soft); }
.broke { color: var(--violates); } .mended { color: var(--conforms); }
.since { list-style: none; padding: 0; margin: 0; display: grid; gap: .45rem; } .since li { overflow-wrap: anywhere; } .since small { color: var(--soft); display: block; }
.matrix { direction: rtl; } .matrix table { direction: ltr; width: auto; margin-right: auto; } .matrix th, .matrix td { padding: 0; text-align: center; }
.matrix tbody th { position: sticky; left: 0; background: var(--raised); text-align: left; padding: .3rem .9rem .3rem 0; white-space: nowrap; color: var(--ink); font-size: .86rem; }
.matrix thead th { vertical-align: bottom; height: 4.6rem; min-width: 1.5rem; } .matrix thead th span { writing-mode: vertical-rl; transform: rotate(180deg); font-size: .74rem; font-weight: 400; padding: .2rem 0; } .matrix thead th a { text-decoration: none; }
.matrix td { font: .78rem/1 var(--mono); } .matrix td a, .matrix td > span { display: block; padding: .45rem .15rem; text-decoration: none; min-width: 1.5rem; }
.matrix .c, .matrix .c a { color: var(--conforms); } .matrix .v, .matrix .v a { color: var(--violates); background: var(--violates-wash); font-weight: 700; } .matrix .b, .matrix .b a { color: var(--blocked); } .matrix .e, .matrix .e a { color: var(--error); } .matrix .n, .matrix .n a, .matrix .o { color: var(--soft); }
.run.hollow .mark { background: none; box-shadow: inset 0 0 0 2px var(--tone); } .runs tr.hollow td { color: var(--soft); }
.matrix td.hollow { background: none; } .matrix td.hollow > :first-child { outline: 1px dashed currentcolor; outline-offset: -4px; font-weight: 400; } .matrix td.o.hollow > :first-child { outline: 0; } .matrix th.hollow a { color: var(--soft); font-style: italic; }
.clause-list > details { padding: .3rem 0; border-top: 1px solid var(--line); } .clause-list summary { padding: .25rem 0; overflow-wrap: anywhere; } .clause-list > details:target { background: var(--sunken); } .clause-list ul { margin: .2rem 0 .4rem; color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
.clause-list .c { color: var(--conforms); } .clause-list .v { color: var(--violates); } .clause-list .n { color: var(--soft); }
.beside { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: center; margin: .9rem 0 0; font-size: .9rem; }
.changes { padding-left: 1.2rem; } .changes li { overflow-wrap: anywhere; margin: .35rem 0; } .changes small { display: block; color: var(--soft); }
@media screen and (max-width: 46rem) { .sitebar, .deployment { padding-left: 1rem; padding-right: 1rem; } }
@media print { .sitebar, .beside { display: none; } .deployment { break-inside: avoid; } .matrix { direction: ltr; } .scroll { overflow: visible; }
  .matrix thead th, .matrix td a, .matrix td > span { min-width: 0; padding-left: 0; padding-right: 0; } .runs { font-size: .8rem; } .runs td, .runs th { padding-right: .5rem; } .runs td.wide { min-width: 0; overflow-wrap: anywhere; } }
`

/** A page of a site, or a file that its pages need. */
export type Target =
  | { page: 'overview' }
  | { page: 'run'; run: string }
  | { page: 'style' }
  | { page: 'script' }

/** The actions on a site that a server provides. */
export interface Actions {
  /** Additional navigation entries for pages of the server. */
  nav: readonly { title: string; href: string; current?: boolean }[]
  /** Returns forms beside a finding: replay, waive, copy. `at` is its index among those of the clause. */
  besideFinding(finding: { run: string; clause: string; at: number; finding: Finding }): Markup | undefined
}

/** How pages link to one another, and which actions they have. */
export interface Site {
  /** Returns the URL of a page for a link; `undefined` if this site has no such page. */
  link(target: Target): string | undefined
  /** `null` for a read-only site. */
  actions: Actions | null
  /** The content security policy as a `meta` element; `undefined` if a header has it. */
  policy?: string
}

/** The frame around the content of a page. */
interface Layout {
  /** The heading of the page, and its title. */
  title: string
  site: Site
  /** Links to the pages above it, from below the overview on; absent on the overview itself. */
  trail?: readonly Markup[]
  /** The content between heading and body. */
  lead?: Markup | undefined
  /** A table of contents beside the body. */
  aside?: Markup | undefined
  body: Markup
}

/** The style sheet of the site: `{ page: 'style' }`. */
export const siteStyle = `${style}${ownStyle}`

/** The script of the site, which only filters, copies, and opens the target of a link: `{ page: 'script' }`. */
export const siteScript = behaviour

/** Returns a whole page. Style and script are separate files. */
export function layout({ title, site, trail, lead, aside, body }: Layout): string {
  const runs = linkTo(site, { page: 'overview' }, 'Runs')
  const further = (site.actions?.nav ?? []).map(
    ({ title: name, href, current }) =>
      html`<a href="${href}"${current === true ? html` aria-current="page"` : undefined}>${name}</a>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${site.policy === undefined ? undefined : html`<meta http-equiv="Content-Security-Policy" content="${site.policy}">`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="stylesheet" href="${site.link({ page: 'style' })}">
<script src="${site.link({ page: 'script' })}" defer></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<nav class="sitebar" aria-label="Site"><b>travel-sales</b>${[runs, ...further]}</nav>
<header class="masthead">
<p class="kit">${trail === undefined ? 'Conformance of travel sales services' : html`${runs}${trail.map(link => html` › ${link}`)}`}</p>
<h1>${title}</h1>
${lead}
</header>
<div class="${aside === undefined ? 'whole' : 'page'}">
${aside}
<main id="main">
${body}
</main>
</div>
</body>
</html>
`.markup
}

/** Returns a link to a page, or only its text if the site has no such page. */
export function linkTo(site: Site, target: Target, text: string | Markup, anchor = ''): Markup {
  const address = site.link(target)
  return address === undefined ? html`${text}` : html`<a href="${address}${anchor}">${text}</a>`
}

/** Formats a time of a record. Other text is returned shortened. */
export const when = (time: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : shorten(time, 40)

/** Returns a function that names runs by their day, by the time if all are of one day, or by both. */
function dayOf(runs: readonly RunInTime[]): (run: RunInTime) => string {
  const day = ({ startedAt }: RunInTime): string => when(startedAt).slice(5, 10)
  const days = new Set(runs.map(day)).size
  if (days === runs.length) return day
  return ({ startedAt }) => when(startedAt).slice(days === 1 ? 11 : 5)
}

/** Returns why a run does not cover the whole, if it does not: `only V2-IDEM-*`, `replay`, `load`, `ended early: …`. */
const partOf = ({ only, isLoad, replayOf, halted }: RunInTime): string[] =>
  present([
    only && `only ${only.length > 40 ? `${only.slice(0, 36)} …` : only}`,
    isLoad ? 'load' : undefined,
    replayOf && 'replay',
    halted && `ended early: ${shorten(halted, 60)}`,
  ])

/** Returns the class of a run of a part, which is drawn hollow. */
const hollow = (run: RunInTime, whole: ReadonlySet<RunInTime>): string => (whole.has(run) ? '' : ' hollow')

/** Returns a link to a run, named by its start. */
export const runLink = (site: Site, run: RunInTime): Markup =>
  linkTo(site, { page: 'run', run: run.id }, when(run.startedAt))

/** Returns since when a clause has its verdict. */
function sinceText(site: Site, { verdict, run, changed, last }: Since, judged: Judged): Markup {
  const what = verdict === 'violates' ? 'broken' : 'kept'
  const then = last.id === newestOf(judged).id ? undefined : html`; last exercised in ${runLink(site, last)}`
  return changed
    ? html`${what} since ${runLink(site, run)}${then}`
    : html`${what} in every run that exercised it, from ${runLink(site, run)} on${then}`
}

/** Returns a table of runs. Those that are not among the `whole` ones are marked as runs of a part. */
function runsTable(runs: readonly RunInTime[], site: Site, whole: ReadonlySet<RunInTime>): Markup {
  const number = (value: number): string => value.toLocaleString('en')
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Runs"><table class="runs">
<thead><tr><th scope="col">Run (UTC)</th><th scope="col">Verdict</th><th scope="col">Broken, fixed</th><th scope="col" class="number">Broken</th><th scope="col" class="number">Exercised</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Took</th><th scope="col">What</th></tr></thead>
<tbody>
${runs.map(
  run => html`<tr class="run${hollow(run, whole)}"><td>${runLink(site, run)}</td><td>${wordIn(run.tone, run.word)}</td><td>${changes(run)}</td><td class="number">${run.broken.length}</td><td class="number">${exercisedText(run)}</td><td class="number">${number(run.requests)}</td><td class="number">${seconds(run.seconds)}</td><td class="wide">${[run.profile?.name, ...partOf(run), run.attested ? 'attested' : undefined].filter(text => text !== undefined).join(', ')}</td></tr>
`,
)}</tbody>
</table></div>`
}

function changes({ broke, mended }: RunInTime): Markup {
  if (broke.length + mended.length === 0) return html`–`
  return html`${broke.length > 0 ? html`<span class="broke">${broke.length} broken</span>` : undefined}${broke.length > 0 && mended.length > 0 ? ', ' : ''}${mended.length > 0 ? html`<span class="mended">${mended.length} fixed</span>` : undefined}`
}

/** Returns the exercised share of what the profile asks for, or of all applicable clauses. */
export function exercisedText({ profile, coverage }: RunInTime): string {
  return profile === undefined
    ? `${percent(coverage.exercised, coverage.applicable)} of ${count(coverage.applicable, 'clause')}`
    : `${percent(profile.exercised, profile.asked)} of ${clausesAndKinds(profile.asked)}`
}

/** Returns the symbol, name and letter of a verdict. */
const markOf = (verdict: Verdict | undefined): { mark: string; name: string; letter: string } =>
  verdict === undefined
    ? { mark: '·', name: 'not selected', letter: 'o' }
    : { mark: MARKS[verdict], name: verdict, letter: verdict[0]! }

/** Returns the list of unreadable runs, if any. */
function unreadableList({ unreadable }: History): Markup | undefined {
  if (unreadable.length === 0) return undefined
  return html`<section aria-labelledby="unreadable"><h2 id="unreadable">Not readable</h2>
<details class="others"><summary>${count(unreadable.length, 'folder')} of the runs' folder</summary>
<ul class="changes">${unreadable.map(({ id, why }) => html`<li><span class="id">${id}</span>: ${shorten(why, 400)}</li>\n`)}</ul></details></section>`
}

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
