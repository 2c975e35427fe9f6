import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { print } from '../../fixtures/output/console.ts'
import { startBrowser } from './browser.ts'

// Takes the screenshots of a finding for README, and of a plot for the guide to load:
//   npm run demo:finding
//   npm run demo:plot -- reports/out/<load run>

/** The folder of the run that npm run demo:finding makes. */
const MADE = 'reports/out/demo-finding'

/** Returns the folder of the only run that was made. @throws Error with advice if there is none */
function made(): string {
  const [run] = existsSync(MADE) ? readdirSync(MADE).filter(name => /^\d{8}T/.test(name)) : []
  if (run === undefined) throw new Error(`There is no run in ${MADE}: make it with npm run demo:finding.`)
  return join(MADE, run)
}

const [load] = process.argv.slice(2)
const [run, selector, path] =
  load === undefined
    ? [made(), 'article.cause', 'reports/finding.png']
    : [load, 'article.scenario figure:has(svg)', 'load/plot.png']

const browser = await startBrowser(() => {})
try {
  const page = await browser.newPage({ viewport: { width: 1120, height: 900 } })
  await page.goto(pathToFileURL(join(run, 'report.html')).href)
  await page.locator(selector).first().screenshot({ path })
  print(`${path}\n`)
} finally {
  await browser.close()
}
