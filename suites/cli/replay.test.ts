import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Control, Product } from '../../fixtures/deployments/control.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import { variants } from '../../fixtures/deviants/index.ts'
import { startReference } from '../../fixtures/reference/server.ts'
import { readRun } from '../../reports/read.ts'
import { replayScript } from '../../reports/replay-script.ts'
import { freshFolder, runTss } from './testing/command.ts'

/** A deployment with that variant, or none, and what tells `travel-sales` about it. */
async function served(product: Product, variant?: string): Promise<Record<string, string>> {
  const reference = await startReference({ variants })
  onTestFinished(() => reference.stop())
  const control = httpControl(reference.controlUrl) as Required<Control>
  const { token } = await control.mint(variant === undefined ? {} : { variant })
  return { TSS_BASE_URL: reference.baseUrl, TSS_TOKEN: token, TSS_PRODUCTS: product }
}

/** A fault of each area that a plain credential shows. */
const ONE_OF_EACH_AREA: readonly [area: string, variant: string, clause: string, product: Product][] = [
  ['http', 'no-allow', 'METHOD-V2-ALLOW', 'v2-transfers'],
  ['v2-offers', 'check-returns-the-same-offer', 'V2-OFFER-CHECK-NEW', 'v2-transfers'],
  ['v2-bookings', 'replay-without-flag', 'V2-IDEM-REPLAY-FLAG', 'v2-transfers'],
  ['v2-transfers', 'days-without-expiry', 'V2-AVAIL-DAY-EXPIRES-AT', 'v2-transfers'],
  ['v2-tickets', 'ticket-catalog-without-options', 'V2-TICKET-CATALOG-OPTIONS', 'v2-tickets'],
  ['v2-hotels', 'hotel-destinations-never-kept', 'CACHE-V2-HOTEL-DESTINATIONS', 'v2-hotels'],
  ['v2-vouchers', 'cancelled-voucher-still-served', 'V2-VOUCHER-CANCELLED', 'v2-transfers'],
]

test.each(ONE_OF_EACH_AREA)('a finding of %s shows again', async (_area, variant, clause, product) => {
  const [cwd, env] = [freshFolder(), await served(product, variant)]
  const first = await runTss(['certify', '--only', clause, '--json'], { cwd, env })
  expect(JSON.parse(first.stdout).findings.map(({ clause }: { clause: string }) => clause)).toContain(clause)

  const again = await runTss(['replay', clause], { cwd, env })
  expect(again.stdout).toContain('It shows again.')
  expect(again.stdout).toMatch(/Observed then: .+\n {2}Observed now: {2}.+/)
  expect(again.code).toBe(1)
})

test('a fault that was mended does not show again', async () => {
  const cwd = freshFolder()
  const broken = await served('v2-transfers', 'replay-without-flag')
  const first = await runTss(['certify', '--only', 'V2-IDEM-REPLAY-FLAG', '--json'], { cwd, env: broken })
  const { out } = JSON.parse(first.stdout)
  const env = await served('v2-transfers')
  const { code, stdout } = await runTss(['replay', 'v2-idem-replay-flag', '--run', out], { cwd, env })
  expect(stdout).toContain('It does not show again.')
  expect(code).toBe(0)
  // Only the check that found it was run.
  const folder = /^Reports: (\S+)/m.exec(stdout)![1]!
  expect(JSON.parse(readFileSync(join(cwd, folder, 'record.json'), 'utf8')).checks).toHaveLength(1)
})

test('what was not found cannot be replayed, and the sentence says what can', async () => {
  const [cwd, env] = [freshFolder(), await served('v2-transfers', 'no-allow')]
  await runTss(['certify', '--only', 'METHOD-V2-*'], { cwd, env })
  const { code, stderr } = await runTss(['replay', 'V2-IDEM-REPLAY-FLAG'], { cwd, env })
  expect(stderr).toMatch(
    /^travel-sales: Run \S+ found nothing against V2-IDEM-REPLAY-FLAG; it has findings of METHOD-V2-ALLOW/,
  )
  expect(code).toBe(2)
  const second = await runTss(['replay', 'METHOD-V2-ALLOW#99'], { cwd, env })
  expect(second.stderr).toMatch(/findings of METHOD-V2-ALLOW, and METHOD-V2-ALLOW#99 asks for another/)
  expect(second.code).toBe(2)
})

/** jq as far as the scripts use it: a machine that runs these tests need not have it. */
function tools(): string {
  const folder = freshFolder()
  const node = `#!${process.execPath}\n`
  const jq = `const [, filter, file] = process.argv.slice(2)
const json = JSON.parse(require('node:fs').readFileSync(file, 'utf8'))
const value = filter.split(' // ').map(path => path === 'empty' ? undefined
  : (path.match(/\\w+|\\["[^"]*"\\]|\\[\\d+\\]/g) ?? []).reduce((at, step) => at?.[step.startsWith('[') ? JSON.parse(step)[0] : step], json))
  .find(found => found !== undefined && found !== null)
if (value !== undefined) console.log(String(value))`
  writeFileSync(join(folder, 'jq'), node + jq, { mode: 0o755 })
  return folder
}

test('the shell form repeats a finding without the kit, and cancels what it booked', async () => {
  const [cwd, env] = [freshFolder(), await served('v2-transfers', 'replay-without-flag')]
  const first = await runTss(['certify', '--only', 'V2-IDEM-REPLAY-FLAG', '--json'], { cwd, env })
  const run = await readRun(join(cwd, JSON.parse(first.stdout).out))
  const clause = run.record.clauses.find(({ id }) => id === 'V2-IDEM-REPLAY-FLAG')!
  const finding = clause.findings[0]!
  const traffic = await run.traffic([finding.check])
  const script = replayScript(
    { clause: clause.id, says: clause.says, ...finding },
    finding.exchanges,
    traffic.get(finding.check)!,
  )!
  expect(script).not.toContain(env.TSS_TOKEN)
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], {
    cwd,
    env: { PATH: `${tools()}:${process.env.PATH}`, TSS_TOKEN: env.TSS_TOKEN! },
  })
  expect(stderr).toBe('')
  const booked = Number(/"booking_id":\s*(\d+)/.exec(stdout)![1])
  expect(stdout).toMatch(/^200$/m)
  expect(stdout).not.toContain('idempotent_replay')
  const recorded = [...traffic.get(finding.check)!].flatMap(({ response }) =>
    response?.body?.kind === 'text' ? [...response.body.text.matchAll(/"booking_id":\s*(\d+)/g)] : [],
  )
  expect(recorded.map(([, id]) => Number(id))).not.toContain(booked)
  const answer = await fetch(`${env.TSS_BASE_URL}/api/v2/bookings/${booked}`, {
    headers: { authorization: `Bearer ${env.TSS_TOKEN}` },
  })
  expect(await answer.json()).toMatchObject({ booking: { status: 'cancelled' } })
})
