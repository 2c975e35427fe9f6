import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { httpControl } from '../../fixtures/deployments/control/index.ts'
import { launch } from '../../fixtures/deployments/embedded.ts'
import { print } from '../../fixtures/output/console.ts'
import { startBrowser } from './browser.ts'

// Takes the picture of the guide of watch, of journeys of two partners; the deployment has a fault for one of them:
//   npm run demo:watch

const PICTURE = 'fixtures/watch/live.png'
const FAULT = 'replay-without-flag'
const tss = fileURLToPath(new URL('../cli/tss.js', import.meta.url))

interface Answer {
  results: { days: { offer_id: string }[] }[]
  booking: { booking_id: string }
}

/** Searches, checks, books, repeats that, reads, fetches the voucher and cancels. */
async function journey(address: string, token: string, key: string): Promise<void> {
  const authorization = `Bearer ${token}`
  const call = async (path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${address}/api/v2${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization,
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return (text.startsWith('{') ? JSON.parse(text) : {}) as Answer
  }
  const { headers } = await fetch(`${address}/api/v2/transfers/products`, { headers: { authorization } })
  const day = new Date(Date.parse(headers.get('date')!) + 90 * 86_400_000).toISOString().slice(0, 10)
  const search = { product_ids: [4101], from: day, to: day, pax: { adult: 2 } }
  const { offer_id } = (await call('/transfers/availability', search)).results[0]!.days[0]!
  await call('/offers/check', { offer_id })
  const travelers = [{ first_name: 'Ada', last_name: 'Example', phone: '+34600000000', nationality: 'ES' }]
  const logistics = { airport: 'MCO', airline: 'XY', flight_time: '12:30', hotel: 'Garden Lake Resort' }
  const order = { items: [{ offer_id, travelers, logistics }] }
  const { booking_id } = (await call('/bookings', order)).booking
  await call('/bookings', order)
  for (const part of ['', '/voucher']) await call(`/bookings/${booking_id}${part}`)
  await call(`/bookings/${booking_id}/cancel`, {})
  await call(`/bookings/${booking_id}`)
}

/** Starts a command, and returns it with what it prints first that matches. */
async function started(pattern: RegExp, ...args: string[]): Promise<{ child: ChildProcess; found: string }> {
  const child = spawn(process.execPath, [tss, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const found = await new Promise<string>(resolve => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        const match = pattern.exec(printed)?.[0]
        if (match !== undefined) resolve(match)
      })
  })
  return { child, found }
}

const runs = mkdtempSync(join(tmpdir(), 'tss-screenshot-'))
const { values, stop } = await launch()
const watching = await started(
  /are passed on/,
  ...['watch', '--upstream', values.baseUrl, '--port', '8088', '--out', runs],
)
const ui = await started(/http:\/\/127\.0\.0\.1:\S+/, 'ui', '--no-open', '--port', '0', '--runs', runs)
const browser = await startBrowser(() => {})
try {
  const { mint } = httpControl(values.controlUrl)
  for (const [number, variant] of [undefined, FAULT, undefined].entries()) {
    const { token } = await mint!(variant === undefined ? {} : { variant })
    await journey('http://127.0.0.1:8088', token, `order-${number}`)
  }
  const page = await browser.newPage({ viewport: { width: 1120, height: 820 } })
  await page.goto(ui.found)
  await page.goto(new URL('/watch', page.url()).href)
  await page.locator('#part-findings li').first().waitFor()
  await page.screenshot({ path: PICTURE })
  print(`${PICTURE}\n`)
} finally {
  await browser.close()
  for (const { child } of [ui, watching]) {
    child.kill('SIGINT')
    await once(child, 'close')
  }
  await stop()
  rmSync(runs, { recursive: true, force: true })
}
