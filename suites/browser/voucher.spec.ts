import { readFileSync } from 'node:fs'
import type { Browser } from '@playwright/test'
import { beforeAll, describe, expect, test } from 'vitest'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import {
  openSandbox,
  type Partner,
  type Sandbox,
  serviceDay,
} from '../../fixtures/reference/testing/sandbox.ts'
import { openPage, startBrowser } from './browser.ts'

const until = untilFileEnds()
let browser: Browser
let sandbox: Sandbox

beforeAll(async () => {
  browser = await startBrowser(until)
  sandbox = await openSandbox({}, until)
})

/** Confirms a ticket of operator B. */
async function confirm(partner: Partner) {
  const asked = { plu: 'B-1D-1P', from_date: serviceDay, to_date: serviceDay }
  const { json } = await partner.post('/api/v1/parkB/getTicketPrice', asked)
  return partner.post('/api/v1/parkB/ticketConfirm', {
    ...{ plu: asked.plu, date: serviceDay, DeliveryMethod: '92', adults: 1, children: 0 },
    pax: [{ name: 'Ana', surname: 'Paz', type: 'adult' }],
    total_amount: json.eventResults[0].totalPriceWithTax,
  })
}

/** What a person gets who opens an address. */
interface Opened {
  status: number
  headers: Record<string, string>
  /** The first bytes of the saved file, or of the file in the viewer. */
  begins: string
  /** The text of a page; empty if the browser shows or saves a file. */
  text: string
}

/** Opens an address in a fresh browser. */
async function open(address: string, extraHTTPHeaders: Record<string, string> = {}): Promise<Opened> {
  const { page } = await openPage(browser, { acceptDownloads: true, extraHTTPHeaders })
  const answered = page.waitForResponse(response => response.url() === address)
  // A browser without a PDF viewer saves the file instead, and ends the navigation.
  const saved = page.waitForEvent('download', { timeout: 10_000 }).catch(() => undefined)
  const isShown = await page.goto(address).then(
    () => true,
    () => false,
  )
  const response = await answered
  const headers = response.headers()
  const isPage = isShown && !headers['content-type']?.includes('pdf')
  const bytes = isPage
    ? await response.body()
    : isShown
      ? await page.request.get(address).then(answer => answer.body())
      : readFileSync((await (await saved)?.path()) ?? '')
  return {
    status: response.status(),
    headers,
    begins: bytes.subarray(0, 5).toString('latin1'),
    text: isPage ? ((await page.locator('body').textContent()) ?? '') : '',
  }
}

describe('the link of an order of operator B', () => {
  test('shows a PDF to whoever has it, without asking for a credential', async () => {
    const { json } = await confirm(await sandbox.partner())
    const { status, headers, begins } = await open(json.pdf_voucher)
    expect([status, headers['content-type'], begins]).toEqual([200, 'application/pdf', '%PDF-'])
    expect(headers['www-authenticate']).toBeUndefined()
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test('shows a page while there is no file yet, and the PDF later', async () => {
    const partner = await sandbox.partner()
    await sandbox.control.setOutcome(partner.tenant, 'parkB', 'book', { kind: 'success', voucher: 'pending' })
    const { json } = await confirm(partner)
    const early = await open(json.pdf_voucher)
    expect([early.status, early.headers['www-authenticate']]).toEqual([200, undefined])
    expect(early.text).toContain('being prepared')
    await sandbox.control.publishVouchers(partner.tenant)
    expect((await open(json.pdf_voucher)).begins).toBe('%PDF-')
  })

  test('is the only way in: the endpoint asks for the credential', async () => {
    const partner = await sandbox.partner()
    const { json } = await confirm(partner)
    const address = `${sandbox.baseUrl}/api/v1/parkB/pdf?order_id=${json.id_order}`
    expect((await open(address)).status).toBe(401)
    expect((await open(address, { Authorization: `Bearer ${partner.token}` })).begins).toBe('%PDF-')
  })
})

test('the voucher of a v2 booking is shown in place to whoever sends the credential', async () => {
  const partner = await sandbox.partner()
  const { json } = await partner.book([await partner.offer()], 'a-voucher-in-a-browser')
  const address = `${sandbox.baseUrl}/api/v2/bookings/${json.booking.booking_id}/voucher`
  expect((await open(address)).status).toBe(401)
  const { status, headers, begins } = await open(address, { Authorization: `Bearer ${partner.token}` })
  expect([status, headers['content-type'], begins]).toEqual([200, 'application/pdf', '%PDF-'])
  expect(headers['content-disposition']).toMatch(/^inline\b/)
  expect(headers['cache-control']).toBe('private, no-store')
})
