import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { namesIn } from '../../fixtures/ground/read-file.ts'
import { writeTextNow } from '../../fixtures/output/files.ts'
import { makeFolder } from '../../fixtures/output/folders.ts'
import { WrongCall } from '../../fixtures/run/failure.ts'
import { RunNotReadable, type StoredRun } from '../folder/read.ts'
import {
  arrange,
  type History,
  type Judged,
  newestOf,
  type RunInTime,
  runBefore,
  type Unreadable,
} from '../history/history.ts'
import { openRunOf } from '../history/read-history.ts'
import { anchorOf, areaPath } from './area-page.ts'
import type { Site, Target } from './parts.ts'
import { type ChecksOfRuns, type RedCheck, redChecksOf, shownChecks } from './red-checks.ts'
import { type RenderOptions, renderer } from './render.ts'

/** The file that marks a folder as a site, whose pages may be replaced. */
const MARKER = '.travel-sales-site'

/** The folders of a site, which are emptied before a new one is written. */
const FOLDERS = ['runs', 'areas', 'clauses', 'deployments', 'compared']

/** Which runs of a deployment keep their pages: the newest ones, or those since a day. */
export type Keep = { newest: number } | { since: Date }

/** The maximum number of exchanges on the page of a check, apart from those that its findings cite. */
const MOST_EXCHANGES = 16

/** The number of runs kept open: each is read for its own page, for those of areas, and for comparisons. */
const MOST_OPEN = 10

/** The options of `writeSite`. */
interface SiteOptions extends RenderOptions {
  keep: Keep
}

/** The result of `writeSite`. */
interface SiteWritten {
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
  const open = openedOnce(given.folder)
  const { history, checks } = await readKept(given, options.keep, open)
  const pages = pagesOf(history, options.keep, checks)
  const show = renderer(history, {
    ...options,
    open,
    mostExchanges: MOST_EXCHANGES,
    checksOf: run => checks.get(run) ?? [],
  })
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

/** Returns a function that opens runs of a folder, and keeps the first ones. */
function openedOnce(folder: string): (run: string) => Promise<StoredRun> {
  const opened = new Map<string, Promise<StoredRun>>()
  return run => {
    const found = opened.get(run) ?? openRunOf(folder, run)
    if (opened.size < MOST_OPEN) opened.set(run, found)
    return found
  }
}

/** @throws {NoSiteFolder} */
function claim(out: string): void {
  try {
    makeFolder(out)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new NoSiteFolder(`${out} cannot be made a folder (${code}): give another with --out.`, {
      cause: error,
    })
  }
  if (namesIn(out)?.length !== 0 && !existsSync(join(out, MARKER)))
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
      if (to === undefined) return undefined
      const [file, anchor] = to.split('#') as [string, string?]
      return `${relative(dirname(path), file)}${anchor === undefined ? '' : `#${anchor}`}`
    },
  }
}

const keyOf = (target: Target): string => JSON.stringify(Object.entries(target).sort())

interface Pages {
  targets: [path: string, target: Target][]
  /** The paths by target, with an anchor for what is a part of another page. */
  paths: Map<string, string>
  runs: SiteWritten['runs']
}

/**
 * Reads the runs with pages of their own. Those that cannot be read, of which only the summary was valid, are taken from the
 * runs of the history and listed with the others of their kind.
 */
async function readKept(
  given: History,
  keep: Keep,
  open: (run: string) => Promise<StoredRun>,
): Promise<{ history: History; checks: ChecksOfRuns }> {
  const red = new Map<string, RedCheck[]>()
  for (let history = given; ; ) {
    const unreadable: Unreadable[] = []
    for (const { id } of history.judged.flatMap(of => keptOf(of, keep))) {
      if (red.has(id)) continue
      try {
        red.set(id, redChecksOf((await open(id)).record))
      } catch (error) {
        if (!(error instanceof RunNotReadable)) throw error
        unreadable.push({ id, why: error.message.replaceAll(join(history.folder, '/'), '') })
      }
    }
    if (unreadable.length === 0) {
      const checks = history.judged.flatMap(of => shownChecks(keptOf(of, keep), red))
      return { history, checks: new Map(checks) }
    }
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
  ]
  const runs = { kept: 0, all: 0 }
  for (const of of history.judged) {
    targets.push([`deployments/${of.id}.html`, { page: 'deployment', deployment: of.id }])
    const kept = keptOf(of, keep)
    runs.all += of.runs.length
    runs.kept += kept.length
    for (const { id } of kept) targets.push(...pagesOfRun(id, checks.get(id) ?? [], runBefore(kept, id)))
  }
  const { own, listed } = pagesOfAreas(history)
  targets.push(...own)
  const paths = [...targets, ...listed].map(([path, target]) => [keyOf(target), path] as const)
  return { targets, runs, paths: new Map(paths) }
}

/** Returns the pages of areas, and where each clause is `listed` on them. */
function pagesOfAreas({ clauses }: History): Record<'own' | 'listed', Pages['targets']> {
  const pathOf = (area: string) => `areas/${areaPath(area)}.html`
  const areas = new Set([...clauses.values()].map(({ area }) => area))
  return {
    own: [...areas].map(area => [pathOf(area), { page: 'area', area }]),
    listed: [...clauses.values()].map(({ id, area }) => [
      `${pathOf(area)}#${anchorOf(id)}`,
      { page: 'clause', clause: id },
    ]),
  }
}

/** Returns the runs with pages of their own, newest first. The one that stands for the deployment is always among them. */
function keptOf(of: Judged, keep: Keep): RunInTime[] {
  const newest = newestOf(of)
  return of.runs.filter((run, at) => isKept(run, at, keep) || (run === newest && 'newest' in keep))
}

const isKept = ({ startedAt }: RunInTime, at: number, keep: Keep): boolean =>
  'newest' in keep ? at < keep.newest : Date.parse(startedAt) >= keep.since.getTime()

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
