import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LedgerEntry, readLedger } from '../../../fixtures/client/money/ledger.ts'
import { booked, company, counted, onlyRun, recordIn, statesOf } from '../testing/booked.ts'
import { folderWith, freshFolder, runShell, runTss, startTss } from '../testing/command.ts'

/** A few checks are enough for a run that ends early; loading all takes longer. */
const CERTIFY = ['certify', '--only', 'V2-BOOK-*']

test('Ctrl-C in the middle: nothing stays booked, the record is written, 130', async () => {
  const { baseUrl, control, tenant, token, cwd, env } = await company()
  const run = startTss(CERTIFY, { cwd, env: { ...env, TRAVEL_SALES_EVENTS: '1' } })
  await booked(control, tenant, 2)
  run.send('SIGINT')
  const { code, stderr } = await run.ended

  expect(stderr).toContain('Interrupted: cancelling bookings.')
  expect(code).toBe(130)
  const record = recordIn(cwd)
  expect(record).toMatchObject({ halted: 'it was interrupted', leftovers: [], errors: [] })
  expect(record.verdict).toBeOneOf(['incomplete', 'not exercised'])
  const cut = record.checks.filter(({ reason }) => reason?.startsWith('the run ended first')).length
  expect(cut).toBeGreaterThan(0)
  // Interrupted checks are not counted as done.
  const [, done] = [...stderr.matchAll(/"event":"progress".*?"done":(\d+)/g)].at(-1)!
  expect(Number(done)).toBeLessThanOrEqual(record.checks.length - cut)
  const states = await statesOf(onlyRun(cwd), baseUrl, token)
  const { bookings } = await control.counters(tenant)
  expect(states.size).toBe(bookings.transfers)
  expect(new Set(states.values())).toEqual(new Set(['cancelled']))
})

test('Ctrl-C while doctor books: nothing stays booked, 130', async () => {
  const { baseUrl, control, tenant, token, cwd, env } = await company()
  // The booking is made at once, and answered while the run ends.
  await control.delay(tenant, 'v2 book', 1500)
  const run = startTss(['doctor', '--book'], { cwd, env })
  await booked(control, tenant, 1)
  run.send('SIGINT')
  const { code, stderr } = await run.ended
  expect([code, stderr]).toEqual([130, expect.stringContaining('Interrupted: cancelling bookings.')])
  const states = await statesOf(onlyRun(cwd), baseUrl, token)
  expect([...states.values()]).toEqual(['cancelled'])
})

/** Returns a definition of transfers, as text. */
const definition = (baseUrl: string, token: string): string =>
  JSON.stringify({ name: 'x', baseUrl, credentials: { standard: { token } }, products: ['v2-transfers'] })

test.each([
  [
    'leaves a rejection',
    'Promise.reject(new Error("beside"))',
    'beside.mjs left an error unhandled (Error), and what it says is not shown',
    2,
  ],
  ['ends the process', 'process.exit(0)', 'ended this process before the command was over', 3],
])(
  'a definition that %s beside its adapters: nothing is lost, and nothing is green',
  async (_, act, said, exits) => {
    const { baseUrl, control, tenant, token, cwd } = await company()
    writeFileSync(
      join(cwd, 'beside.mjs'),
      `import { existsSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) setInterval(() => { if (existsSync('now')) { ${act} } }, 20)
export default ${definition(baseUrl, token)}`,
    )
    const run = startTss([...CERTIFY, '--deployment', './beside.mjs'], { cwd })
    await booked(control, tenant, 2)
    writeFileSync(join(cwd, 'now'), '')
    const { code, stderr } = await run.ended
    expect(stderr).toContain(said)
    expect(code).toBe(exits)
    if (act.startsWith('process')) expect(readLedger(onlyRun(cwd)).length).toBeGreaterThan(0)
    else expect(recordIn(cwd).leftovers).toEqual([])
  },
)

test('a definition that calls process.exit while it is loaded is named', async () => {
  const cwd = folderWith({ 'deployment.mjs': 'process.exit(0)' })
  const ended = await startTss(['doctor'], { cwd }).ended
  expect(ended.code).toBe(2)
  expect(ended.stderr).toMatch(/^travel-sales: \S+deployment\.mjs did not finish loading: it ended .*\n$/)
})

test('a definition that ends the process once the command is over leaves its exit code', async () => {
  const cwd = folderWith({
    'late.mjs': `setInterval(() => { if (process.exitCode !== undefined) process.exit(0) }, 5)
export default ${definition('http://127.0.0.1:9', 'a-credential')}`,
  })
  const { code, stderr } = await startTss(['doctor', '--try', '--deployment', './late.mjs'], { cwd }).ended
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('could not be reached') })
})

test('a journal that was removed during the run is no sign that nothing is booked', async () => {
  const { control, tenant, cwd, env } = await company()
  const run = startTss(CERTIFY, { cwd, env })
  await booked(control, tenant, 2)
  rmSync(join(onlyRun(cwd), 'ledger.ndjson'))
  expect(await run.ended).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^travel-sales: The journal of bookings is gone from .*look for bookings/m),
  })
})

test('a reader of stdout that is gone leaves the run and the exit code as they are', async () => {
  const cwd = freshFolder()
  const what = '--only V2-BOOK-ITEMS-REQUIRED --require-coverage 1'
  await runShell(`{ travel-sales certify --deployment embedded ${what}; echo $? > code; } | true`, { cwd })
  expect(readFileSync(join(cwd, 'code'), 'utf8')).toBe('1\n')
  expect(readdirSync(join(cwd, 'reports/out'))).toHaveLength(1)
})

test('travel-sales cleanup cancels for companies that were minted for the killed run', async () => {
  const { baseUrl, controlUrl, control, tenant, cwd, ...served } = await company()
  const env = { ...served.env, TSS_CONTROL_URL: controlUrl }
  // These clauses leave no booking pending on a clock that nobody moves any more.
  const run = startTss(['certify', '--only', 'V2-BOOK-REFERENCE-* or V2-BOOK-ALL-* or FORMAT-V2-COUNTRY-*'], {
    cwd,
    env,
  })
  const journal = join(cwd, 'reports/out')
  let ended: unknown
  void run.ended.then(how => {
    ended = how
  })
  while (readLedgerIn(journal).filter(({ bookingId }) => bookingId !== undefined).length < 2) {
    expect(ended, 'It was over before it could be killed').toBeUndefined()
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  run.send('SIGKILL')
  await run.ended
  const left = readLedgerIn(journal)
  expect(left.every(entry => entry.tenant !== undefined && entry.tenant !== tenant)).toBe(true)

  const { stdout } = await runTss(['cleanup', onlyRun(cwd)], { cwd, env })
  // What was never answered has no id.
  const unknown = left.filter(({ bookingId }) => bookingId === undefined)
  expect(stdout.match(/^Left: .* \[entry \w+\]$/gm)?.length ?? 0, stdout).toBe(unknown.length)
  for (const { bookingId, tenant: minted } of left) {
    if (bookingId === undefined) continue
    const { token: another } = await control.mint({ companyOf: minted! })
    const answer = await fetch(`${baseUrl}/api/v2/bookings/${bookingId}`, {
      headers: { authorization: `Bearer ${another}` },
    })
    expect(await answer.json()).toMatchObject({ booking: { status: 'cancelled' } })
  }
})

/** Returns the bookings in the journal of the only run in a folder. */
function readLedgerIn(out: string): LedgerEntry[] {
  const [run] = existsSync(out) ? readdirSync(out) : []
  return run === undefined ? [] : readLedger(join(out, run))
}

/** Starts a run whose first booking proves test mode, and whose second is never answered. */
async function hanging() {
  const { baseUrl, control, tenant, token, cwd, env } = await company()
  await control.setOutcome(tenant, 'transfers', 'book', { kind: 'success', voucher: 'ready' })
  await control.setOutcome(tenant, 'transfers', 'book', { kind: 'hold' })
  // What is drawn may take another request.
  const run = startTss(['certify', '--only', 'V2-BOOK-REFERENCE-OPTIONAL', '--seed', '7'], { cwd, env })
  // The eight requests: the probe, the catalog, availability for the check and for the proof before it, the check of its
  // offer, its booking, the read of that booking, and the check's own booking.
  await counted(control, tenant, ({ requests }) => requests.v2 >= 8)
  run.send('SIGINT')
  await run.prints(/Interrupted/)
  return { baseUrl, control, tenant, token, cwd, env, run }
}

test('Ctrl-C while a booking hangs: it is cut off, found out about and cancelled', async () => {
  const { baseUrl, control, tenant, token, cwd, run } = await hanging()
  const { code, stdout } = await run.ended
  expect(code).toBe(130)
  expect(stdout).not.toContain('May still be booked')
  const states = await statesOf(onlyRun(cwd), baseUrl, token)
  expect([...states.values()]).toEqual(['cancelled', 'cancelled'])
  expect(await control.counters(tenant)).toMatchObject({ bookings: { transfers: 2 } })
})

test('Ctrl-C while the first booking hangs: it is not sent again, and listed', async () => {
  const { control, tenant, cwd, env } = await company()
  await control.setOutcome(tenant, 'transfers', 'book', { kind: 'hold' })
  const run = startTss(['certify', '--only', 'V2-BOOK-REFERENCE-OPTIONAL', '--seed', '7'], { cwd, env })
  await counted(control, tenant, ({ requests }) => requests.v2 >= 6)
  run.send('SIGINT')
  const { code, stdout } = await run.ended
  expect(code).toBe(130)
  expect(stdout).toMatch(
    /May still be booked\n {2}a booking whose id is not known .*\[key \S+, sent \S+, exchange \w+\]/,
  )
  expect(recordIn(cwd).leftovers).toMatchObject([
    { product: 'v2-transfers', role: 'standard', key: expect.any(String) },
  ])
  expect(await control.counters(tenant)).toMatchObject({ requests: { v2: 6 } })
})

test('Ctrl-C twice ends it at once and says how to clean up', async () => {
  const { control, tenant, cwd, env, run } = await hanging()
  await new Promise(resolve => setTimeout(resolve, 600))
  const again = performance.now()
  run.send('SIGINT')
  const { code, stderr } = await run.ended
  // Cleaning up would wait for what hangs.
  expect(performance.now() - again).toBeLessThan(5000)
  expect(code).toBe(130)
  const [, command] = / (cleanup reports\S+)/.exec(stderr) ?? []
  await control.release(tenant)
  const cleaned = await runTss(command?.split(' ') ?? [], { cwd, env })
  // Nobody but the run sends a confirmation again.
  const left =
    / whose id is not known .*\[key .*\n(?:Read .*\n)?Look at the deployment, cancel by hand, and say so: /
  expect(cleaned).toMatchObject({ code: 1, stdout: expect.stringMatching(left) })
})
