import { toCurl } from '../../fixtures/client/recording/index.ts'
import { RunNotReadable, type StoredRun } from '../folder/read.ts'
import { evidenceOf } from '../folder/write.ts'
import { findRun, type History, type Judged, newestOf, type RunInTime } from '../history/history.ts'
import { openRunOf } from '../history/read-history.ts'
import { deviantsByClause } from '../render/deviants-by-clause.ts'
import { checksWithFindings } from '../render/digest.ts'
import { areaPage } from './area-page.ts'
import { comparePage } from './compare-page.ts'
import { deploymentPage, overviewPage } from './overview-page.ts'
import { type Site, siteScript, siteStyle, type Target } from './parts.ts'
import { checkPage, runPage } from './run-page.ts'

/** What pages need besides the history. */
export interface RenderOptions {
  /** The checks of a run whose pages will be rendered, so that its exchanges are read once. */
  checksOf?: (run: string) => readonly string[]
  /** Opens a run. Default: reads it from the folder of the history. */
  open?: (run: string) => Promise<StoredRun>
  /** The maximum number of exchanges on the page of a check, apart from those that its findings cite. */
  mostExchanges?: number
}

/** The number of runs kept open, since the pages of a run are requested one after the other. */
const MOST_OPEN = 4

type Found = { of: Judged; run: RunInTime } & StoredRun

/**
 * Returns a page, the style or the script; `undefined` if the history has no such run, check or clause. A server only has
 * to find the target of a URL.
 *
 * @throws {RunNotReadable} if the record of the run cannot be read
 */
export const render = (
  target: Target,
  history: History,
  site: Site,
  options: RenderOptions = {},
): Promise<string | undefined> => renderer(history, options)(target, site)

/** Returns a function that renders pages of a history and caches the latest runs. */
export function renderer(
  history: History,
  options: RenderOptions = {},
): (target: Target, site: Site) => Promise<string | undefined> {
  const opened = new Map<string, Promise<Found | undefined>>()
  const open = (id: string): Promise<Found | undefined> => {
    const found = opened.get(id) ?? openFound(history, id, options)
    opened.delete(id)
    opened.set(id, found)
    for (const oldest of [...opened.keys()].slice(0, -MOST_OPEN)) opened.delete(oldest)
    return found
  }
  return async (target, site) => {
    switch (target.page) {
      case 'overview':
        return overviewPage(history, site)
      case 'deployment': {
        const one = history.judged.find(({ id }) => id === target.deployment)
        return one && deploymentPage(one, history, site)
      }
      case 'run': {
        const found = await open(target.run)
        return found && runPage({ ...found, evidence: await evidenceOf(found.record, found) }, site)
      }
      case 'check': {
        const found = await open(target.run)
        const check = found?.record.checks.find(({ id }) => id === target.check)
        if (found === undefined || check === undefined) return undefined
        const exchanges = (await found.traffic([check.id])).get(check.id) ?? []
        return checkPage({ ...found, check, exchanges, curlOf: toCurl, most: options.mostExchanges }, site)
      }
      case 'area':
        return renderArea(target.area, history, site, open)
      case 'compare': {
        const [before, after] = [await open(target.before), await open(target.after)]
        return before && after && comparePage(before, after, site)
      }
      case 'style':
        return siteStyle
      case 'script':
        return siteScript
    }
  }
}

async function openFound(
  history: History,
  id: string,
  { checksOf, open = run => openRunOf(history.folder, run) }: RenderOptions,
): Promise<Found | undefined> {
  const known = findRun(history, id)
  if (known === undefined) return undefined
  const stored = await open(id)
  return { ...known, ...stored, ...(checksOf === undefined ? {} : readOnce(stored, checksOf(id))) }
}

/** Returns the exchanges of a run such that its file, of 40 MB for a whole run, is read once for all pages. */
function readOnce(
  { record, ...stored }: StoredRun,
  checks: readonly string[],
): Pick<StoredRun, 'exchanges' | 'traffic'> {
  let sent: ReturnType<StoredRun['traffic']> | undefined
  const traffic = () => {
    sent ??= stored.traffic([...checksWithFindings(record), ...checks])
    return sent
  }
  return {
    traffic,
    async exchanges(ids) {
      const wanted = new Set(ids)
      if (wanted.size === 0) return new Map()
      const own = [...(await traffic()).values()].flat()
      const found = new Map(own.filter(({ id }) => wanted.has(id)).map(one => [one.id, one]))
      const others = await stored.exchanges([...wanted].filter(id => !found.has(id)))
      return new Map([...found, ...others])
    },
  }
}

/** Returns the deployments with a run that selected a clause. */
const judgedFor = ({ judged }: History, clause: string): Judged[] =>
  judged.filter(({ runs }) => runs.some(({ verdicts }) => verdicts.get(clause) !== undefined))

async function renderArea(
  area: string,
  history: History,
  site: Site,
  open: (run: string) => Promise<Found | undefined>,
): Promise<string | undefined> {
  const those = [...history.clauses.values()].filter(facts => facts.area === area)
  if (those.length === 0) return undefined
  const deviants = await deviantsByClause()
  const checks = new Map<string, readonly string[]>()
  for (const run of new Set(history.judged.map(of => newestOf(of).id))) {
    const found = await open(run).catch(absentIfNotReadable)
    for (const row of found?.record.clauses ?? [])
      if (!checks.has(row.id) && row.checks.length > 0) checks.set(row.id, row.checks)
  }
  const listed = those.map(facts => ({
    facts,
    judged: judgedFor(history, facts.id),
    checks: checks.get(facts.id) ?? [],
    deviants: deviants.get(facts.id) ?? [],
  }))
  return areaPage(area, listed, site)
}

function absentIfNotReadable(error: unknown): undefined {
  if (!(error instanceof RunNotReadable)) throw error
}
