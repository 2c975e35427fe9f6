import { RunNotReadable, type StoredRun } from '../folder/read.ts'
import { evidenceOf } from '../folder/write.ts'
import { findRun, type History, type Judged, newestOf, type RunInTime } from '../history/history.ts'
import { openRunOf } from '../history/read-history.ts'
import { deviantsByClause } from '../render/deviants-by-clause.ts'
import { areaPage } from './area-page.ts'
import { deploymentPage, overviewPage } from './overview-page.ts'
import { type Site, siteScript, siteStyle, type Target } from './parts.ts'
import { runPage } from './run-page.ts'

/** The number of runs kept open, since the pages of a run are requested one after the other. */
const MOST_OPEN = 4

type Found = { of: Judged; run: RunInTime } & StoredRun

/**
 * Returns a page, the style or the script; `undefined` if the history has no such run or area. A server only has
 * to find the target of a URL.
 *
 * @throws {RunNotReadable} if the record of the run cannot be read
 */
export const render = (target: Target, history: History, site: Site): Promise<string | undefined> =>
  renderer(history)(target, site)

/** Returns a function that renders pages of a history and caches the latest runs. */
export function renderer(history: History): (target: Target, site: Site) => Promise<string | undefined> {
  const opened = new Map<string, Promise<Found | undefined>>()
  const open = (id: string): Promise<Found | undefined> => {
    const found = opened.get(id) ?? openFound(history, id)
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
      case 'area':
        return renderArea(target.area, history, site, open)
      case 'style':
        return siteStyle
      case 'script':
        return siteScript
    }
  }
}

async function openFound(history: History, id: string): Promise<Found | undefined> {
  const known = findRun(history, id)
  return known && { ...known, ...(await openRunOf(history.folder, id)) }
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
