import type { Verdict } from '../../fixtures/record.ts'
import type { History, Judged, RunInTime, Since } from '../history/history.ts'
import { html, type Markup } from '../html/markup.ts'
import { MARKS } from '../html/overview.ts'
import { word } from '../html/tone.ts'
import { percent } from '../render/digest.ts'
import { count, shorten } from '../render/plain.ts'
import { seconds } from '../render/quantity.ts'
import { linkTo } from './layout.ts'
import type { Site } from './site.ts'

/** Formats a time of a record. Other text is returned shortened. */
export const when = (time: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : shorten(time, 40)

/** Returns a link to a run, named by its start. */
export const runLink = (site: Site, run: RunInTime): Markup =>
  linkTo(site, { page: 'run', run: run.id }, when(run.startedAt))

/** Returns a link to a deployment. */
export const deploymentLink = (site: Site, { id, name }: Judged): Markup =>
  linkTo(site, { page: 'deployment', deployment: id }, name)

/** Returns a link to a clause. */
export const clauseLink = (site: Site, clause: string): Markup =>
  html`<span class="id">${linkTo(site, { page: 'clause', clause }, clause)}</span>`

/** Returns since when a clause has its verdict. */
export function sinceText(
  site: Site,
  { verdict, run, changed, last }: Since,
  { runs: [newest] }: Judged,
): Markup {
  const what = verdict === 'violates' ? 'broken' : 'kept'
  const then = last.id === newest?.id ? undefined : html`; last exercised in ${runLink(site, last)}`
  return changed
    ? html`${what} since ${runLink(site, run)}${then}`
    : html`${what} in every run that exercised it, from ${runLink(site, run)} on${then}`
}

/** Returns a table of runs. */
export function runsTable(runs: readonly RunInTime[], site: Site): Markup {
  const number = (value: number): string => value.toLocaleString('en')
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Runs"><table class="runs">
<thead><tr><th scope="col">Run (UTC)</th><th scope="col">Verdict</th><th scope="col">Broken, fixed</th><th scope="col" class="number">Broken</th><th scope="col" class="number">Exercised</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Took</th><th scope="col">What</th></tr></thead>
<tbody>
${runs.map(
  run => html`<tr><td>${runLink(site, run)}</td><td>${word(run.verdict, run.tone)}</td><td>${changes(run)}</td><td class="number">${run.broken.length}</td><td class="number">${exercisedText(run)}</td><td class="number">${number(run.requests)}</td><td class="number">${seconds(run.seconds)}</td><td class="wide">${[run.profile?.name, run.only === undefined ? undefined : `only ${run.only.length > 40 ? `${run.only.slice(0, 36)} …` : run.only}`, run.isLoad ? 'load' : undefined, run.halted === undefined ? undefined : `ended early: ${shorten(run.halted, 60)}`, run.attested ? 'attested' : undefined].filter(text => text !== undefined).join(', ')}</td></tr>
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
  const { exercised, asked } = profile ?? { exercised: coverage.exercised, asked: coverage.applicable }
  return `${percent(exercised, asked)} of ${asked.toLocaleString('en')}`
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
