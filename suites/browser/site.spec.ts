import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from '@playwright/test'
import { beforeAll, describe, expect, test } from 'vitest'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { makeFolder } from '../../fixtures/output/folders.ts'
import { readHistory } from '../../reports/history/read-history.ts'
import { writeSite } from '../../reports/site/write-site.ts'
import { exampleNdjson, exampleRecord } from '../../reports/testing/example.ts'
import { freshFolder } from '../cli/testing/command.ts'
import { connectBrowser, objections, openPage, VIEWS, widthOf } from './browser.ts'

const until = untilFileEnds()
let browser: Browser
let folder: string

beforeAll(async () => {
  browser = await connectBrowser(until)
  folder = freshFolder(until)
  for (const day of [1, 2, 3, 4]) {
    const run = join(folder, `runs/run-${day}`)
    makeFolder(run)
    const startedAt = `2027-03-0${day}T10:00:00Z`
    writeFileSync(
      join(run, 'record.json'),
      JSON.stringify({
        ...exampleRecord,
        startedAt,
        ...(day === 4 ? { only: 'V2-IDEM-*' } : {}),
      }),
    )
    writeFileSync(join(run, 'exchanges.ndjson'), exampleNdjson)
  }
  const history = readHistory(join(folder, 'runs'))
  await writeSite(history, join(folder, 'public'), 3)
})

/** Returns one page of each kind, as a file URL. */
function pages(): [name: string, address: string][] {
  const at = (path: string) => pathToFileURL(join(folder, 'public', path)).href
  return [
    ['overview', at('index.html')],
    ['run', at('runs/run-3/index.html')],
  ]
}

describe.each(VIEWS)('a site on a %s', (_, options) => {
  test('fits, complains of nothing and has nothing that axe objects to', async () => {
    for (const [name, address] of pages()) {
      const { page, complaints } = await openPage(browser, options)
      page.on('requestfailed', request => complaints.push(request.url()))
      await page.goto(address)
      expect(await widthOf(page), name).toBe(options.viewport!.width)
      expect(await objections(page, { colours: options.colorScheme === 'dark' }), name).toEqual([])
      expect(complaints, name).toEqual([])
    }
  })
})

test('is read without script, by keyboard alone', async () => {
  const { page } = await openPage(browser, { javaScriptEnabled: false })
  await page.goto(pages()[0]![1])
  const follow = async (name: string | RegExp) => {
    await page.getByRole('link', { name }).first().focus()
    await page.keyboard.press('Enter')
    await page.waitForLoadState()
  }
  await follow('V2-IDEM-REPLAY')
  await page.waitForURL(/\/runs\/run-4\/index\.html#findings-/)
  const panel = page.locator('details.exchange').first()
  await panel.locator('summary').focus()
  await page.keyboard.press('Enter')
  expect(await panel.locator('pre').first().isVisible()).toBe(true)
})
