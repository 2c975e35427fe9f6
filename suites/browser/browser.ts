import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Page,
} from '@playwright/test'
import { inject, onTestFinished } from 'vitest'
import type { TestProject } from 'vitest/node'
import type { Until } from '../../fixtures/client/testing/until.ts'

declare module 'vitest' {
  interface ProvidedContext {
    browser: string
  }
}

interface Candidate {
  name: string
  start: () => Promise<BrowserServer>
}

/** Returns the browsers to try: the requested one, or else the packaged and Playwright's own. */
function candidates(): Candidate[] {
  const wanted = process.env.TSS_CHROMIUM
  if (wanted !== undefined) {
    const start = () => chromium.launchServer({ executablePath: wanted })
    return [{ name: `TSS_CHROMIUM (${wanted})`, start }]
  }
  const isPackaged = process.platform === 'linux' && process.arch === 'x64'
  return [
    ...(isPackaged ? [{ name: 'the packaged Chromium (Linux on x64)', start: startPackaged }] : []),
    {
      name: "Playwright's own (npx playwright install chromium)",
      start: () => chromium.launchServer(),
    },
  ]
}

async function startPackaged(): Promise<BrowserServer> {
  const { default: packed } = await import('@sparticuz/chromium')
  // With its default of one process for everything, it ends with the first page that is closed.
  const args = packed.args.filter(arg => !['--single-process', '--no-zygote'].includes(arg))
  return chromium.launchServer({ executablePath: await packed.executablePath(), args })
}

/**
 * Starts the one browser of all tests, before the first of them.
 *
 * @throws Error naming every browser that was tried, with advice
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const refusals: string[] = []
  for (const { name, start } of candidates()) {
    try {
      const server = await start()
      provide('browser', server.wsEndpoint())
      return () => server.close()
    } catch (error) {
      const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      refusals.push(`${name}: ${first}`)
    }
  }
  throw new Error(
    `No browser starts here (${refusals.join('; ')}): install Chromium, or name one with TSS_CHROMIUM.`,
  )
}

/** Connects to the browser until the calling test or file ends. */
export async function connectBrowser(until: Until = onTestFinished): Promise<Browser> {
  const browser = await chromium.connect(inject('browser'))
  until(() => browser.close())
  return browser
}

/** Opens a separate page that closes with the test, and records its errors. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage(options)
  onTestFinished(() => page.close())
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
  return { page, complaints }
}

/** Returns the width of a page, which exceeds its window if it does not fit. Code for pages is text, which needs no types of browsers. */
export const widthOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth')

/** The viewports and colour schemes in which a report is tested. */
export const VIEWS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['desktop', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['desktop, dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 800 }, colorScheme: 'light', hasTouch: true }],
]

/** Rules of axe about colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations that axe finds on a page without frames.
 *
 * @param colours whether to check only rules about colours, for a page already checked in other colours
 */
export async function objections(page: Page, { colours = false } = {}): Promise<string[]> {
  // Otherwise each call opens another page, for frames of other origins.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (colours ? axe.withRules(OF_COLOURS) : axe).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)
}
