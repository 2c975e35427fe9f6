import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runOf, served, verdictsOf } from '../cli/testing/booked.ts'
import { freshFolder, runTss } from '../cli/testing/command.ts'
import { connectBrowser } from './browser.ts'

const ASKED = {
  product_ids: [4101],
  from: '2027-03-01',
  to: '2027-03-01',
  pax: { adult: 2, child: 0, infant: 0 },
}

test('bodies that Playwright attaches to a recording are judged', async () => {
  const browser = await connectBrowser()
  const { baseUrl, control } = await served({})
  const { token } = await control.mint({})
  const cwd = freshFolder()
  const context = await browser.newContext({
    recordHar: { path: join(cwd, 'recorded.zip'), content: 'attach' },
  })
  const page = await context.newPage()
  // Any page of this origin, as the service allows no other.
  await page.goto(`${baseUrl}/api/v2/transfers/products`)
  const status = await page.evaluate(
    async ([sent, credential]) => {
      const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
      const body = JSON.stringify(sent)
      const answer = await fetch('/api/v2/transfers/availability', { method: 'POST', headers, body })
      // Playwright keeps what the page has read.
      await answer.text()
      return answer.status
    },
    [ASKED, token] as const,
  )
  await context.close()
  expect(status).toBe(200)
  const audited = await runTss(['audit', 'recorded.zip'], { cwd })
  expect(audited.stderr).not.toContain('not recorded')
  const verdicts = verdictsOf(runOf(cwd, audited))
  for (const clause of ['V2-AVAIL-PRODUCT-ASKED', 'CLIENT-REQUEST-FIELDS'])
    expect(verdicts.get(clause)).toBe('conforms')
})
