import { commandLine } from '../../../fixtures/output/command-line.ts'
import { html, type Markup } from '../../../reports/html/markup.ts'
import { count } from '../../../reports/render/plain.ts'
import type { Job } from './jobs.ts'
import type { Parts } from './streams.ts'

/** The most findings that the live page lists; the page of the run lists all. */
const MOST_FINDINGS = 100

/** Returns the address of a command's page. */
export const jobAddress = ({ id }: Pick<Job, 'id'>): string => `/live?job=${id}`

const ENDED: Readonly<Record<number, string>> = {
  0: 'It has ended: nothing was found, and enough was looked at.',
  1: 'It has ended: something was found, or less was looked at than has to be.',
  2: 'Nothing was sent: the definition, or what was asked for, is wrong.',
  3: 'It could not be completed.',
  130: 'It was stopped, and has cancelled its bookings. Clauses that it had not reached count as not exercised.',
}

/** Returns the live parts of the page of a command. `link` returns the address of a run's page. */
export function liveParts(job: Job, link: (run: string) => string): Parts {
  const { state, code, started, progress, findings, notices, output } = job
  const over = state === 'ended'
  const now = over
    ? endOf(job, code)
    : state === 'stopping'
      ? 'Stopping: its bookings are being cancelled.'
      : 'It goes on.'
  return {
    over,
    parts: {
      state: html`<p><strong>${now}</strong>${over && started !== undefined ? html` <a href="${link(started.run)}">Its page</a>` : undefined}</p>
${started === undefined ? undefined : html`<p>${started.deployment === started.baseUrl ? undefined : `${started.deployment} at `}${started.baseUrl}, run ${started.run}</p>`}`,
      progress: html`<progress max="${Math.max(1, progress?.checks ?? 1)}" value="${over && code === 0 ? Math.max(1, progress?.checks ?? 1) : (progress?.done ?? 0)}" aria-label="Checks that have ended"></progress>
<p>${progress?.text ?? (over ? 'No check was run' : 'starting')}</p>`,
      stop:
        state === 'running'
          ? html`<form class="ui" method="post" action="/stop"><input type="hidden" name="job" value="${job.id}"><button>Stop</button> <span>as Ctrl-C does: bookings are cancelled, and findings are written</span></form>`
          : html``,
      findings: html`<h2>${findings.length === 0 ? 'No finding' : count(findings.length, 'finding')}${over ? undefined : ' so far'}</h2>
<ul class="told">${findings
        .slice(-MOST_FINDINGS)
        .map(
          ({ clause, message, check }) =>
            html`<li><strong>${clause}</strong> ${message}<small>${check}</small></li>`,
        )}</ul>`,
      notices:
        notices.length === 0
          ? html``
          : html`<h2>Notices</h2><ul class="told">${notices.map(text => html`<li>${text}</li>`)}</ul>`,
      output: output === '' ? html`` : html`<h2>What it printed</h2><pre tabindex="0">${output}</pre>`,
    },
  }
}

function endOf({ args, findings }: Job, code: number | null | undefined): string {
  const isReplay = args[0] === 'replay'
  if (isReplay && code === 0) return 'It has ended: the finding does not show again.'
  if (isReplay && code === 1) return 'It has ended: the finding shows again.'
  if (code === 0 && findings.length > 0)
    return 'It has ended: nothing that was found counts against it, and enough was looked at.'
  return ENDED[code ?? -1] ?? `It was killed: ${commandLine('cleanup')} cancels what it left booked.`
}

export const livePage = ({ id }: Job, { parts }: Parts): Markup => streamed(`/live/events?job=${id}`, parts)

/** Returns parts of a page that the script keeps up to date. */
export function streamed(address: string, parts: Parts['parts']): Markup {
  return html`<div data-stream="${address}"><noscript><p>Without script, this page shows how it is now: <a href="">look again</a>.</p></noscript>
${Object.entries(parts).map(([id, part]) => html`<div id="part-${id}"${id === 'state' ? html` role="status"` : undefined}>${part}</div>\n`)}</div>`
}
