import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { print } from '../../fixtures/output/console.ts'
import { readHistory } from '../../reports/history/read-history.ts'
import { writeSite } from '../../reports/site/write-site.ts'
import { startBrowser } from './browser.ts'

// Takes the screenshot for README, of the history made by npm run demo:history:
//   npm run demo:screenshot

const RUNS = 'reports/out/demo'
const PICTURE = 'reports/site/overview.png'

if (!existsSync(RUNS)) throw new Error(`There is no ${RUNS}: make it with npm run demo:history.`)
const out = mkdtempSync(join(tmpdir(), 'tss-screenshot-'))
const browser = await startBrowser(() => {})
try {
  await writeSite(readHistory(RUNS), out, { newest: 30 })
  const page = await browser.newPage({ viewport: { width: 1120, height: 1080 } })
  await page.goto(pathToFileURL(join(out, 'index.html')).href)
  await page.screenshot({ path: PICTURE })
  print(`${PICTURE}\n`)
} finally {
  await browser.close()
  rmSync(out, { recursive: true, force: true })
}
