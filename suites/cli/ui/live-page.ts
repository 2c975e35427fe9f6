import { commandLine } from '../../../fixtures/output/command-line.ts'
import type { RunInTime } from '../../../reports/history/history.ts'
import { html, type Markup, wordIn } from '../../../reports/html/head.ts'
import { count, shorten } from '../../../reports/render/plain.ts'
import { exercisedText } from '../../../reports/site/overview-page.ts'
import type { Job } from './jobs.ts'
import type { Parts } from './streams.ts'

/** The most clauses with findings that the live page lists; the page of the run lists all. */
const MOST_CLAUSES = 60

/** Returns the address of a command's page. */
export const jobAddress = ({ id }: Pick<Job, 'id'>): string => `/live?job=${id}`

const ENDED: Readonly<Record<number, string>> = {
  0: 'It has ended: nothing was found, and enough was looked at.',
  1: 'It has ended: something was found, or less was looked at than has to be.',
  2: 'Nothing was sent: the definition, or what was asked for, is wrong.',
  3: 'It could not be completed.',
  130: 'It was stopped, and has cancelled its bookings. Clauses that it had not reached count as not exercised.',
}

/** What the page of a command knows of runs. */
export interface Runs {
  /** Returns the address of a run's page. */
  link(run: string): string
  /** Returns a run that has ended; `undefined` without a record. */
  find(run: string): RunInTime | undefined
}

/** Returns the live parts of the page of a command. */
export function liveParts(job: Job, runs: Runs): Parts {
  const { state, findings, notices, output } = job
  const over = state === 'ended'
  return {
    over,
    parts: {
      state: stateOf(job, runs),
      progress: progressOf(job),
      stop:
        state === 'running'
          ? html`<form class="ui row" method="post" action="/stop"><input type="hidden" name="job" value="${job.id}"><button class="quiet">Stop</button> <span>as Ctrl-C does: bookings are cancelled, and findings are written</span></form>`
          : html``,
      findings: findingsOf(findings, over),
      notices:
        notices.length === 0
          ? html``
          : html`<h2>Notices</h2><ul class="told">${notices.map(text => html`<li>${text}</li>`)}</ul>`,
      output:
        output === ''
          ? html``
          : html`<details><summary>What it printed</summary><pre tabindex="0">${output}</pre></details>`,
    },
  }
}

function stateOf(job: Job, { link, find }: Runs): Markup {
  const { state, code, started } = job
  const about =
    started === undefined
      ? undefined
      : html`<p class="address">${started.deployment === started.baseUrl ? undefined : `${started.deployment} at `}${started.baseUrl}, run ${started.run}</p>`
  if (state !== 'ended')
    return html`<p><strong>${state === 'stopping' ? 'Stopping: its bookings are being cancelled.' : 'Running'}</strong></p>${about}`
  const run = started && find(started.run)
  return html`<div class="result tone-${run?.tone ?? 'unseen'}">${
    run === undefined
      ? undefined
      : html`<p class="verdict-word">${wordIn(run.tone, run.word)}</p><p>${count(run.broken.length, 'clause')} broken, ${exercisedText(run)} exercised.</p>`
  }<p>${endOf(job, code)}</p>${about}
${run === undefined ? undefined : html`<p><a class="button" href="${link(run.id)}">Open report</a></p>`}</div>`
}

function progressOf({ state, code, progress }: Job): Markup {
  const over = state === 'ended'
  if (progress === undefined || progress.checks === 0)
    return html`<p>${over ? 'No check was run.' : (progress?.text ?? 'starting')}</p>`
  const { done, checks, text } = progress
  const most = Math.max(1, checks)
  return html`<progress max="${most}" value="${over && code === 0 ? most : done}" aria-label="Checks that have ended"></progress>
<p>${text}</p>`
}

/** Returns a row for each clause, with its first finding. */
function findingsOf(findings: Job['findings'], over: boolean): Markup {
  const byClause = [...Map.groupBy(findings, ({ clause }) => clause)]
  const rest = byClause.length - MOST_CLAUSES
  return html`<h2>${findings.length === 0 ? 'Nothing found' : `${count(byClause.length, 'clause')} with a finding`}${over ? undefined : ' so far'}</h2>
<ul class="told">${byClause
    .slice(0, MOST_CLAUSES)
    .map(
      ([clause, [first, ...more]]) =>
        html`<li><a class="id" href="/start?only=${clause}">${clause}</a> ${shorten(first!.message, 400)}<small>${shorten(first!.check.split(' > ').slice(1).join(' › '), 300)}${more.length === 0 ? '' : ', and others'}</small></li>`,
    )}</ul>${rest > 0 ? html`<p class="note">and ${count(rest, 'more clause')}</p>` : undefined}`
}

function endOf({ args, findings }: Job, code: number | null | undefined): string {
  const isReplay = args[0] === 'replay'
  if (isReplay && code === 0) return 'It has ended: the finding does not show again.'
  if (isReplay && code === 1) return 'It has ended: the finding shows again.'
  if (code === 0 && findings.length > 0)
    return 'It has ended: nothing that was found counts against it, and enough was looked at.'
  return ENDED[code ?? -1] ?? `It was killed: ${commandLine('cleanup')} cancels what it left booked.`
}

export const livePage = ({ id }: Job, { parts }: Parts): Markup =>
  streamed(`/live/events?job=${id}`, parts, [
    ['state', 'progress', 'stop'],
    ['findings', 'notices', 'output'],
  ])

/** Returns parts of a page that the script keeps up to date. @param columns the ids of the parts in each column; default: one */
export function streamed(
  address: string,
  parts: Parts['parts'],
  columns: readonly (readonly string[])[] = [Object.keys(parts)],
): Markup {
  const part = (id: string) =>
    html`<div id="part-${id}"${id === 'state' ? html` role="status"` : undefined}>${parts[id]}</div>\n`
  return html`<div data-stream="${address}"><noscript><p>Without script, this page shows how it is now: <a href="">look again</a>.</p></noscript>
<div class="columns">${columns.map(ids => html`<div class="column">${ids.map(part)}</div>`)}</div></div>`
}
