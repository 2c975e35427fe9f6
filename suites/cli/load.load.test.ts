import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CLAUSES, type ClauseId } from '../../fixtures/clauses/index.ts'
import { SCENARIOS } from '../../load/plan/plan.ts'
import { onlyRun } from './testing/booked.ts'
import { broken, everythingIn, load, withK6 } from './testing/load-trial.ts'

withK6()

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
  expect(files.filter(file => /log|samples/.test(file))).toEqual([])
  expect(everythingIn(onlyRun(cwd))).not.toMatch(/tss_t\d+x?_\w{8}|Bearer [^$<]/)
}, 180_000)

// Two faults at once where one is of v1 and one of v2: neither says anything about the other.
describe.concurrent('a burst shows what is wrong with a rate limit', () => {
  test.for([
    ['v1-serves-499+v2-serves-501', ['LIMIT-V1-SERVES-500', 'LIMIT-V2-REFUSES-MORE']],
    ['v2-serves-499+v1-serves-501', ['LIMIT-V2-SERVES-500', 'LIMIT-V1-REFUSES-MORE']],
    ['both-versions-counted-together', ['LIMIT-V1-SPARES-V2', 'LIMIT-V2-SPARES-V1']],
    [
      'v1-counts-everybody-together+v2-counts-by-company',
      ['LIMIT-V1-PER-CREDENTIAL', 'LIMIT-V2-COMPANY-CREDENTIALS'],
    ],
    [
      'limit-v1-429-retry-after-missing+limit-v2-429-retry-after-missing',
      ['LIMIT-V1-429-RETRY-AFTER', 'LIMIT-V2-429-RETRY-AFTER'],
    ],
    [
      'v2-limited-as-503+v1-limited-with-the-body-of-v2',
      [
        'V2-ERR-STATUS-RATE-LIMITED',
        'LIMIT-V2-429-STATUS',
        'LIMIT-V1-429-ERROR',
        'LIMIT-V1-429-MESSAGE',
        'LIMIT-V1-429-CODE',
        'LIMIT-V1-429-LIMIT',
        'LIMIT-V1-429-WINDOW',
      ],
    ],
    ['v2-limited-with-the-body-of-v1', ['V2-ERR-ENVELOPE', 'V2-ERR-ENVELOPE-LIMIT', 'LIMIT-V2-429-CODE']],
    ['windows-of-five-minutes', ['LIMIT-V1-RECOVERS', 'LIMIT-V2-RECOVERS']],
  ] as const satisfies readonly (readonly [string, readonly ClauseId[]])[])(
    '%s',
    async ([variant, clauses], { expect, onTestFinished }) => {
      const args = ['--scenario', 'rate-limit-burst', '--variant', variant]
      const { code, record } = await load(args, {}, onTestFinished)
      expect(new Set(broken(record))).toEqual(new Set(clauses))
      // What is only recommended turns nothing red.
      expect(code).toBe(clauses.some(id => CLAUSES[id].level === 'must') ? 1 : 0)
    },
  )
})

test.each([
  ['keys-not-taken-at-once', 'V2-IDEM-RACE-ONE-BOOKING'],
  ['v1-park-a-references-not-taken-at-once', 'V1-IDEM-NEVER-TWO-PARK-A'],
])(
  'what books twice under contention, and only then, is found: %s',
  async (variant, clause) => {
    const { code, record } = await load(['--scenario', 'booking-contention', '--variant', variant])
    expect(broken(record)).toContain(clause)
    expect(code).toBe(1)
  },
  60_000,
)

test('a search of v1 that loses a hotel between two polls is found', async () => {
  const variant = 'v1-search-drops-a-hotel'
  const { code, record } = await load(['--scenario', 'search-polling', '--variant', variant])
  expect(broken(record)).toEqual(['V1-HOTEL-SEARCH-CUMULATIVE'])
  expect(code).toBe(1)
}, 60_000)

test('failures that come to repeats alone are found', async () => {
  const args = ['--variant', 'losers-answered-with-500', '--set', 'keys=300,rate=20']
  const { code, record } = await load(['--scenario', 'booking-contention', ...args])
  expect(broken(record), JSON.stringify(record.load?.scenarios[0])).toEqual(['V2-IDEM-RACE-ANSWERS'])
  expect(code).toBe(1)
}, 60_000)

test('answers just within the documented times conform, and those just after do not', async () => {
  // One after the other, and not too small: what the machine itself holds up is no part of the answer.
  const scaled = (delay: number) =>
    load(['--scenario', 'timeouts', '--set', `scale=0.02,delay=${delay},each=1,rate=4`])
  const [within, late] = [await scaled(0.6), await scaled(1.1)]
  expect(broken(within.record)).toEqual([])
  expect(broken(late.record)).toEqual([
    'TIMEOUT-READS',
    'TIMEOUT-V2-AVAILABILITY',
    'TIMEOUT-V2-HOTEL-SEARCH-START',
    'TIMEOUT-V2-HOTEL-SEARCH-POLL',
    'TIMEOUT-V2-OFFER-CHECK',
    'TIMEOUT-V2-BOOK',
    'TIMEOUT-V2-CANCEL',
    'TIMEOUT-V2-VOUCHER',
    'TIMEOUT-V1-PARK-A-CONFIRM',
    'TIMEOUT-V1-PARK-B-CONFIRM',
  ])
  // Nobody promises these times in so many words: they are recommendations.
  expect(late.code).toBe(0)
}, 120_000)
