import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import type { Control } from '../../fixtures/ground/control.ts'
import { writeRun } from '../../reports/folder/write.ts'
import { exampleRecord } from '../../reports/testing/example.ts'
import { booked, served, statesOf } from '../cli/testing/booked.ts'
import { freshFolder, type Running, startTss } from '../cli/testing/command.ts'
import { connectBrowser, objections, openPage, VIEWS, widthOf } from './browser.ts'

const until = untilFileEnds()
let browser: Browser
let ui: Running
let address: string
let runs: string
let deployment: { baseUrl: string; control: Required<Control>; tenant: string; token: string }

/** A clause that the example violates, from the catalogue. */
const BROKEN = 'V2-IDEM-REPLAY-FLAG'

/** The latency of the deployment's supplier in milliseconds: long enough to stop a run in the middle. */
const LATENCY = 1500

beforeAll(async () => {
  browser = await connectBrowser(until)
  const cwd = freshFolder(until)
  runs = join(cwd, 'runs')
  mkdirSync(join(runs, exampleRecord.run), { recursive: true })
  const clauses = exampleRecord.clauses.map(row => (row.findings.length === 0 ? row : { ...row, id: BROKEN }))
  await writeRun({ ...exampleRecord, clauses }, join(runs, exampleRecord.run), { env: {} })
  const { baseUrl, control } = await served({ latency: LATENCY }, until)
  deployment = { baseUrl, control, ...(await control.mint({})) }
  const env = { TSS_BASE_URL: baseUrl, TSS_TOKEN: deployment.token, TSS_PRODUCTS: 'v2-transfers' }
  ui = startTss(['ui', '--no-open', '--runs', 'runs'], { cwd, env, until })
  address = (await ui.prints(/http:\/\/127\.0\.0\.1:\S+/))[0]
})
afterAll(async () => {
  ui.send('SIGINT')
  // There were no processes left to stop.
  expect(await ui.ended).toMatchObject({ code: 0, stderr: '' })
})

interface Visit {
  page: Page
  /** Errors on its pages. */
  complaints: string[]
  /**
   * Checks on a desktop, then on a phone, in dark and light, that the page fits and that axe finds nothing. It stays on the
   * phone.
   */
  look(what: string): Promise<void>
}

const SIZES = VIEWS.filter(([, { colorScheme }]) => colorScheme === 'light')

/** Opens the address that the terminal prints. */
async function visit(options: BrowserContextOptions): Promise<Visit> {
  const { page, complaints } = await openPage(browser, options)
  // A run starts slowly while others run.
  page.setDefaultTimeout(300_000)
  await page.goto(address)
  return {
    page,
    complaints,
    async look(what) {
      for (const [name, { viewport }] of SIZES) {
        await page.setViewportSize(viewport!)
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme })
          const width = await widthOf(page)
          expect(width, `${what} on a ${name}`).toBe(viewport!.width)
          const found = await objections(page, { colours: colorScheme === 'light' })
          expect(found, `${what} on a ${name}`).toEqual([])
        }
      }
    },
  }
}

describe('in every size, light and dark, pages fit, and axe objects to nothing', () => {
  test('a run is started, watched and stopped, and leaves nothing booked', async () => {
    const { page, look, complaints } = await visit({ hasTouch: true })
    // The token has been removed from the address.
    expect(new URL(page.url()).href).toBe(`${new URL(address).origin}/`)
    await look('overview')
    await page.getByRole('link', { name: 'Run', exact: true }).click()
    await look('start')
    await page.locator('[name=definition]').selectOption('env')
    await page.getByLabel('v2-bookings').check()
    const { baseUrl, control, tenant, token } = deployment
    const { transfers } = (await control.counters(tenant)).bookings
    await page.getByRole('button', { name: 'Run' }).click()
    await page
      .getByText(/\d+ of (?:about )?[1-9]\d* checks/)
      .first()
      .waitFor()
    await booked(control, tenant, transfers! + 2)
    await look('live')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('It was stopped, and has cancelled its bookings.').waitFor()
    await look('ended')
    await page.getByRole('link', { name: 'Open report' }).click()
    await page.getByText('it was interrupted').first().waitFor()
    // The runs of all windows share one credential, whose minute may be used up.
    await control.advanceClock(tenant, 61)
    const states = await statesOf(join(runs, new URL(page.url()).searchParams.get('run')!), baseUrl, token)
    expect(new Set(states.values())).toEqual(new Set(['cancelled']))
    await look('run')
    expect(complaints).toEqual([])
  })

  test('a client is examined, and told what to mend', async () => {
    const { page, look, complaints } = await visit({ hasTouch: true })
    await page.getByRole('link', { name: 'Examine' }).click()
    // An earlier one is shown until another is requested.
    await page.goto(new URL('/examine?again=1', address).href)
    await look('examine-form')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('section', { hasText: 'normal-day' }).getByRole('button', { name: 'Begin' }).click()
    // The page offers one situation at a time.
    await page.getByRole('button', { name: 'Finished' }).waitFor()
    const buttons = await page.getByRole('button').filter({ visible: true }).allTextContents()
    expect(buttons.filter(text => text !== 'Copy')).toEqual(['Finished', 'Skip', 'End and judge'])
    const shown = (id: string) => page.locator(`#${id}`).textContent()
    const headers = { authorization: `Token ${await shown('credential')}` }
    await fetch(`${await shown('address')}/api/v2/transfers/products`, { headers })
    await page.getByText('GET /api/v2/transfers/products', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Finished' }).click()
    await page.getByText('AUTH-CLIENT-HEADER').first().waitFor()
    await look('examine')
    await page.getByRole('button', { name: 'End and judge' }).click()
    await page.getByText('The examination has ended.').waitFor()
    await look('examined')
    await page.getByRole('link', { name: 'Start another one' }).click()
    await page.getByRole('button', { name: 'Start' }).waitFor()
    expect(complaints).toEqual([])
  })
})

test('beside a finding: it is copied, and waived after a look at the change', async () => {
  const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(new URL(`/run?run=${exampleRecord.run}`, address).href)
  await page.getByRole('link', { name: 'Copy as Markdown' }).first().click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`## ${BROKEN}: `)
  await page.getByRole('link', { name: 'Waive' }).first().click()
  await page.getByLabel('Who answers for it').fill('Ana')
  await page.getByLabel('Why').fill('Ticket 12')
  await page.getByLabel('Last day').fill('2999-01-31')
  await page.getByRole('button', { name: 'Show the change' }).click()
  expect(await page.locator('pre.change').textContent()).toContain(`- clause: ${BROKEN}`)
  await page.getByRole('button', { name: 'Write it' }).click()
  await page.getByText('now has the entry').waitFor()
})
