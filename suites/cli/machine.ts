import { access, constants } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import { kit } from '../../fixtures/run/kit.ts'
import { presentK6 } from '../../load/k6/index.ts'

/** What the kit can use on this machine. */
export interface Machine {
  kit: string
  node: string
  /** The k6 that load would use; `null` if it would be fetched first. */
  k6: { path: string; version: string } | null
  /** Why each installed k6 is not used, as parts of a sentence. */
  k6Passed: string[]
  /** A browser that could open a report; `null` if none was found. */
  browser: string | null
}

/** Programs that open reports. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'firefox', 'microsoft-edge']

/** Browsers in places outside the search path. */
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  '/Applications/Safari.app/Contents/MacOS/Safari',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** Inspects this machine. Fetches nothing. */
export async function machine(): Promise<Machine> {
  const { k6, passed } = await presentK6()
  return {
    kit: kit.version,
    node: kit.node,
    k6: k6 === undefined ? null : { path: k6.path, version: k6.version },
    k6Passed: passed,
    browser: (await browser()) ?? null,
  }
}

async function browser(): Promise<string | undefined> {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap(folder => BROWSERS.map(name => resolve(folder, name)))
  for (const file of [...onPath, ...INSTALLED]) {
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (runs) return file
  }
  return undefined
}
