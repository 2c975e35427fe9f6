import type { RunRecord } from '../../fixtures/ground/record.ts'
import { evidenceOf } from '../folder/write.ts'
import { findRun, type History, type Judged, type RunInTime, sinceOf } from '../history/history.ts'
import { openRunOf } from '../history/read-history.ts'
import { clauseAnchor } from '../html/clauses.ts'
import type { Evidence } from '../html/findings.ts'
import { callouts, contents, verdictOf } from '../html/head.ts'
import { html, type Markup } from '../html/markup.ts'
import { reportBody } from '../html/report.ts'
import { overviewPage } from './overview-page.ts'
import { layout, linkTo, runLink, type Site, siteScript, siteStyle, type Target, when } from './parts.ts'

/** A run of a site: its place among the others, its record and its evidence. */
interface ShownRun {
  of: Judged
  run: RunInTime
  record: RunRecord
  evidence: Evidence
}

/** Returns the page of a run: what changed in it, and its whole report. */
function runPage({ of, run, record, evidence }: ShownRun, site: Site): string {
  return layout({
    title: `${of.name}, ${when(run.startedAt)}`,
    site,
    trail: [linkTo(site, { page: 'overview' }, of.name, `#${of.id}`)],
    lead: html`<p class="address">${record.deployment.baseUrl}</p>
${verdictOf(record)}`,
    aside: contents(record),
    body: html`${callouts(record)}
${changed(run)}
${reportBody(record, {
  ...evidence,
  since: clause => brokenSince(of, run, clause, site),
  beside: (clause, finding, number) =>
    site.actions?.besideFinding({ run: run.id, clause: clause.id, at: number, finding }),
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

function changed({ broke, mended }: RunInTime): Markup | undefined {
  if (broke.length + mended.length === 0) return undefined
  const list = (title: string, tone: string, ids: readonly string[]) =>
    ids.length === 0
      ? undefined
      : html`<section class="callout tone-${tone}"><h2>${title} (${ids.length})</h2><ul>${ids.map(id => html`<li><a class="id" href="#${clauseAnchor(id)}">${id}</a></li>`)}</ul></section>`
  return html`${list('Broke in this run', 'violates', broke)}${list('Fixed in this run', 'conforms', mended)}`
}

/**
 * Returns a page, the style or the script; `undefined` if the history has no such run. A server only has to find the target
 * of a URL.
 *
 * @throws {RunNotReadable} if the record of the run cannot be read
 */
export async function render(target: Target, history: History, site: Site): Promise<string | undefined> {
  switch (target.page) {
    case 'overview':
      return overviewPage(history, site)
    case 'run': {
      const known = findRun(history, target.run)
      if (known === undefined) return undefined
      const { record, ...stored } = await openRunOf(history.folder, target.run)
      return runPage({ ...known, record, evidence: await evidenceOf(record, stored) }, site)
    }
    case 'style':
      return siteStyle
    case 'script':
      return siteScript
  }
}
