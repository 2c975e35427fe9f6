import type { Finding, Verdict } from '../../fixtures/ground/record.ts'
import { type History, type Judged, newestOf, type RunInTime, type Since } from '../history/history.ts'
import { behaviour } from '../html/behaviour.ts'
import { html, type Markup, wordIn } from '../html/markup.ts'
import { MARKS } from '../html/overview.ts'
import { style } from '../html/style.ts'
import { percent } from '../render/digest.ts'
import { clausesAndKinds, count, seconds, shorten } from '../render/plain.ts'
import { ownStyle } from './style.ts'

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
export function dayOf(runs: readonly RunInTime[]): (run: RunInTime) => string {
  const day = ({ startedAt }: RunInTime): string => when(startedAt).slice(5, 10)
  const days = new Set(runs.map(day)).size
  if (days === runs.length) return day
  return ({ startedAt }) => when(startedAt).slice(days === 1 ? 11 : 5)
}

/** Returns why a run does not cover the whole, if it does not: `only V2-IDEM-*`, `replay`, `load`, `ended early: …`. */
export const partOf = ({ only, isLoad, replayOf, halted }: RunInTime): string[] => [
  ...(only === undefined ? [] : [`only ${only.length > 40 ? `${only.slice(0, 36)} …` : only}`]),
  ...(isLoad ? ['load'] : []),
  ...(replayOf === undefined ? [] : ['replay']),
  ...(halted === undefined ? [] : [`ended early: ${shorten(halted, 60)}`]),
]

/** Returns the class of a run of a part, which is drawn hollow. */
export const hollow = (run: RunInTime, whole: ReadonlySet<RunInTime>): string =>
  whole.has(run) ? '' : ' hollow'

/** Returns a link to a run, named by its start. */
export const runLink = (site: Site, run: RunInTime): Markup =>
  linkTo(site, { page: 'run', run: run.id }, when(run.startedAt))

/** Returns since when a clause has its verdict. */
export function sinceText(site: Site, { verdict, run, changed, last }: Since, judged: Judged): Markup {
  const what = verdict === 'violates' ? 'broken' : 'kept'
  const then = last.id === newestOf(judged).id ? undefined : html`; last exercised in ${runLink(site, last)}`
  return changed
    ? html`${what} since ${runLink(site, run)}${then}`
    : html`${what} in every run that exercised it, from ${runLink(site, run)} on${then}`
}

/** Returns a table of runs. Those that are not among the `whole` ones are marked as runs of a part. */
export function runsTable(runs: readonly RunInTime[], site: Site, whole: ReadonlySet<RunInTime>): Markup {
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
export const markOf = (verdict: Verdict | undefined): { mark: string; name: string; letter: string } =>
  verdict === undefined
    ? { mark: '·', name: 'not selected', letter: 'o' }
    : { mark: MARKS[verdict], name: verdict, letter: verdict[0]! }

/** Returns the list of unreadable runs, if any. */
export function unreadableList({ unreadable }: History): Markup | undefined {
  if (unreadable.length === 0) return undefined
  return html`<section aria-labelledby="unreadable"><h2 id="unreadable">Not readable</h2>
<details class="others"><summary>${count(unreadable.length, 'folder')} of the runs' folder</summary>
<ul class="changes">${unreadable.map(({ id, why }) => html`<li><span class="id">${id}</span>: ${shorten(why, 400)}</li>\n`)}</ul></details></section>`
}
