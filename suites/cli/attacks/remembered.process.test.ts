import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { beginLedger, CAUSE, createLedger } from '../../../fixtures/client/money/index.ts'
import { BARE } from '../../../fixtures/client/testing/client.ts'
import { jsonAnswer, LIVE, startAltered } from '../testing/altered-deployment.ts'
import { recordOf, statesOf } from '../testing/booked.ts'
import { type Ended, freshFolder, runTss, startTss } from '../testing/command.ts'

const ONLY = ['--only', 'V2-BOOK-ITEMS-REQUIRED or V2-BOOK-OFFER-ID-REQUIRED']

const REFUSED = jsonAnswer(409, {
  error: { code: 'CANCELLATION_REJECTED', message: 'x', request_id: 'r', details: {} },
})

/** Starts a deployment whose only credential is live; if `silent`, no answer says so. */
async function sellingForReal(silent: boolean) {
  const supplier = { refuses: false, milliseconds: 0 }
  const deployment = await startAltered(async ({ path }, pass) => {
    await sleep(supplier.milliseconds)
    if (supplier.refuses && path.endsWith('/cancel')) return REFUSED
    const answer = await pass()
    if (!silent || !path.startsWith('/api/v2/bookings')) return answer
    return { ...answer, body: String(answer.body).replaceAll('"test_mode":false', '"mode":0') }
  })
  const { tenant, ...seller } = await deployment.company(['v2-transfers'], LIVE)
  const cwd = freshFolder()
  const env = { ...seller.env, TSS_PATIENCE_MINUTES: '0.02' }
  const real = async () => (await deployment.control.counters(tenant)).bookings.transfers
  const runs = () => readdirSync(join(cwd, 'reports/out')).map(run => join(cwd, 'reports/out', run))
  return { cwd, env, real, runs, supplier, run: (...args: string[]) => runTss(args, { cwd, env }) }
}

test.each([
  ['says test_mode: false', false],
  ['does not say test_mode', true],
])(
  'that a credential is live or not proven to be a test is remembered by --failed and replay where a booking %s',
  async (_what, silent) => {
    const { env, real, runs, run } = await sellingForReal(silent)
    const { code } = await run('certify', ...ONLY)
    expect(code).toBe(silent ? 1 : 3)
    expect(await real()).toBe(1)
    const [first] = runs()
    const { halted, leftovers } = recordOf(first!)
    expect(halted).toEqual(
      silent
        ? undefined
        : expect.stringContaining('a booking of v2-transfers as standard did not say test_mode'),
    )
    expect(leftovers).toEqual([])
    const states = await statesOf(first!, env.TSS_BASE_URL, env.TSS_TOKEN)
    expect([...states.values()]).toEqual(['cancelled'])
    expect(JSON.parse(readFileSync(join(first!, 'run.json'), 'utf8')).unproven).toMatchObject([
      { who: 'standard', product: 'v2-transfers', kind: 'transfers' },
    ])
    expect(readFileSync(join(first!, 'run.json'), 'utf8')).not.toContain('tss_')
    const file = join(first!, 'record.json')
    const record = JSON.parse(readFileSync(file, 'utf8'))
    // A finding of a check that books, as the run might have had.
    const [row] = record.clauses.filter(({ id }: { id: string }) => id === 'V2-BOOK-ITEMS-REQUIRED')
    row.findings = [{ message: 'm', check: row.checks[0], source: 'check', exchanges: [] }]
    writeFileSync(file, JSON.stringify(record))
    const failed = await run('certify', '--failed', first!)
    const replayed = await run('replay', 'V2-BOOK-ITEMS-REQUIRED', '--run', first!, '--deployment', 'env')
    for (const { code, stderr } of [failed, replayed]) expect({ code, stderr }).not.toMatchObject({ code: 2 })
    expect(runs().length).toBeGreaterThan(2)
    expect(await real()).toBe(1)
  },
)

test('travel-sales cleanup of a folder whose run.json is: torn or gone: nothing is cancelled at another deployment with the same ids', async () => {
  const { run, runs, env, cwd, supplier } = await sellingForReal(true)
  supplier.refuses = true
  await run('certify', ...ONLY)
  supplier.refuses = false
  const [folder] = runs()
  expect(existsSync(join(folder!, 'ledger.ndjson'))).toBe(true)
  const other = await startAltered()
  const { token } = await other.control.mint({})
  const elsewhere = { ...env, TSS_BASE_URL: other.baseUrl, TSS_TOKEN: token }
  const { token: another } = await other.control.mint({})
  const state = join(folder!, 'run.json')
  for (const spoil of [() => writeFileSync(state, '{"pid":'), () => rmSync(state)]) {
    spoil()
    expect(await runTss(['cleanup', folder!], { cwd, env: elsewhere })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`booked at ${env.TSS_BASE_URL}`),
    })
    expect(await runTss(['cleanup', folder!], { cwd, env: { ...env, TSS_TOKEN: another } })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Left: .* reading it was answered 401 .* cancel it by hand/m),
    })
  }
  expect(other.requests).toEqual([])
  // The line is the run's own, but nothing says that the booking is a test.
  supplier.milliseconds = 3000
  const [busy, own] = (
    await Promise.all([1, 2].map(() => startTss(['cleanup', folder!], { cwd, env }).ended))
  ).toSorted((one, other) => other.code! - one.code!) as [Ended, Ended]
  // Two at once would each cancel what the other reads.
  expect(busy).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/ is being cleaned up already \(process \d+\)/),
  })
  expect(own.stderr).toMatch(/^Deployment: .*\n$/)
  expect(own.stdout).toMatch(/^Left: .* without test_mode: true, so it is not cancelled/m)
})

test('travel-sales cleanup of a folder whose run.json is: gone, with a journal that does not say where it was written: it is listed, and nothing is sent', async () => {
  const { run, runs, supplier } = await sellingForReal(true)
  supplier.refuses = true
  await run('certify', ...ONLY)
  supplier.refuses = false
  const journal = join(runs()[0]!, 'ledger.ndjson')
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(/^\{"op":"at".*\n/m, ''))
  const { code, stdout } = await run('cleanup', runs()[0]!)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^Left: /m)
  expect(stdout).toMatch(/^The journal does not say at which address it booked, so nothing is sent/m)
})

test.each(['', '{"op":"at","baseU'])(
  'travel-sales cleanup of a folder whose journal is cut to %j: it is told, and said to have been looked at',
  async text => {
    const cwd = freshFolder()
    const env = { TSS_BASE_URL: 'http://127.0.0.1:9', TSS_TOKEN: 'k-1' }
    writeFileSync(join(cwd, 'ledger.ndjson'), text)
    const { code, stdout } = await runTss(['cleanup', '.'], { cwd, env })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^The journal does not say at which address it booked/)
    expect(stdout).toContain('cleanup . --acknowledge lines')
    expect(existsSync(join(cwd, 'ledger.ndjson'))).toBe(true)
    const looked = ['cleanup', '.', '--acknowledge', 'lines', '--because', 'looked']
    expect(await runTss(looked, { cwd, env })).toMatchObject({ code: 0 })
  },
)

test('travel-sales cleanup of a run that was killed after a live booking: what had been proven before is in doubt', async () => {
  const cwd = freshFolder()
  const env = { TSS_BASE_URL: 'http://127.0.0.1:9', TSS_TOKEN: 'k-1' }
  beginLedger(cwd, env.TSS_BASE_URL)
  const ledger = createLedger({ dir: cwd, worker: 0 })
  const entry = await ledger.intend({ ...BARE, proven: true })
  ledger.settle(entry, { unknown: 'answered 502', believed: true })
  await ledger.close()
  const live = {
    who: 'standard',
    product: 'v2-hotels',
    kind: 'hotels',
    sent: 0,
    status: 0,
    cause: CAUSE.live,
  }
  writeFileSync(join(cwd, 'run.json'), JSON.stringify({ over: false, unproven: [live] }))
  const { code, stdout } = await runTss(['cleanup', '.'], { cwd, env })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^Left: .*answered 502/)
})
