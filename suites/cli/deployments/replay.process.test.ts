import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { untilFileEnds } from '../../../fixtures/client/testing/until.ts'
import { patchRules } from '../../../fixtures/deviants/deviant.ts'
import { variants } from '../../../fixtures/deviants/index.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import { needing } from '../../../fixtures/output/testing/program.ts'
import { readRun } from '../../../reports/folder/write.ts'
import { poolOf, replayScript } from '../../../reports/scripts/replay-script.ts'
import { generous, runOf, served } from '../testing/booked.ts'
import { fixture, certified as judged } from '../testing/certified.ts'
import { freshFolder, runTss, startTss } from '../testing/command.ts'
import { drawn } from '../testing/commit-draw.ts'

const until = untilFileEnds()

/** A variant in which no booking is found for cancelling. */
const keeping = patchRules({ visibility: { cancel: () => false } })

/** A variant in which everything costs more. */
const dearer = patchRules({ prices: { drift: () => 7.31 } })

/** A variant in which concurrent requests overlap, however late the machine starts the second of them. */
const unhurried = patchRules({ bookings: { raceMilliseconds: 3000 } })

const { baseUrl, control } = await served(
  { variants: { ...variants, generous, keeping, dearer, unhurried } },
  until,
)

/** Returns the environment for companies with or without those faults. */
async function partners(
  products: readonly Product[],
  faults: Iterable<string> = [],
  companies = 1,
): Promise<Record<string, string>> {
  const variant = ['generous', ...faults].join('+')
  const [one, other] = await Promise.all(Array.from({ length: companies }, () => control.mint({ variant })))
  return {
    TSS_BASE_URL: baseUrl,
    TSS_TOKEN: one!.token,
    ...(other && { TSS_TOKEN_OTHER: other.token }),
    TSS_PRODUCTS: products.join(),
    TSS_TEST_PRODUCTS: products.join(),
    TSS_PER_MINUTE: '1000000',
    // Vouchers of operator A take a minute in test mode, and this test needs none.
    TSS_PATIENCE_MINUTES: '0.1',
  }
}

const OF_V1: Product[] = ['v1-hotels', 'v1-transfers', 'v1-park-a', 'v1-park-b']
const OF_V2: Product[] = ['v2-transfers', 'v2-tickets', 'v2-hotels']

type Version = 'v1' | 'v2'
const versionOf = (product: Product) => product.slice(0, 2) as Version

/** Certifies the clauses of a version that are broken here, for companies with all the faults. */
async function certify(version: Version) {
  const broken = SCRIPTED.filter(([product]) => versionOf(product) === version).map(
    ([, fault, clause]) => [fault, clause] as const,
  )
  const faults = new Set(broken.map(([fault]) => fault))
  const clauses = new Set(broken.map(([, clause]) => clause))
  const [cwd, env] = [freshFolder(until), await partners(version === 'v1' ? OF_V1 : OF_V2, faults, 2)]
  const args = ['certify', '--only', [...clauses].join(' or '), '--json']
  const { stdout } = await runTss(args, { cwd, env, until })
  const { findings, out } = JSON.parse(stdout)
  const found = new Set(findings.map(({ clause }: { clause: string }) => clause))
  expect(found).toEqual(new Set([...found, ...clauses]))
  return { cwd, env, out, faults }
}

let certified: Record<Version, Awaited<ReturnType<typeof certify>>>
beforeAll(async () => {
  const [v1, v2] = await Promise.all([certify('v1'), certify('v2')])
  certified = { v1, v2 }
})

test('a finding of each kind shows again', async () => {
  const { cwd, env, out } = certified.v2
  const clauses = [
    'METHOD-V2-ALLOW',
    'V2-IDEM-REPLAY-FLAG',
    'V2-AVAIL-DAY-EXPIRES-AT',
    'V2-CANCEL-AGAIN-FLAG',
  ]
  const { code, stdout } = await runTss(['replay', clauses.join(' or '), '--run', out], { cwd, env })
  const again =
    /^(\S+): .+\n(?: {2}.+\n)+? {2}Observed then: .+\n {2}Observed now: {2}.+\nIt shows again\.$/gm
  expect([...stdout.matchAll(again)].map(([, clause]) => clause).sort(), stdout).toEqual(clauses.sort())
  expect(code).toBe(1)
})

test('every command that a run of another definition prints works as it is', async () => {
  const cwd = freshFolder()
  const env = await partners(OF_V2, ['replay-without-flag', 'keeping'])
  const own = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(cwd, 'of.env'), own.join(''))
  mkdirSync(join(cwd, 'staging'))
  writeFileSync(
    join(cwd, 'staging/of-qa.ts'),
    `import { readFileSync } from 'node:fs'
const of = Object.fromEntries(readFileSync('of.env', 'utf8').trim().split('\\n').map(line => line.split('=')))
const modes = { transfers: 'test' } as const
export default { name: 'qa', baseUrl: of.TSS_BASE_URL, products: ['v2-transfers'], traffic: { perMinute: 1000000 },
  credentials: { standard: { token: of.TSS_TOKEN, modes } } }`,
  )
  const asked = ['--deployment', 'staging/of-qa.ts', '--out', 'runs']
  const certified = await startTss(['certify', '--only', 'V2-IDEM-REPLAY-FLAG', ...asked], { cwd }).ended
  const run = runOf(cwd, certified)
  const reports = ['report.html', 'junit.xml'].map(name => readFileSync(join(run, name), 'utf8'))
  const printed = [certified.stdout + certified.stderr, ...reports].map(text =>
    [...text.matchAll(/tss\.js ((?:replay|cleanup) [\w./# -]+\w)/g)].map(([, words]) => words!),
  )
  for (const commands of printed) expect(commands.join()).toContain('replay V2-IDEM-REPLAY-FLAG')
  expect(printed[0]!.join()).toContain('cleanup runs/')
  for (const words of new Set(printed.flat())) {
    const ended = await runTss(words.split(' '), { cwd })
    expect(ended.stdout, `${words}: ${ended.stderr}`).toMatch(/^(?:It shows again\.|Left: booking)/m)
    expect(ended.code).toBe(1)
  }
  // An id is looked for where runs are by default.
  const again = ['certify', '--failed', basename(run), ...asked.slice(0, 2)]
  expect(await runTss(again, { cwd })).toMatchObject({ code: 2 })
  mkdirSync(join(cwd, 'reports/out'), { recursive: true })
  renameSync(run, join(cwd, 'reports/out', basename(run)))
  expect(await runTss(again, { cwd })).toMatchObject({ code: 1 })
})

test('what a replay books and cannot cancel is told', async () => {
  const { cwd, out } = certified.v2
  const env = await partners(OF_V2, ['keeping'])
  const { code, stdout } = await runTss(['replay', 'V2-IDEM-REPLAY-FLAG', '--run', out], { cwd, env })
  expect(stdout).toMatch(
    /^Left: \d+ bookings, of each: its cancellation answered 404.*: booking \d+ \(v2-\w+, role standard\)/m,
  )
  expect(stdout).toMatch(/may still stand/)
  expect(code).toBe(1)
})

test('a check sends again what it sent where others had decided its clauses', async () => {
  const { cwd, record } = await judged(
    `import { startService } from '${fixture('second/service.ts')}'
     export { default } from '${fixture('second/deployment.ts')}'
     const answered = answer => (answer.body?.error?.code === 'BOOKING_NOT_FOUND' ? { ...answer, status: 410 } : answer)
     export async function launch() {
       const { stop, ...values } = await startService({ answered })
       return { values, stop }
     }`,
    ['--only', 'V2-IDEM-REUSED-*', '--seed', '1'],
  )
  const clause = 'V2-ERR-STATUS-BOOKING-NOT-FOUND'
  const { findings } = record.clauses.find(({ id }) => id === clause)!
  const at = findings.findIndex(({ check }) => record.checks.find(({ id }) => id === check)?.generous)
  const { code, stdout } = await runTss(['replay', `${clause}#${at + 1}`], { cwd })
  expect(stdout).toMatch(/^It shows again\.$/m)
  expect(code).toBe(1)
})

/**
 * A fault for each product that a script repeats, and for each way to compare: error, status, flag, header and its value,
 * field and its type, bookings, words, an age at its limit, a total, other people. Some need concurrent requests, some two companies.
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
  ['v2-hotels', 'replay-without-flag', 'V2-IDEM-REPLAY-FLAG'],
  ['v2-transfers', 'replay-without-flag', 'V2-IDEM-REPLAY-FLAG'],
  ['v2-transfers', 'v2-avail-day-expires-at-expires-at-missing', 'V2-AVAIL-DAY-EXPIRES-AT'],
  ['v2-transfers', 'method-v2-allow-v2-transfer-catalog-missing', 'METHOD-V2-ALLOW'],
  ['v2-tickets', 'v2-cancel-again-flag-already-cancelled-said-missing', 'V2-CANCEL-AGAIN-FLAG'],
  ['v2-transfers', 'cache-v2-transfer-catalog-v2-transfer-catalog-never', 'CACHE-V2-TRANSFER-CATALOG'],
  ['v1-hotels', 'v1-hotel-search-is-cached-is-cached-yes', 'V1-HOTEL-SEARCH-IS-CACHED'],
  ['v1-park-a', 'ages-of-a-on-the-day-of-booking', 'V1-PARK-A-AGE-ON-VISIT'],
  ['v1-park-b', 'park-b-children-at-another-price', 'V1-PARK-B-CONFIRM-TOTAL'],
  ['v1-transfers', 'transfers-not-from-alpha-2', 'FORMAT-V1-COUNTRY-TRANSFER-ALPHA-2'],
  ['v2-tickets', 'v2-idem-reused-traveler-status-success', 'V2-IDEM-REUSED-TRAVELER'],
  ['v2-transfers', 'different-bodies-book-each', 'V2-IDEM-REUSED-OFFER'],
  ['v2-transfers', 'keys-not-taken-at-once', 'V2-IDEM-RACE-ONE-BOOKING'],
  ['v2-tickets', 'keys-not-taken-at-once', 'V2-IDEM-RACE-BODIES'],
  ['v1-park-b', 'v1-park-b-references-not-taken-at-once', 'V1-IDEM-NEVER-TWO-PARK-B'],
  ['v1-transfers', 'foreign-transfers-told-in-other-words', 'V1-TRANSFER-CANCEL-SAME-ANSWER', 2],
  ['v1-park-b', 'foreign-ticket-vouchers-in-other-words', 'V1-PARK-B-VOUCHER-SAME-ANSWER', 2],
  ['v2-transfers', 'foreign-bookings-in-other-words', 'TENANCY-V2-SAME-ANSWER', 2],
]

/** How the findings for a product are told from others of its version. */
const OF_PRODUCT: Partial<Record<Product, RegExp>> = {
  'v2-hotels': /\(hotels\)$/,
  'v2-tickets': /\(tickets of /,
}

const credentials = ({ TSS_TOKEN, TSS_TOKEN_OTHER }: Record<string, string>) => ({
  TSS_TOKEN: TSS_TOKEN!,
  ...(TSS_TOKEN_OTHER && { TSS_TOKEN_OTHER }),
})

/** Runs a script; `bookings` counts those that the deployment still has. */
async function runScript(script: string, cwd: string, env: Record<string, string>) {
  const running = promisify(execFile)('sh', ['-c', script], { cwd, env: { PATH: process.env.PATH, ...env } })
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

// Each commit draws some.
needing('curl', 'jq').each(drawn(SCRIPTED, 6, String))(
  'a shell script repeats a finding of %s (%s), and leaves nothing booked',
  async (product, _variant, clause, companies) => {
    const { cwd, env, out, faults } = certified[versionOf(product)]
    const broken = await partners([product], [...faults, 'unhurried'], companies)
    const honest = await partners([product], ['dearer'], companies)
    const run = await readRun(join(cwd, out))
    const row = run.record.clauses.find(({ id }) => id === clause)!
    const finding = row.findings.find(({ check }) => OF_PRODUCT[product]?.test(check) ?? true)!
    // A check may find a fault in an offer that another check searched for.
    const sent = (await run.traffic([finding.check])).get(finding.check) ?? []
    const pool = poolOf(sent, [...(await run.exchanges(finding.exchanges)).values()])
    const script = replayScript({ clause, says: row.says, ...finding }, finding.exchanges, pool)!
    expect(script).not.toContain(env.TSS_TOKEN)

    const again = await runScript(script, cwd, credentials(broken))
    expect(again, script).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringMatching(/^reproduced$/m),
    })
    const mended = await runScript(script, cwd, credentials(honest))
    expect(mended, script).toMatchObject({ code: 0, stderr: '' })
    expect(mended.stdout).toMatch(/^not reproduced(?:$|: whether concurrent requests)/m)
    const untried = await runScript(script, cwd, {})
    expect(untried).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^could not be tried: TSS_TOKEN\w* is not set\n$/),
    })

    for (const { stdout } of [again, mended]) {
      const isBooked = /POST \S*(?:Confirm|v2\/bookings): 2\d\d$/m.test(stdout)
      const cancelled = [...stdout.matchAll(/^Cancelling (\S+),/gm)].map(([, id]) => id)
      expect(cancelled.length > 0).toBe(isBooked)
      // A booking named in several answers is cancelled once.
      expect(cancelled).toEqual([...new Set(cancelled)])
      expect(stdout).not.toMatch(/by hand|Look for/)
    }
  },
)
