import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Control } from '../../fixtures/deployments/control.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import { type RunRecord, recordSchema } from '../../fixtures/record.ts'
import { startReference } from '../../fixtures/reference/server.ts'
import { findK6, K6_ENVIRONMENT } from '../../load/k6/index.ts'
import { SCENARIOS } from '../../load/plan.ts'
import { type Ended, freshFolder, runTss, startTss } from './command.ts'

/** A machine that has no k6 yet gets one first, which may take it some minutes. */
const PATIENCE = 900_000

beforeAll(async () => {
  await findK6({ onProgress: line => console.log(line) })
}, PATIENCE)

const embedded = new URL('../../fixtures/deployments/embedded.ts', import.meta.url).pathname

/** Folder of the only run that was made in a folder. */
function onlyRun(cwd: string): string {
  const runs = readdirSync(join(cwd, 'reports/out'))
  expect(runs).toHaveLength(1)
  return join(cwd, 'reports/out', runs[0]!)
}

const recordIn = (cwd: string): RunRecord =>
  recordSchema.parse(JSON.parse(readFileSync(join(onlyRun(cwd), 'record.json'), 'utf8')))

/** Puts load on the embedded deployment, or on the one that the environment describes. */
async function load(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended & { record: RunRecord; cwd: string }> {
  const cwd = freshFolder()
  const ended = await runTss(['load', ...args], { cwd, env })
  return { ...ended, cwd, record: recordIn(cwd) }
}

const broken = ({ clauses }: RunRecord): string[] =>
  clauses.filter(({ findings }) => findings.length > 0).map(({ id }) => id)

/** Everything that a run left in its folder, as text. */
const everythingIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

test('every scenario has its say, and the embedded deployment conforms', async () => {
  const { code, record, cwd, stdout, stderr } = await load(['--profile', 'smoke'])
  expect(stderr + stdout).not.toMatch(/\bat .*\.ts:\d/)
  expect(broken(record)).toEqual([])
  expect(record.checks.filter(({ verdict }) => verdict !== 'conforms')).toEqual([])
  expect(code).toBe(0)
  expect(record.load?.scenarios.map(({ name }) => name)).toEqual(SCENARIOS)
  for (const { name, requests, iterations, calls, plots } of record.load?.scenarios ?? []) {
    expect(requests.judged, name).toBe(requests.sent)
    expect(requests.counted, name).toBe(requests.sent)
    expect(iterations.dropped, name).toBe(0)
    expect(calls.length, name).toBeGreaterThan(0)
    expect(plots.length, name).toBeGreaterThan(0)
  }
  const files = readdirSync(onlyRun(cwd), { recursive: true, encoding: 'utf8' })
  expect(files).toEqual(
    expect.arrayContaining(['report.html', 'junit.xml', 'summary.md', 'exchanges.ndjson']),
  )
  expect(files.filter(file => /spool|samples/.test(file))).toEqual([])
  expect(everythingIn(onlyRun(cwd))).not.toMatch(/tss_t\d+x?_\w{8}|Bearer [^$<]/)
}, 180_000)

describe('a burst shows what is wrong with a rate limit', () => {
  test.each([
    ['v1-serves-499', ['LIMIT-V1-SERVES-500']],
    ['v2-serves-499', ['LIMIT-V2-SERVES-500']],
    ['v1-serves-501', ['LIMIT-V1-REFUSES-MORE']],
    ['v2-serves-501', ['LIMIT-V2-REFUSES-MORE']],
    ['both-versions-counted-together', ['LIMIT-V1-SPARES-V2', 'LIMIT-V2-SPARES-V1']],
    ['v1-counts-everybody-together', ['LIMIT-V1-PER-CREDENTIAL']],
    ['v2-counts-by-company', ['LIMIT-V2-COMPANY-CREDENTIALS']],
    ['v1-limited-without-retry-after', ['LIMIT-V1-429-RETRY-AFTER']],
    ['v2-limited-without-retry-after', ['LIMIT-V2-429-RETRY-AFTER']],
    ['v2-limited-as-503', ['V2-ERR-STATUS-RATE-LIMITED', 'LIMIT-V2-429-STATUS']],
    ['windows-of-five-minutes', ['LIMIT-V1-RECOVERS', 'LIMIT-V2-RECOVERS']],
  ])(
    '%s',
    async (variant, clauses) => {
      const { code, record } = await load(['--scenario', 'rate-limit-burst', '--variant', variant])
      expect(broken(record)).toEqual(clauses)
      expect(code).toBe(1)
    },
    60_000,
  )
})

test('keys that book twice under contention, and only then, are found', async () => {
  const { code, record } = await load([
    '--scenario',
    'booking-contention',
    '--variant',
    'keys-not-taken-at-once',
  ])
  expect(broken(record)).toContain('V2-IDEM-RACE-ONE-BOOKING')
  expect(code).toBe(1)
}, 60_000)

test('answers just within the documented times conform, and those just after do not', async () => {
  const scaled = (delay: number) =>
    load(['--scenario', 'timeouts', '--set', `scale=0.01,delay=${delay},each=1,rate=4`])
  const [within, late] = await Promise.all([scaled(0.6), scaled(1.1)])
  expect(broken(within.record)).toEqual([])
  expect(broken(late.record)).toEqual([
    'TIMEOUT-READS',
    'TIMEOUT-V2-AVAILABILITY',
    'TIMEOUT-V2-OFFER-CHECK',
    'TIMEOUT-V2-HOTEL-SEARCH-START',
    'TIMEOUT-V2-HOTEL-SEARCH-POLL',
    'TIMEOUT-V2-BOOK',
    'TIMEOUT-V2-CANCEL',
    'TIMEOUT-V2-VOUCHER',
  ])
  // Nobody promises these times in so many words: they are recommendations.
  expect(late.code).toBe(0)
}, 120_000)

describe('a deployment whose bookings outlive the run', () => {
  async function served() {
    const reference = await startReference({})
    onTestFinished(() => reference.stop())
    const control = httpControl(reference.controlUrl) as Required<Control>
    const [one, other] = [await control.mint({}), await control.mint({})]
    const env = {
      TSS_BASE_URL: reference.baseUrl,
      TSS_TOKEN: one.token,
      TSS_TOKEN_OTHER: other.token,
      TSS_PRODUCTS: 'v2-transfers',
    }
    return { control, tenants: [one.tenant, other.tenant], env, tokens: [one.token, other.token] }
  }

  test('is left without a booking, and never saw more than its credentials allow', async () => {
    const { env, tokens } = await served()
    const { code, record, cwd, stderr } = await load(
      ['--scenario', 'journey-mix', '--set', 'rate=3,duration=4'],
      env,
    )
    expect(stderr).toMatch(/journey-mix: .* what the credentials .* allow/)
    expect(broken(record)).toEqual([])
    expect(record.leftovers).toEqual([])
    expect(code).toBe(0)
    expect(record.load?.scenarios[0]?.calls.map(({ op }) => op)).toContain('v2 cancel')
    expect(existsSync(join(onlyRun(cwd), 'ledger.ndjson'))).toBe(false)
    for (const token of tokens) expect(everythingIn(onlyRun(cwd))).not.toContain(token)
  }, 120_000)

  test('Ctrl-C in the middle: what was found is written, nothing stays booked, 130', async () => {
    const { env, control, tenants } = await served()
    const cwd = freshFolder()
    const run = startTss(
      ['load', '--scenario', 'journey-mix', '--set', 'rate=1,duration=60', '--deployment', 'env'],
      { cwd, env },
    )
    await run.prints(/^journey-mix \(smoke\)$/m)
    for (;;) {
      const counted = await Promise.all(tenants.map(tenant => control.counters(tenant)))
      if (counted.some(({ bookings }) => bookings.transfers > 1)) break
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    run.send('SIGINT')
    const { code, stderr } = await run.ended
    expect(stderr).toContain('Interrupted: cancelling what was booked.')
    expect(code).toBe(130)
    const record = recordIn(cwd)
    expect(record.halted).toBe('it was interrupted')
    expect(record.leftovers).toEqual([])
    expect(record.requests.v2).toBeGreaterThan(2)
  }, 120_000)

  test.each(['TSS_TOKEN', 'TSS_LOAD_TOKENS'])(
    'books nothing more once a booking of %s does not say that it is a test',
    async variable => {
      const { env, control } = await served()
      const { token, tenant } = await control.mint({ modes: { transfers: 'live' } })
      const { record, code, stderr, stdout } = await load(
        ['--scenario', 'journey-mix', '--set', 'rate=3,duration=4'],
        { ...env, [variable]: token },
      )
      expect(record.halted).toMatch(/did not answer test_mode: true/)
      expect((await control.counters(tenant)).bookings.transfers).toBeLessThanOrEqual(1)
      expect(record.leftovers).toEqual([])
      expect(stderr + stdout).not.toMatch(/\bat .*:\d+:\d+/)
      expect(code).toBe(3)
    },
    120_000,
  )
})

describe('more than one machine', () => {
  test('a plan for others holds no credential, sends no load, and is good for k6 processes of any machine', async () => {
    const reference = await startReference({})
    onTestFinished(() => reference.stop())
    const control = httpControl(reference.controlUrl) as Required<Control>
    const { token, tenant } = await control.mint({})
    const cwd = freshFolder()
    const env = { TSS_BASE_URL: reference.baseUrl, TSS_TOKEN: token, TSS_PRODUCTS: 'v2-transfers' }
    const planned = await runTss(
      ['load', '--scenario', 'journey-mix', '--set', 'rate=0.5,duration=8', '--write-plan', 'plans'],
      { cwd, env },
    )
    expect(planned.stderr).toMatch(
      /plan\.json and archive\.tar are in .*TSS_TOKENS .* standard, in that order/,
    )
    expect(planned.code).toBe(0)
    const dir = join(cwd, 'plans/journey-mix/journey-mix')
    expect(readFileSync(join(dir, 'archive.tar'), 'utf8')).not.toContain(token)
    const before = (await control.counters(tenant)).requests
    expect(before.v2).toBeLessThan(20)

    const { path: k6 } = await findK6()
    const segments = ['0:1/2', '1/2:1']
    await Promise.all(
      segments.map((segment, index) => {
        const own = join(cwd, 'results', String(index))
        mkdirSync(own, { recursive: true })
        return promisify(execFile)(
          k6,
          [
            ...['run', '--quiet', '--log-format=raw', `--console-output=${join(own, 'spool.ndjson')}`],
            ...[`--out=json=${join(own, 'samples.ndjson')}`, '--execution-segment', segment],
            ...['--execution-segment-sequence', '0,1/2,1', join(dir, 'archive.tar')],
          ],
          { env: { ...process.env, ...K6_ENVIRONMENT, TSS_TOKENS: token } },
        )
      }),
    )
    copyFileSync(join(dir, 'plan.json'), join(cwd, 'results/plan.json'))
    const merged = await runTss(['merge', 'results'], { cwd })
    expect(merged.stdout).toMatch(/journey-mix {2}conforms/)
    expect(merged.code).toBe(0)
    const [run] = readdirSync(join(cwd, 'reports/out')).filter(name => name.endsWith('-0'))
    const record = recordSchema.parse(
      JSON.parse(readFileSync(join(cwd, 'reports/out', run!, 'record.json'), 'utf8')),
    )
    const after = (await control.counters(tenant)).requests
    const [figures] = record.load!.scenarios
    expect(figures?.requests.sent).toBe(after.v1 + after.v2 - before.v1 - before.v2)
    expect(figures?.requests.judged).toBe(figures?.requests.sent)
    expect(figures?.iterations).toEqual({ completed: 4, dropped: 0 })
    expect(broken(record)).toEqual([])
  }, 120_000)

  test('what the run folder keeps with --keep-raw gives the same figures again', async () => {
    const { record, cwd } = await load(['--scenario', 'search-polling', '--keep-raw'])
    const run = onlyRun(cwd)
    const { code, stdout } = await runTss(['merge', run, '--out', 'merged', '--json'], { cwd })
    expect(code).toBe(0)
    const { out } = JSON.parse(stdout)
    const again = recordSchema.parse(JSON.parse(readFileSync(join(cwd, out, 'record.json'), 'utf8')))
    const calls = ({ load }: RunRecord) =>
      load?.scenarios.map(({ calls, iterations }) => ({ calls, iterations }))
    expect(calls(again)).toEqual(calls(record))
  }, 60_000)

  test.each([
    [['merge', 'nothing-here'], /nothing-here/],
    [['load', '--scenario', 'timeouts', '--write-plan', 'plans'], /No plan was written: timeouts /],
    [
      ['load', '--scenario', 'soak', '--write-plan', 'plans'],
      /No plan was written: embedded makes credentials/,
    ],
  ])(
    '%j gets one sentence',
    async (args, sentence) => {
      const { code, stderr } = await runTss(args)
      expect(stderr).toMatch(sentence)
      expect(stderr).not.toMatch(/\bat .*:\d+:\d+/)
      expect(code).toBe(2)
    },
    30_000,
  )
})

describe('a call that cannot be carried out gets one sentence', () => {
  test.each([
    [['--scenario', 'burst'], /There is no scenario burst: give some of rate-limit-burst, /],
    [['--profile', 'huge'], /There is no profile huge: give one of smoke, ci, staging, soak/],
    [
      ['--scenario', 'soak', '--set', 'keys=3'],
      /No setting is called keys in soak: --set takes rate, duration/,
    ],
    [['--set', 'rate=fast'], /such as rate=5,duration=60/],
    [['--variant', 'unheard-of', '--scenario', 'soak'], /unheard-of/],
  ])('%j', async (args, sentence) => {
    const { code, stderr } = await runTss(['load', ...args])
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+/)
    expect(code).toBe(2)
  })

  test('a deployment on another machine that does not say that load is welcome', async () => {
    const { code, stderr } = await runTss(['load'], {
      env: { TSS_BASE_URL: 'https://staging.example.com', TSS_TOKEN: 'abc-not-real' },
    })
    expect(stderr).toMatch(/not on this machine .* load: \{ allowed: true, maxRate/)
    expect(code).toBe(2)
  })

  test('a deployment that cannot be reached', async () => {
    const { code, stderr } = await runTss(['load'], {
      env: { TSS_BASE_URL: 'http://127.0.0.1:9', TSS_TOKEN: 'abc-not-real' },
    })
    expect(stderr).toMatch(/http:\/\/127\.0\.0\.1:9 could not be reached/)
    expect(code).toBe(3)
  })

  test('a K6_BIN that is no k6', async () => {
    const cwd = freshFolder()
    writeFileSync(join(cwd, 'definition.ts'), `export { default, launch } from '${embedded}'`)
    const { code, stderr } = await runTss(['load', '--deployment', 'definition.ts'], {
      cwd,
      env: { K6_BIN: join(cwd, 'nothing') },
    })
    expect(stderr).toMatch(/^tss: .*K6_BIN/m)
    expect(code).toBe(2)
  })
})
