import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Control, Product } from '../../fixtures/control.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import { patchRules } from '../../fixtures/deviants/deviant.ts'
import { variants } from '../../fixtures/deviants/index.ts'
import { startReference } from '../../fixtures/reference/server.ts'
import { readRun } from '../../reports/folder/read.ts'
import { poolOf, replayScript } from '../../reports/scripts/replay-script.ts'
import { freshFolder, runTss } from './testing/command.ts'

const ends: (() => void | Promise<void>)[] = []
const until = (end: () => void | Promise<void>) => void ends.push(end)
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** One company asks more of a deployment here than its limit allows a minute. */
const generous = patchRules({ rateLimit: { max: { v1: 1_000_000, v2: 1_000_000 } } })

/** It finds no booking that is to be cancelled. */
const keeping = patchRules({ visibility: { cancel: () => false } })

/** A deployment with those faults, or none, and what tells `travel-sales` about it. */
async function served(
  product: Product,
  faults: readonly string[] = [],
  companies = 1,
  during: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Record<string, string>> {
  const reference = await startReference({ variants: { ...variants, generous, keeping } })
  during(() => reference.stop())
  const control = httpControl(reference.controlUrl) as Required<Control>
  const variant = ['generous', ...faults].join('+')
  const [one, other] = await Promise.all(Array.from({ length: companies }, () => control.mint({ variant })))
  return {
    TSS_BASE_URL: reference.baseUrl,
    TSS_TOKEN: one!.token,
    ...(other && { TSS_TOKEN_OTHER: other.token }),
    TSS_PRODUCTS: product,
    TSS_TEST_PRODUCTS: product,
    TSS_PER_MINUTE: '1000000',
  }
}

const certified = new Map<Product, Promise<{ cwd: string; env: Record<string, string>; out: string }>>()

/** Certifies the clauses that are broken here for a product, on a deployment that breaks all of them: once for every test. */
function certifiedOnce(product: Product) {
  const known = certified.get(product)
  if (known !== undefined) return known
  const running = (async () => {
    const area = ONE_OF_EACH_AREA.filter(row => row[3] === product)
    const scripted = SCRIPTED.filter(row => row[0] === product)
    const faults = new Set([...area, ...scripted].map(([, fault]) => fault))
    const clauses = new Set([...area, ...scripted].map(([, , clause]) => clause))
    const companies = scripted.some(row => row[3] === 2) ? 2 : 1
    const [cwd, env] = [freshFolder(until), await served(product, [...faults], companies, until)]
    const args = ['certify', '--only', [...clauses].join(' or '), '--json']
    const { stdout } = await runTss(args, { cwd, env, until })
    const { findings, out } = JSON.parse(stdout)
    const found = new Set(findings.map(({ clause }: { clause: string }) => clause))
    expect(found).toEqual(new Set([...found, ...clauses]))
    return { cwd, env, out }
  })()
  certified.set(product, running)
  return running
}

/** A fault of each area that a plain credential shows. */
const ONE_OF_EACH_AREA: readonly [area: string, variant: string, clause: string, product: Product][] = [
  ['http', 'method-v2-allow-v2-transfer-catalog-missing', 'METHOD-V2-ALLOW', 'v2-transfers'],
  ['v2-offers', 'check-returns-the-same-offer', 'V2-OFFER-CHECK-NEW', 'v2-transfers'],
  ['v2-bookings', 'replay-without-flag', 'V2-IDEM-REPLAY-FLAG', 'v2-transfers'],
  ['v2-transfers', 'v2-avail-day-expires-at-expires-at-missing', 'V2-AVAIL-DAY-EXPIRES-AT', 'v2-transfers'],
  [
    'v2-tickets',
    'v2-ticket-catalog-options-products-booking-options-said-missing',
    'V2-TICKET-CATALOG-OPTIONS',
    'v2-tickets',
  ],
  [
    'v2-hotels',
    'cache-v2-hotel-destinations-v2-hotel-destinations-never',
    'CACHE-V2-HOTEL-DESTINATIONS',
    'v2-hotels',
  ],
  ['v2-vouchers', 'cancelled-voucher-still-served', 'V2-VOUCHER-CANCELLED', 'v2-transfers'],
]

test.each(ONE_OF_EACH_AREA)('a finding of %s shows again', async (_area, _variant, clause, product) => {
  const { cwd, env, out } = await certifiedOnce(product)
  const again = await runTss(['replay', clause, '--run', out], { cwd, env })
  expect(again.stdout).toContain('It shows again.')
  expect(again.stdout).toMatch(/Observed then: .+\n {2}Observed now: {2}.+/)
  expect(again.code).toBe(1)
})

test('a fault that was mended does not show again', async () => {
  const { cwd, out } = await certifiedOnce('v2-transfers')
  const env = await served('v2-transfers')
  const { code, stdout } = await runTss(['replay', 'v2-idem-replay-flag', '--run', out], { cwd, env })
  expect(stdout).toContain('It does not show again.')
  expect(code).toBe(0)
  // Only the check that found it was run.
  const folder = /^Reports: (\S+)/m.exec(stdout)![1]!
  expect(JSON.parse(readFileSync(join(cwd, folder, 'record.json'), 'utf8')).checks).toHaveLength(1)
})

test('what a replay books and cannot cancel is told', async () => {
  const { cwd, out } = await certifiedOnce('v2-transfers')
  const env = await served('v2-transfers', ['keeping'])
  const { code, stdout } = await runTss(['replay', 'V2-IDEM-REPLAY-FLAG', '--run', out], { cwd, env })
  expect(stdout).toMatch(/^Left: booking \d+ \(v2-transfers, role standard\): its cancellation answered 404/m)
  expect(stdout).toMatch(/may still stand/)
  expect(code).toBe(1)
})

test('what was not found cannot be replayed, and the sentence says what can', async () => {
  const { cwd, env, out } = await certifiedOnce('v1-hotels')
  const { code, stderr } = await runTss(['replay', 'V2-IDEM-REPLAY-FLAG', '--run', out], { cwd, env })
  expect(stderr).toMatch(
    /^travel-sales: Run \S+ found nothing against V2-IDEM-REPLAY-FLAG; it has findings of V1-HOTEL-SEARCH-IS-CACHED, V1-HOTEL-STATE-CANCEL-TWICE/,
  )
  expect(code).toBe(2)
  const args = ['replay', 'V1-HOTEL-STATE-CANCEL-TWICE#99', '--run', out]
  const second = await runTss(args, { cwd, env })
  expect(second.stderr).toMatch(
    /findings of V1-HOTEL-STATE-CANCEL-TWICE, and V1-HOTEL-STATE-CANCEL-TWICE#99 asks for another/,
  )
  expect(second.code).toBe(2)
})

/**
 * A fault for each product that a script repeats, and for each way to compare: error, status, flag, header and its value,
 * field and its type, bookings, words, an age at its bound. Requests of some were under way at once; some take two companies.
 */
const SCRIPTED: readonly [product: Product, variant: string, clause: string, companies?: number][] = [
  [
    'v1-hotels',
    'v1hotels-cancel-again-other-succeed-v1-hotel-state-cancel-twice',
    'V1-HOTEL-STATE-CANCEL-TWICE',
  ],
  ['v1-transfers', 'transfers-cancelled-twice', 'V1-TRANSFER-CANCEL-TWICE'],
  ['v1-park-a', 'v1-park-a-repeats-order-again', 'V1-IDEM-REPLAY-ORDER-PARK-A'],
  ['v1-park-b', 'park-b-test-cancel-twice-as-operator-a', 'TEST-MODE-V1-PARK-B-CANCEL-TWICE'],
  ['v2-hotels', 'replay-without-flag-for-hotels', 'V2-IDEM-REPLAY-FLAG'],
  ['v2-transfers', 'replay-without-flag', 'V2-IDEM-REPLAY-FLAG'],
  ['v2-transfers', 'v2-avail-day-expires-at-expires-at-missing', 'V2-AVAIL-DAY-EXPIRES-AT'],
  ['v2-transfers', 'method-v2-allow-v2-transfer-catalog-missing', 'METHOD-V2-ALLOW'],
  ['v2-tickets', 'second-cancellation-without-flag-for-tickets-of-a', 'V2-CANCEL-AGAIN-FLAG'],
  ['v2-transfers', 'cache-v2-transfer-catalog-v2-transfer-catalog-longer', 'CACHE-V2-TRANSFER-CATALOG'],
  ['v1-hotels', 'v1-hotel-search-is-cached-is-cached-yes', 'V1-HOTEL-SEARCH-IS-CACHED'],
  ['v1-park-a', 'ages-of-a-on-the-day-of-booking', 'V1-PARK-A-AGE-ON-VISIT'],
  ['v2-transfers', 'different-bodies-book-each', 'V2-IDEM-REUSED-OFFER'],
  ['v2-transfers', 'keys-not-taken-at-once', 'V2-IDEM-RACE-ONE-BOOKING'],
  ['v2-tickets', 'keys-not-taken-at-once', 'V2-IDEM-RACE-BODIES'],
  ['v1-park-b', 'v1-park-b-references-not-taken-at-once', 'V1-IDEM-NEVER-TWO-PARK-B'],
  ['v1-transfers', 'foreign-transfers-told-in-other-words', 'V1-TRANSFER-CANCEL-SAME-ANSWER', 2],
  ['v1-park-b', 'foreign-ticket-vouchers-in-other-words', 'V1-PARK-B-VOUCHER-SAME-ANSWER', 2],
  ['v2-transfers', 'foreign-bookings-in-other-words', 'TENANCY-V2-SAME-ANSWER', 2],
]

const credentials = ({ TSS_TOKEN, TSS_TOKEN_OTHER }: Record<string, string>) => ({
  TSS_TOKEN: TSS_TOKEN!,
  ...(TSS_TOKEN_OTHER && { TSS_TOKEN_OTHER }),
})

/** Runs a script; `bookings` counts those of the deployment that are left. */
async function runScript(script: string, cwd: string, env: Record<string, string>) {
  const running = promisify(execFile)('sh', ['-c', script], { cwd, env: { PATH: process.env.PATH, ...env } })
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

test.each(SCRIPTED)(
  'a shell script repeats a finding of %s (%s), and leaves nothing booked',
  async (product, _variant, clause, companies) => {
    const [{ cwd, env: broken, out }, honest] = [
      await certifiedOnce(product),
      await served(product, [], companies),
    ]
    const run = await readRun(join(cwd, out))
    const row = run.record.clauses.find(({ id }) => id === clause)!
    const finding = row.findings[0]!
    const sent = (await run.traffic([finding.check])).get(finding.check)!
    const pool = poolOf(sent, [...(await run.exchanges(finding.exchanges)).values()])
    const script = replayScript({ clause, says: row.says, ...finding }, finding.exchanges, pool)!
    expect(script).not.toContain(broken.TSS_TOKEN)

    const again = await runScript(script, cwd, credentials(broken))
    expect(again, script).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringMatching(/^reproduced$/m),
    })
    const elsewhere = script.replaceAll(broken.TSS_BASE_URL!, honest.TSS_BASE_URL!)
    const mended = await runScript(elsewhere, cwd, credentials(honest))
    expect(mended, elsewhere).toMatchObject({ code: 0, stderr: '' })
    expect(mended.stdout).toMatch(/^not reproduced(?:$|: requests that are sent at once)/m)
    const untried = await runScript(script, cwd, {})
    expect(untried).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^could not be tried: TSS_TOKEN\w* is not set\n$/),
    })

    for (const { stdout } of [again, mended]) {
      const isBooked = /POST \S*(?:Confirm|v2\/bookings): 2\d\d$/m.test(stdout)
      const cancelled = [...stdout.matchAll(/^Cancelling (\S+),/gm)].map(([, id]) => id)
      expect(cancelled.length > 0).toBe(isBooked)
      // What several answers name is cancelled once.
      expect(cancelled).toEqual([...new Set(cancelled)])
      expect(stdout).not.toMatch(/by hand|Look for/)
    }
  },
)
