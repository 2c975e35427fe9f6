import { evidenceOf } from '../folder/write.ts'
import { findRun, type History } from '../history/history.ts'
import { openRunOf } from '../history/read-history.ts'
import { overviewPage } from './overview-page.ts'
import { type Site, siteScript, siteStyle, type Target } from './parts.ts'
import { runPage } from './run-page.ts'

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
