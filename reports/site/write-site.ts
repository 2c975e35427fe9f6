import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { namesIn } from '../../fixtures/ground/read-file.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { writeTextNow } from '../../fixtures/output/files.ts'
import { makeFolder } from '../../fixtures/output/folders.ts'
import { wrongCall } from '../../fixtures/run/failure.ts'
import { evidenceOf, RunNotReadable } from '../folder/write.ts'
import {
  findRun,
  type History,
  type Judged,
  newestOf,
  type RunInTime,
  sinceOf,
  type Unreadable,
} from '../history/history.ts'
import { openRunOf } from '../history/read-history.ts'
import { clauseAnchor } from '../html/clauses.ts'
import type { Evidence } from '../html/findings.ts'
import { callouts, contents, html, type Markup, verdictOf } from '../html/head.ts'
import { reportBody } from '../html/report.ts'
import {
  layout,
  linkTo,
  overviewPage,
  runLink,
  type Site,
  siteScript,
  siteStyle,
  type Target,
  when,
} from './overview-page.ts'

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

/** The file that marks a folder as a site, whose pages may be replaced. */
const MARKER = '.travel-sales-site'

/** The folders of a site, which are emptied before a new one is written. */
const FOLDERS = ['runs', 'areas', 'clauses', 'deployments', 'compared']

/** The result of `writeSite`. */
interface SiteWritten {
  pages: number
  /** The number of runs with their own pages, and of all. */
  runs: { kept: number; all: number }
  /** The number of runs that could not be read, which are listed. */
  unreadable: number
}

/** Only the site's own style and script are allowed, and nothing is fetched. `file:` is for pages on a disk. */
const POLICY =
  "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none'; form-action 'none'"

/**
 * Writes a history as static pages and leaves the runs unchanged. Runs that are not kept have no page, but appear
 * in matrices and lists. @throws {Failure} if the folder contains something else
 */
export async function writeSite(given: History, out: string, keep: number): Promise<SiteWritten> {
  claim(out)
  for (const folder of FOLDERS) await rm(join(out, folder), { recursive: true, force: true })
  writeTextNow(join(out, MARKER), 'Pages of the conformance kit: the next site replaces them.\n')
  const wanted = given.judged.flatMap(of => keptOf(of, keep))
  const unreadable = await unreadableOf(given, wanted)
  const without = new Set(unreadable.map(({ id }) => id))
  const kept = wanted.filter(({ id }) => !without.has(id))
  const history = { ...given, unreadable: [...given.unreadable, ...unreadable] }
  const targets = targetsOf(kept)
  const paths = new Map(targets.map(([path, target]) => [keyOf(target), path]))
  let pages = 0
  for (const [path, target] of targets) {
    const text = await render(target, history, siteAt(path, paths))
    if (text === undefined) continue
    makeFolder(dirname(join(out, path)))
    writeTextNow(join(out, path), text)
    pages++
  }
  const all = given.judged.reduce((sum, { runs }) => sum + runs.length, 0)
  return { pages, runs: { kept: kept.length, all }, unreadable: history.unreadable.length }
}

/** Returns the runs that cannot be read, of which only the summary was valid. They have no page, and are listed. */
async function unreadableOf({ folder }: History, runs: readonly RunInTime[]): Promise<Unreadable[]> {
  const found: Unreadable[] = []
  for (const { id } of runs) {
    try {
      await openRunOf(folder, id)
    } catch (error) {
      if (!(error instanceof RunNotReadable)) throw error
      found.push({ id, why: error.message.replaceAll(join(folder, '/'), '') })
    }
  }
  return found
}

/** @throws {Failure} */
function claim(out: string): void {
  try {
    makeFolder(out)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw wrongCall(`${out} cannot be made a folder (${code}): give another with --out.`, {
      cause: error,
    })
  }
  if (namesIn(out)?.length !== 0 && !existsSync(join(out, MARKER)))
    throw wrongCall(`${out} holds other files: name a folder that is empty, or that a site was written to.`)
}

/** Returns the site as seen from the page at a path. Links are relative, so that it works from a disk too. */
function siteAt(path: string, paths: ReadonlyMap<string, string>): Site {
  return {
    actions: null,
    policy: POLICY,
    link(target) {
      const to = paths.get(keyOf(target))
      return to && relative(dirname(path), to)
    },
  }
}

const keyOf = (target: Target): string => JSON.stringify(Object.entries(target).sort())

/** Returns the pages of a site by path. */
const targetsOf = (kept: readonly RunInTime[]): (readonly [path: string, target: Target])[] => [
  ['style.css', { page: 'style' }],
  ['script.js', { page: 'script' }],
  ['index.html', { page: 'overview' }],
  ...kept.map(({ id }) => [`runs/${id}/index.html`, { page: 'run', run: id }] as const),
]

/** Returns the runs with pages of their own, the newest. The one that stands for the deployment is always among them. */
function keptOf(of: Judged, keep: number): RunInTime[] {
  const newest = newestOf(of)
  return of.runs.filter((run, at) => at < keep || run === newest)
}
