import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { writeTextNow } from '../../fixtures/output/files.ts'
import { makeFolder } from '../../fixtures/output/folders.ts'
import type { CheckRecord, RunRecord } from '../../fixtures/record.ts'
import { WrongCall } from '../../fixtures/run/failure.ts'
import { RunNotReadable } from '../folder/read.ts'
import { arrange, type History, type Judged, type RunInTime, type Unreadable } from '../history/history.ts'
import { openRunOf } from '../history/read-history.ts'
import type { Site, Target } from './parts.ts'
import { lastRunOf, type RenderOptions, renderer } from './render.ts'

/** The file that marks a folder as a site, whose pages may be replaced. */
const MARKER = '.travel-sales-site'

/** The folders of a site, which are emptied before a new one is written. */
const FOLDERS = ['runs', 'clauses', 'deployments', 'compared']

/** Which runs of a deployment keep their pages: the newest ones, or those since a day. */
export type Keep = { newest: number } | { since: Date }

/** The maximum number of pages for checks without findings. All of a whole run would take about 40 MB. */
const MOST_PASSED = 50

/** The options of `writeSite`. */
export interface SiteOptions extends RenderOptions {
  keep: Keep
}

/** The result of `writeSite`. */
export interface SiteWritten {
  pages: number
  /** The number of runs with their own pages, and of all. */
  runs: { kept: number; all: number }
  /** The number of runs that could not be read, which are listed. */
  unreadable: number
}

/** The error for a folder that contains something other than a site. */
export class NoSiteFolder extends WrongCall {
  override readonly name = 'NoSiteFolder'
}

/** Only the site's own style and script are allowed, and nothing is fetched. `file:` is for pages on a disk. */
const POLICY =
  "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none'; form-action 'none'"

/**
 * Writes a history as static pages and leaves the runs unchanged. Runs that are not kept have no page, but appear
 * in trends, matrices and lists. @throws {NoSiteFolder} if the folder contains something else
 */
export async function writeSite(given: History, out: string, options: SiteOptions): Promise<SiteWritten> {
  claim(out)
  for (const folder of FOLDERS) await rm(join(out, folder), { recursive: true, force: true })
  writeTextNow(join(out, MARKER), 'Pages of the conformance kit: the next site replaces them.\n')
  const { history, checks } = await readKept(given, options.keep)
  const pages = pagesOf(history, options.keep, checks)
  const show = renderer(history, { ...options, allChecks: true })
  let written = 0
  for (const [path, target] of pages.targets) {
    const text = await show(target, siteAt(path, pages.paths))
    if (text === undefined) continue
    makeFolder(dirname(join(out, path)))
    writeTextNow(join(out, path), text)
    written++
  }
  return { pages: written, runs: pages.runs, unreadable: history.unreadable.length }
}

/** @throws {NoSiteFolder} */
function claim(out: string): void {
  makeFolder(out)
  if (readdirSync(out).length > 0 && !existsSync(join(out, MARKER)))
    throw new NoSiteFolder(
      `${out} holds other files: name a folder that is empty, or that a site was written to.`,
    )
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

interface Pages {
  targets: [path: string, target: Target][]
  /** The paths by target. */
  paths: Map<string, string>
  runs: SiteWritten['runs']
}

/** The ids of the checks that have a page, by run. */
type ChecksOfRuns = ReadonlyMap<string, readonly string[]>

/**
 * Reads the runs with pages of their own. Those that cannot be read, of which only the summary was valid, are taken from the
 * runs of the history and listed with the others of their kind.
 */
async function readKept(given: History, keep: Keep): Promise<{ history: History; checks: ChecksOfRuns }> {
  const checks = new Map<string, string[]>()
  for (let history = given; ; ) {
    const unreadable: Unreadable[] = []
    for (const { id } of history.judged.flatMap(of => keptOf(of, keep))) {
      if (checks.has(id)) continue
      try {
        checks.set(id, checksOf((await openRunOf(history.folder, id)).record))
      } catch (error) {
        if (!(error instanceof RunNotReadable)) throw error
        unreadable.push({ id, why: error.message.replaceAll(join(history.folder, '/'), '') })
      }
    }
    if (unreadable.length === 0) return { history, checks }
    const left = new Set(unreadable.map(({ id }) => id))
    const runs = history.judged.flatMap(of => of.runs.filter(({ id }) => !left.has(id)))
    history = {
      ...history,
      judged: arrange(runs, [...history.clauses.keys()]),
      unreadable: [...history.unreadable, ...unreadable],
    }
  }
}

function pagesOf(history: History, keep: Keep, checks: ChecksOfRuns): Pages {
  const targets: Pages['targets'] = [
    ['style.css', { page: 'style' }],
    ['script.js', { page: 'script' }],
    ['index.html', { page: 'overview' }],
    ['register.html', { page: 'register' }],
  ]
  const lastRuns = new Map<string, string>()
  const runs = { kept: 0, all: 0 }
  for (const of of history.judged) {
    targets.push([`deployments/${of.id}.html`, { page: 'deployment', deployment: of.id }])
    const kept = keptOf(of, keep)
    runs.all += of.runs.length
    runs.kept += kept.length
    for (const [at, { id }] of kept.entries())
      targets.push(...pagesOfRun(id, checks.get(id) ?? [], kept[at + 1]))
    for (const id of history.clauses.keys()) {
      const last = lastRunOf(of, id)
      if (last !== undefined) lastRuns.set(id, last.id)
    }
  }
  // Pages of one run come one after the other, so that its record is read once.
  for (const [clause] of [...lastRuns].toSorted(([, a], [, b]) => (a < b ? -1 : 1)))
    targets.push([`clauses/${clause}.html`, { page: 'clause', clause }])
  return { targets, runs, paths: new Map(targets.map(([path, target]) => [keyOf(target), path])) }
}

const keptOf = ({ runs }: Judged, keep: Keep): RunInTime[] => runs.filter((run, at) => isKept(run, at, keep))

const isKept = ({ startedAt }: RunInTime, at: number, keep: Keep): boolean =>
  'newest' in keep ? at < keep.newest : Date.parse(startedAt) >= keep.since.getTime()

function checksOf({ checks }: RunRecord): string[] {
  const sent = checks.filter(({ requests }) => requests.v1 + requests.v2 > 0)
  const isPassed = ({ verdict }: CheckRecord): boolean => verdict === 'conforms'
  const passed = sent.filter(isPassed).slice(0, MOST_PASSED)
  return [...sent.filter(check => !isPassed(check)), ...passed].map(({ id }) => id)
}

function pagesOfRun(
  run: string,
  checks: readonly string[],
  earlier: RunInTime | undefined,
): Pages['targets'] {
  const targets: Pages['targets'] = [[`runs/${run}/index.html`, { page: 'run', run }]]
  for (const check of checks)
    targets.push([`runs/${run}/${hash('sha256', check).slice(0, 16)}.html`, { page: 'check', run, check }])
  if (earlier !== undefined)
    targets.push([`compared/${run}.html`, { page: 'compare', before: earlier.id, after: run }])
  return targets
}
