import { join } from 'node:path'
import { namesIn } from '../../../fixtures/ground/read-file.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { html, type Markup } from '../../../reports/html/markup.ts'
import { count } from '../../../reports/render/plain.ts'
import { type Live, liveIn } from '../watch-live.ts'
import { streamed } from './live-page.ts'
import type { Parts } from './streams.ts'

/** The folders of runs that may be of `watch`, and the most of them that are listed. */
const OF_WATCH = /^\d{8}T\d{6}-watch(?:-\d+)?$/
const MOST_LISTED = 20
/** It is shown anew every second; after this many milliseconds without, its process is gone. */
const SILENT = 15_000

/** The traffic that a run folder shows. */
interface WatchedFolder {
  run: string
  live: Live
}

/** Returns the runs of `watch` in a folder, the newest first. */
export function watchedIn(runs: string): WatchedFolder[] {
  return (namesIn(runs) ?? [])
    .filter(name => OF_WATCH.test(name))
    .toSorted()
    .reverse()
    .slice(0, MOST_LISTED)
    .flatMap(run => {
      const live = liveIn(join(runs, run))
      return live === undefined ? [] : [{ run, live }]
    })
}

/** Returns a run of `watch` by its name: the newest one without a name; `undefined` if there is none. */
export function watchedNamed(runs: string, run: string): WatchedFolder | undefined {
  if (run === '') return watchedIn(runs)[0]
  const live = OF_WATCH.test(run) ? liveIn(join(runs, run)) : undefined
  return live === undefined ? undefined : { run, live }
}

const isGone = ({ at, over }: Live): boolean => !over && Date.now() - Date.parse(at) > SILENT

const clock = (time: string | number): string => new Date(time).toISOString().slice(11, 19)

/** Returns the live parts of the page. `link` returns the address of a run's page. */
export function watchParts({ run, live }: WatchedFolder, link: (run: string) => string): Parts {
  const { proxy, upstream, exchanges, clients, lost, others, refused, findings, newest } = live
  const gone = isGone(live)
  const state = live.over
    ? html`<strong>It has ended.</strong> <a href="${link(run)}">Its page</a>`
    : gone
      ? html`<strong>It has ended without its last report.</strong>`
      : html`<strong>Requests to <code>${proxy}</code> are passed on to <code>${upstream}</code>, and its answers are judged.</strong>`
  const numbers = [
    count(exchanges, 'request'),
    count(clients, 'credential'),
    ...(lost === 0 ? [] : [`${lost} without an answer`]),
    ...(others === 0 ? [] : [`${others} outside of the API`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ]
  return {
    over: live.over || gone,
    parts: {
      state: html`<p>${state}</p><p>${numbers.join(', ')}; since ${clock(live.startedAt)} UTC.</p>`,
      findings: html`<h2>${findings.length === 0 ? 'No finding' : `${count(findings.length, 'clause')} found broken`}${live.over ? undefined : ' so far'}</h2>
<ul class="told">${findings.map(
        ({ clause, level, message, count: times, at }) =>
          html`<li><strong><a href="/clause?${new URLSearchParams({ clause }).toString()}">${clause}</a></strong> ${message}<small>${level}, ${count(times, 'time')}, first at ${clock(at)}</small></li>`,
      )}</ul>`,
      newest: html`<h2>Newest requests</h2>${
        newest.length === 0
          ? html`<p>None so far.</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Newest requests"><table><thead><tr><th scope="col">Time</th><th scope="col">Client</th><th scope="col">Request</th><th scope="col">Answer</th><th scope="col">Took</th></tr></thead><tbody>${newest.map(
              ({ at, client, request, answer, milliseconds }) =>
                html`<tr><td>${clock(at)}</td><td>${client}</td><td>${request}</td><td>${answer}</td><td>${milliseconds} ms</td></tr>`,
            )}</tbody></table></div>`
      }`,
    },
  }
}

/** Returns the page of a run of `watch`. */
export const watchPage = (
  watched: WatchedFolder,
  others: readonly WatchedFolder[],
  { parts }: Parts,
): Markup =>
  html`${streamed(`/watch/events?run=${watched.run}`, parts)}${
    others.length < 2
      ? undefined
      : html`<details><summary>Others</summary><ul>${others.map(
          ({ run, live: { upstream, over } }) =>
            html`<li><a href="/watch?run=${run}">${run}</a>: ${upstream}, ${over ? 'ended' : 'goes on'}</li>`,
        )}</ul></details>`
  }`

/** Returns the page that says how to begin. */
export const howToWatch =
  (): Markup => html`<p>Nobody's traffic is watched here yet. In a terminal, in this folder:</p>
<pre data-copy>${commandLine('watch', '--upstream', 'https://staging.example.com', '--port', '8088')}</pre>
<p>Then point clients, tests or collections at <code>http://127.0.0.1:8088</code>: their requests are passed on unchanged, the answers of the deployment are judged as they come, and this page shows it.</p>`
