import type { StoredExchange } from '../../fixtures/client/stored.ts'
import type { CheckRecord } from '../../fixtures/record.ts'
import type { Judged, RunInTime } from '../history/history.ts'
import { exchangePanel } from '../html/exchange.ts'
import { html, type Markup } from '../html/markup.ts'
import { word } from '../html/tone.ts'
import { count, shorten } from '../render/plain.ts'
import { milliseconds } from '../render/quantity.ts'
import { clauseLink, deploymentLink, layout, runLink, type Site } from './parts.ts'

/** The maximum number of exchanges on a page. */
const MOST = 300

/** A check of a run with its exchanges. */
export interface ShownCheck {
  of: Judged
  run: RunInTime
  check: CheckRecord
  /** In order of recording. */
  exchanges: readonly StoredExchange[]
  curlOf: (exchange: StoredExchange) => string
}

/** Returns the page of a check: what it decided, and its exchanges over time with requests and answers. */
export function checkPage({ of, run, check, exchanges, curlOf }: ShownCheck, site: Site): string {
  const name = check.id.split(' > ')
  const sent = exchanges.toSorted((a, b) => startOf(a) - startOf(b))
  return layout({
    title: name.at(-1)!,
    site,
    trail: [deploymentLink(site, of), runLink(site, run)],
    lead: html`<p class="address">${name.slice(0, -1).join(' › ')}</p>
<p>${word(check.verdict)}${check.reason === undefined ? undefined : html`: ${check.reason}`}</p>`,
    body: html`<section aria-labelledby="cites"><h2 id="cites">Clauses that it decides</h2>
<ul class="changes">${check.clauses.map(id => html`<li>${clauseLink(site, id)}</li>`)}</ul></section>
<section aria-labelledby="sent"><h2 id="sent">Exchanges</h2>
${waterfall(sent, curlOf)}</section>`,
  })
}

const startOf = ({ startedAt }: StoredExchange): number => Date.parse(startedAt) || 0

/** Returns the exchanges one below the other, each with a bar from its request to its answer. */
function waterfall(sent: readonly StoredExchange[], curlOf: ShownCheck['curlOf']): Markup {
  if (sent.length === 0)
    return html`<p class="note">exchanges.ndjson has nothing of this check: it sent nothing, or its evidence was not kept.</p>`
  const from = startOf(sent[0]!)
  const whole = Math.max(1, ...sent.map(one => startOf(one) - from + one.milliseconds))
  const rest = sent.length - MOST
  return html`<p class="note">${count(sent.length, 'exchange')} in ${milliseconds(whole)}, in the order sent. Times that a check waited, or moved a clock, are gaps. Unfold one for its request and answer; credentials and people’s data were removed before they were stored.</p>
${sent.slice(0, MOST).map(one => exchangePanel(one, curlOf(one), { timing: timing(one, startOf(one) - from, whole) }))}
${rest > 0 ? html`<p class="note">and ${count(rest, 'more exchange')} in exchanges.ndjson</p>` : undefined}`
}

function timing({ id, milliseconds: took, error }: StoredExchange, start: number, whole: number): Markup {
  const scaled = (value: number): string => ((1000 * value) / whole).toFixed(1)
  // An immediate answer must be visible too.
  const width = Math.max(3, (1000 * took) / whole).toFixed(1)
  const told = `${shorten(id, 40)} was sent after ${milliseconds(start)} and took ${milliseconds(took)}`
  return html`<span class="at">+${milliseconds(start)}, ${milliseconds(took)}</span><svg class="wait" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="${told}"><rect class="${error === undefined ? 'took' : 'failed'}" x="${scaled(start)}" y="0" width="${width}" height="8"/></svg>`
}
