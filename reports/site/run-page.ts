import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import type { CheckRecord, RunRecord } from '../../fixtures/ground/record.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { type Judged, type RunInTime, runAfter, runBefore, sinceOf } from '../history/history.ts'
import { exchangePanel } from '../html/exchange.ts'
import type { Evidence } from '../html/findings.ts'
import { callouts, contents, verdictOf } from '../html/head.ts'
import { html, type Markup, word } from '../html/markup.ts'
import { reportBody } from '../html/report.ts'
import { count, milliseconds, shorten } from '../render/plain.ts'
import { clauseLink, deploymentLink, layout, linkTo, runLink, type Site, when } from './parts.ts'

/** A run of a site: its place among the others, its record and its evidence. */
interface ShownRun {
  of: Judged
  run: RunInTime
  record: RunRecord
  evidence: Evidence
}

/** Returns the page of a run: what changed in it, and its whole report. */
export function runPage({ of, run, record, evidence }: ShownRun, site: Site): string {
  const [later, earlier] = [runAfter(of.runs, run.id), runBefore(of.runs, run.id)]
  const around = [
    earlier && linkTo(site, { page: 'run', run: earlier.id }, `Run before, ${when(earlier.startedAt)}`),
    earlier && compareLink(earlier, run, site),
    later && linkTo(site, { page: 'run', run: later.id }, `Run after, ${when(later.startedAt)}`),
  ]
  return layout({
    title: `${of.name}, ${when(run.startedAt)}`,
    site,
    trail: [deploymentLink(site, of)],
    lead: html`<p class="address">${record.deployment.baseUrl}</p>
<p class="beside">${around}</p>
${site.actions?.besideRun(run.id)}
${verdictOf(record)}
${leftOut(record, run, site)}`,
    aside: contents(record),
    body: html`${callouts(record)}
${changed(run, site)}
${reportBody(record, {
  ...evidence,
  checkPage: check => site.link({ page: 'check', run: run.id, check }),
  since: clause => brokenSince(of, run, clause, site),
  beside: (clause, finding, number) =>
    html`<p class="beside">${linkTo(site, { page: 'clause', clause: clause.id }, 'Since when?')}${site.link({ page: 'check', run: run.id, check: finding.check }) === undefined ? undefined : linkTo(site, { page: 'check', run: run.id, check: finding.check }, 'All that its check sent')}</p>
${site.actions?.besideFinding({ run: run.id, clause: clause.id, at: number, finding })}`,
})}`,
  })
}

/** Returns since when a clause is broken, as known at the time of a run; `undefined` if no earlier run tells. */
function brokenSince(of: Judged, run: RunInTime, clause: string, site: Site): Markup | undefined {
  const since = sinceOf({ ...of, runs: of.runs.slice(of.runs.findIndex(({ id }) => id === run.id)) }, clause)
  if (since?.verdict !== 'violates') return undefined
  if (since.run.id === run.id) return since.changed ? html`new in this run` : undefined
  return since.changed
    ? html`broken since ${runLink(site, since.run)}`
    : html`broken in every run from ${runLink(site, since.run)} on`
}

/** Returns a note that the site has pages of some checks only. */
function leftOut({ checks }: RunRecord, run: RunInTime, site: Site): Markup | undefined {
  const sent = checks.filter(({ requests }) => requests.v1 + requests.v2 > 0)
  const shown = sent.filter(({ id }) => site.link({ page: 'check', run: run.id, check: id }) !== undefined)
  if (shown.length === sent.length) return undefined
  return html`<p class="note">All that a check sent has a page for ${shown.length} of ${count(sent.length, 'check')}: the first of each broken clause, in the newest run that found the same. <code>${commandLine('ui')}</code> shows all.</p>`
}

const compareLink = (before: RunInTime, after: RunInTime, site: Site): Markup | undefined =>
  site.link({ page: 'compare', before: before.id, after: after.id }) === undefined
    ? undefined
    : linkTo(site, { page: 'compare', before: before.id, after: after.id }, 'Compare with it')

function changed({ broke, mended }: RunInTime, site: Site): Markup | undefined {
  if (broke.length + mended.length === 0) return undefined
  const list = (title: string, tone: string, ids: readonly string[]) =>
    ids.length === 0
      ? undefined
      : html`<section class="callout tone-${tone}"><h2>${title} (${ids.length})</h2><ul>${ids.map(id => html`<li>${clauseLink(site, id)}</li>`)}</ul></section>`
  return html`${list('Broke in this run', 'violates', broke)}${list('Fixed in this run', 'conforms', mended)}`
}

/** The default maximum number of exchanges on a page, apart from those that findings cite. */
const MOST = 300

/** A check of a run with its exchanges. */
interface ShownCheck {
  of: Judged
  run: RunInTime
  record: RunRecord
  check: CheckRecord
  /** In order of recording. */
  exchanges: readonly StoredExchange[]
  curlOf: (exchange: StoredExchange) => string
  /** The maximum number of exchanges shown, apart from those that findings cite. */
  most?: number | undefined
}

/** Returns the page of a check: what it decided, and its exchanges over time with requests and answers. */
export function checkPage(
  { of, run, record, check, exchanges, curlOf, most = MOST }: ShownCheck,
  site: Site,
): string {
  const name = check.id.split(' > ')
  const sent = exchanges.toSorted((a, b) => startOf(a) - startOf(b))
  const own = record.clauses.flatMap(({ findings }) => findings.filter(one => one.check === check.id))
  const cited = new Set(own.flatMap(finding => finding.exchanges))
  const shown = sent.filter(({ id }, at) => at < most || cited.has(id))
  return layout({
    title: name.at(-1)!,
    site,
    trail: [deploymentLink(site, of), runLink(site, run)],
    lead: html`<p class="address">${name.slice(0, -1).join(' › ')}</p>
<p>${word(check.verdict)}${check.reason === undefined ? undefined : html`: ${check.reason}`}</p>`,
    body: html`<section aria-labelledby="cites"><h2 id="cites">Clauses that it decides</h2>
<ul class="changes">${check.clauses.map(id => html`<li>${clauseLink(site, id)}</li>`)}</ul></section>
<section aria-labelledby="sent"><h2 id="sent">Exchanges</h2>
${waterfall(sent, shown, cited, curlOf)}</section>`,
  })
}

const startOf = ({ startedAt }: StoredExchange): number => Date.parse(startedAt) || 0

/** Returns the `shown` ones of all exchanges, each with a bar from its request to its answer, the `cited` ones marked. */
function waterfall(
  sent: readonly StoredExchange[],
  shown: readonly StoredExchange[],
  cited: ReadonlySet<string>,
  curlOf: ShownCheck['curlOf'],
): Markup {
  if (sent.length === 0)
    return html`<p class="note">exchanges.ndjson has nothing of this check: it sent nothing, or its evidence was not kept.</p>`
  const from = startOf(sent[0]!)
  const whole = Math.max(1, ...sent.map(one => startOf(one) - from + one.milliseconds))
  const rest = sent.length - shown.length
  return html`<p class="note">${count(sent.length, 'exchange')} in ${milliseconds(whole)}, in the order sent. Times that a check waited, or moved a clock, are gaps. Unfold one for its request and answer; credentials and people’s data were removed before they were stored.</p>
${shown.map(one => exchangePanel(one, curlOf(one), { timing: timing(one, startOf(one) - from, whole, cited.has(one.id)) }))}
${rest > 0 ? html`<p class="note">and ${count(rest, 'more exchange')} in exchanges.ndjson</p>` : undefined}`
}

function timing(
  { id, milliseconds: took, error }: StoredExchange,
  start: number,
  whole: number,
  isCited: boolean,
): Markup {
  const scaled = (value: number): string => ((1000 * value) / whole).toFixed(1)
  // An immediate answer must be visible too.
  const width = Math.max(3, (1000 * took) / whole).toFixed(1)
  const told = `${shorten(id, 40)} was sent after ${milliseconds(start)} and took ${milliseconds(took)}`
  return html`${isCited ? html` <span class="cited">of a finding</span>` : undefined}<span class="at">+${milliseconds(start)}, ${milliseconds(took)}</span><svg class="wait" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="${told}"><rect class="${error === undefined ? 'took' : 'failed'}" x="${scaled(start)}" y="0" width="${width}" height="8"/></svg>`
}
