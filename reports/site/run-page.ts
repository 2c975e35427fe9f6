import { commandLine } from '../../fixtures/output/command-line.ts'
import type { RunRecord } from '../../fixtures/record.ts'
import type { Judged, RunInTime } from '../history/history.ts'
import { contents } from '../html/contents.ts'
import type { Evidence } from '../html/findings.ts'
import { html, type Markup } from '../html/markup.ts'
import { callouts, reportBody, verdictOf } from '../html/report.ts'
import { count } from '../render/plain.ts'
import { clauseLink, deploymentLink, layout, linkTo, type Site, when } from './parts.ts'

/** A run of a site: its place among the others, its record and its evidence. */
export interface ShownRun {
  of: Judged
  run: RunInTime
  record: RunRecord
  evidence: Evidence
}

/** Returns the page of a run: what changed in it, and its whole report. */
export function runPage({ of, run, record, evidence }: ShownRun, site: Site): string {
  const at = of.runs.findIndex(({ id }) => id === run.id)
  const [later, earlier] = [of.runs[at - 1], of.runs[at + 1]]
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
  beside: (clause, finding, number) =>
    html`<p class="beside">${linkTo(site, { page: 'clause', clause: clause.id }, 'Since when?')}${linkTo(site, { page: 'check', run: run.id, check: finding.check }, 'All that its check sent')}</p>
${site.actions?.besideFinding({ run: run.id, clause: clause.id, at: number, finding })}`,
})}`,
  })
}

/** Returns a note that the site has pages of some checks only. */
function leftOut({ checks }: RunRecord, run: RunInTime, site: Site): Markup | undefined {
  const sent = checks.filter(({ requests }) => requests.v1 + requests.v2 > 0)
  const shown = sent.filter(({ id }) => site.link({ page: 'check', run: run.id, check: id }) !== undefined)
  if (shown.length === 0 || shown.length === sent.length) return undefined
  return html`<p class="note">The requests of a check have a page for ${shown.length} of ${count(sent.length, 'check')}: all in which something was found or missing, and some of the others. <code>${commandLine('ui')}</code> shows all.</p>`
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
