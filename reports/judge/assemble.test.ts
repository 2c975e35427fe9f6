import { describe, expect, test } from 'vitest'
import { LEFT_OUT } from '../../fixtures/check/session/run-context.ts'
import type { Clause } from '../../fixtures/clauses/clause.ts'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import { type RunRecord, recordSchema, type Verdict } from '../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { brokenBy, checkOf, recordOf } from '../testing/checks.ts'
import { exampleLoad } from '../testing/example-load.ts'
import { REASONS } from './areas.ts'
import type { RunInput } from './run-input.ts'

const clause = (over: Partial<Clause> = {}): Clause => ({
  part: '4.5',
  area: 'v2-bookings',
  level: 'must',
  side: 'server',
  says: 'A thing MUST hold.',
  ...over,
})

const catalogue = {
  A: clause(),
  B: clause(),
  ADVICE: clause({ level: 'should', says: 'A thing SHOULD hold.' }),
  PASSIVE: clause({ area: 'http' }),
  OPEN: clause({ planned: true }),
  HIDDEN: clause({ unobservable: 'nobody outside can see it' }),
  HOTEL: clause({ area: 'v1-hotels' }),
}

type Report = Partial<CheckReport> & { broken?: string[] }

let made = 0
function check(tags: string[], report?: Report, over: Partial<CollectedCheck> = {}): CollectedCheck {
  const id = over.id ?? `suites/x.suite.ts > check ${++made}`
  const { broken = [], ...rest } = report ?? {}
  const findings = broken.map(name => brokenBy(id, name))
  const whole: Partial<CheckReport> = { exercised: [], kind: 'transfers', sold: true, findings, ...rest }
  return checkOf(id, tags, whole, {
    milliseconds: 1.6,
    ...(report ? {} : { report }),
    ...over,
  })
}

function run(checks: CollectedCheck[], over: Partial<RunInput> = {}): RunRecord {
  const passiveClauses = new Map([['PASSIVE', 'an answer that shows it']])
  const record = recordOf(checks, { catalogue, passiveClauses, ...over })
  expect(() => recordSchema.parse(JSON.parse(JSON.stringify(record)))).not.toThrow()
  return record
}

const of = (record: RunRecord, id: string): RunRecord['clauses'][number] =>
  record.clauses.find(row => row.id === id)!

const examined = { trigger: '', measures: '', bound: '', situations: [] }
const client = (exercised: string[], broken: string[] = []) =>
  run([check(['KEEPS'], { exercised, broken })], {
    subject: 'client',
    context: { run: 'r1' },
    catalogue: {
      KEEPS: clause({ side: 'client', examined }),
      'RULED-OUT': clause({ side: 'client', examined: { ...examined, ruledOutBy: 'KEEPS' } }),
    },
  })

test('a clause that another rules out is not applicable to clients that keep that one', () => {
  expect(of(client(['KEEPS']), 'RULED-OUT')).toMatchObject({
    verdict: 'not applicable',
    reason: REASONS.ruledOut('KEEPS'),
  })
  expect(of(client([]), 'RULED-OUT').verdict).toBe('not exercised')
  expect(of(client(['KEEPS'], ['KEEPS']), 'RULED-OUT').verdict).toBe('not exercised')
  expect(of(client(['KEEPS', 'RULED-OUT']), 'RULED-OUT').verdict).toBe('conforms')
})

describe('one check', () => {
  test('a clause with a finding is violated, an exercised one conforms, the rest was not reached', () => {
    const record = run([check(['A', 'B', 'ADVICE'], { exercised: ['A', 'B'], broken: ['A'] })])
    expect(of(record, 'A')).toMatchObject({ verdict: 'violates', findings: [{ message: 'A is broken' }] })
    expect(of(record, 'A').findings[0]).not.toHaveProperty('clause')
    expect(of(record, 'B')).toMatchObject({ verdict: 'conforms', checks: [record.checks[0]!.id] })
    expect(of(record, 'ADVICE')).toMatchObject({
      verdict: 'not exercised',
      reason: 'its check found A broken first',
    })
    expect(record.checks[0]).toMatchObject({ verdict: 'violates', milliseconds: 2, requests: { v2: 4 } })
  })

  test.each<[string, Report, string]>([
    ['sold to another check', { kind: 'hotels' }, 'not exercised'],
    ['which another version sold', { kind: 'hotels', product: 'v1-hotels' }, 'blocked'],
  ])('a product that is missing, and %s', (_, another, verdict) => {
    const stopped = { verdict: 'blocked', reason: 'no offers', missing: true } as const
    const without = check(['A'], { kind: 'hotels', stopped })
    delete without.report!.sold
    const record = run([without, check(['B'], { exercised: ['B'], ...another })])
    expect(record.clauses.find(({ id }) => id === 'A')?.verdict).toBe(verdict)
  })

  test('blocked after it decided everything still makes the run red', () => {
    const record = run([
      check(['A'], { exercised: ['A'], stopped: { verdict: 'blocked', reason: 'connection reset' } }),
    ])
    expect(of(record, 'A').verdict).toBe('conforms')
    expect(record.verdict).toBe('blocked')
  })

  test('a crashed one vouches for nothing, but its findings count', () => {
    const stopped = { verdict: 'error', reason: 'undefined is not a function' } as const
    const record = run([check(['A', 'B'], { exercised: ['A', 'B', 'PASSIVE'], broken: ['B'], stopped })])
    expect(of(record, 'A')).toMatchObject(stopped)
    expect(of(record, 'B')).toMatchObject({ verdict: 'violates', findings: [{ message: 'B is broken' }] })
    expect(of(record, 'PASSIVE').verdict).toBe('conforms')
    expect(record.errors).toEqual([expect.stringContaining('undefined is not a function')])
    expect(record.verdict).toBe('error')
  })

  test.each<[string, Partial<CollectedCheck>, string]>([
    ['crashed', { state: 'failed', errors: ['it timed out'] }, 'it timed out'],
    ['passed in silence', { state: 'passed' }, 'it passed without reporting what it observed'],
    ['never ended', { state: 'pending' }, 'it was started and never came to an end'],
  ])('without a report (%s) is an error of every clause that its tags cite', (_, over, reason) => {
    const record = run([check(['A', 'B', 'slow'], undefined, over)])
    expect(of(record, 'A')).toMatchObject({ verdict: 'error', reason })
    expect(of(record, 'B')).toMatchObject({ verdict: 'error', reason })
    expect(record.errors).toEqual([`${record.checks[0]!.id}: ${reason}`])
  })
})

describe('one clause', () => {
  test('gets the worst of its checks, with every reason for that verdict once', () => {
    const stop = (reason: string): Report => ({ stopped: { verdict: 'blocked', reason } })
    const record = run([
      check(['A'], { exercised: ['A'] }),
      check(['A'], stop('needs a clock')),
      check(['A'], stop('needs a clock')),
      check(['A'], stop('needs a second company')),
    ])
    expect(of(record, 'A')).toMatchObject({
      verdict: 'blocked',
      reason: 'needs a clock; needs a second company',
    })
  })

  test('decided by one check is not affected by another that could not be exercised, but states it', () => {
    const unreached: Report = { stopped: { verdict: 'not exercised', reason: 'needs a clock' } }
    const record = run([check(['A'], { exercised: ['A'] }), check(['A'], unreached), check(['B'], unreached)])
    expect(of(record, 'A')).toMatchObject({ verdict: 'conforms', reason: 'in part: needs a clock' })
    expect(of(record, 'B')).toMatchObject({ verdict: 'not exercised', reason: 'needs a clock' })
    expect(record.coverage.exercised).toBe(1)
  })

  test('that is unobservable or not offered is not applicable, whatever stopped its checks', () => {
    const record = run([
      check(['A'], { exercised: ['A'] }),
      check(['HOTEL'], { stopped: { verdict: 'blocked', reason: 'no hotels' } }),
    ])
    expect(of(record, 'HIDDEN')).toMatchObject({
      verdict: 'not applicable',
      reason: 'nobody outside can see it',
    })
    expect(of(record, 'HOTEL')).toMatchObject({
      verdict: 'not applicable',
      reason: 'the definition does not offer v1-hotels',
    })
    expect(record.verdict).toBe('conforms')
  })

  test('with a finding is violated even if it was not expected to be observable', () => {
    const record = run([check(['A'], { exercised: ['A'], broken: ['HOTEL', 'HIDDEN', 'OPEN'] })])
    for (const id of ['HOTEL', 'HIDDEN', 'OPEN']) expect(of(record, id).verdict).toBe('violates')
    expect(record.coverage).toMatchObject({ applicable: 7, open: 0 })
  })

  test('says why nothing was seen of it', () => {
    const checks = [check(['A'], { exercised: ['A'] })]
    expect(of(run(checks), 'B').reason).toBe(REASONS.noCheck)
    expect(of(run(checks), 'PASSIVE').reason).toBe('needs an answer that shows it')
    expect(of(run(checks, { only: 'A' }), 'B').reason).toBe(REASONS.notSelected)
    expect(of(run(checks, { halted: 'out of time' }), 'B').reason).toBe('the run ended first: out of time')
    const [selected, skipped] = [new Set(['A']), check(['B'], undefined, { state: 'skipped' })]
    expect(of(run(checks, { only: 'PASSIVE', selected: new Set(['PASSIVE']) }), 'PASSIVE').reason).toBe(
      'needs an answer that shows it',
    )
    const stopped = run([...checks, skipped], { only: 'A', selected, halted: 'out of time' })
    expect([of(stopped, 'B').reason, stopped.checks.length]).toEqual([REASONS.notSelected, 1])
  })
})

const deployment = {
  name: 'here',
  baseUrl: 'http://127.0.0.1:1',
  products: ['v2-hotels', 'v2-transfers'] as const,
}
const hotels: Report = { kind: 'hotels', exercised: ['B', 'A'] }
const left = check(['A'], undefined, { kind: 'hotels', state: 'skipped', note: LEFT_OUT })
const broken = { ...brokenBy('x', 'A'), operation: 'v2 transfer availability' }
test.each<[string, CollectedCheck[], Record<string, Verdict>]>([
  [
    'and calls about another product do not',
    [left, check(['B'], { ...hotels, kinds: { A: ['transfers'] } })],
    { transfers: 'conforms', hotels: 'not exercised' },
  ],
  [
    'and is broken for those whose calls show it',
    [left, check(['B'], { ...hotels, kinds: { A: ['hotels', 'transfers'] }, findings: [broken] })],
    { transfers: 'violates', hotels: 'conforms' },
  ],
])(
  'a clause applies to the kinds that a check of it is registered for, chosen or not: %s',
  (_, others, kinds) => {
    const record = run([check(['A'], { exercised: ['A'] }), ...others], { deployment })
    const told = of(record, 'A').kinds!.map(({ kind, verdict }) => [kind, verdict])
    expect(Object.fromEntries(told)).toEqual(kinds)
  },
)

test('a clause about one v1 product applies to that only, even if other checks ordered it', () => {
  const products = ['v1-hotels', 'v2-hotels', 'v2-transfers'] as const
  const all = { ...deployment, products }
  const record = run([check(['A'], { exercised: ['A', 'HOTEL'] })], { deployment: all })
  expect(of(record, 'HOTEL').kinds).toMatchObject([{ kind: 'hotels', verdict: 'conforms' }])
})

describe('the run', () => {
  const good = (): CollectedCheck =>
    check(['A', 'B', 'ADVICE'], { exercised: ['A', 'B', 'ADVICE', 'PASSIVE'] })

  test('conforms, with totals and both numbers', () => {
    const record = run([good()])
    expect(record.verdict).toBe('conforms')
    expect(record.totals).toEqual({
      error: 0,
      violates: 0,
      blocked: 0,
      'not exercised': 1,
      conforms: 4,
      'not applicable': 2,
    })
    const counts = { exercised: 4, conforming: 4 }
    expect(record.coverage).toEqual({
      applicable: 5,
      ...counts,
      open: 1,
      perKind: { applicable: 5, ...counts },
      kinds: [{ kind: 'transfers', applicable: 3, exercised: 3, conforming: 3 }],
    })
    expect(record).toMatchObject({ requests: { v1: 1, v2: 2 }, errors: [], seed: 7, run: 'r1' })
  })

  test('is incomplete when it was cut short, and when nothing of a claimed product was reached', () => {
    expect(run([good()], { spent: 'its 9 requests were spent' })).toMatchObject({
      verdict: 'incomplete',
      incomplete: ['The run was cut short: its 9 requests were spent.'],
    })
    const ofHotels = { deployment: { ...deployment, products: ['v2-hotels'] as const } }
    expect(run([good()], ofHotels).incomplete?.join()).toContain('claims v2-hotels, but none of it')
    expect(run([good()], { ...ofHotels, only: 'A' }).verdict).toBe('conforms')
  })

  test.each<[string, Partial<RunInput['collected']>, string]>([
    [
      'a file does not load',
      { moduleErrors: [{ file: 'suites/y.suite.ts', message: 'no such module' }] },
      'suites/y.suite.ts: no such module',
    ],
    ['something is thrown outside of any check', { unhandledErrors: ['late throw'] }, 'late throw'],
    ['the runner vanishes', { ended: false }, 'did not report the end'],
  ])('is an error when %s', (_, over, message) => {
    const record = run([], {
      collected: { checks: [good()], moduleErrors: [], unhandledErrors: [], ended: true, ...over },
    })
    expect(record.errors).toEqual([expect.stringContaining(message)])
    expect(record.verdict).toBe('error')
    expect(of(record, 'A').verdict).toBe('conforms')
  })

  test('is an error when no check ran, unless something halted it', () => {
    expect(run([])).toMatchObject({ verdict: 'error', errors: [expect.stringContaining('No check was run')] })
    expect(run([], { halted: 'unreachable' })).toMatchObject({ verdict: 'not exercised', errors: [] })
  })

  test('is an error when a finding names an unknown clause, or two checks share a name', () => {
    const record = run([
      check(['A'], { broken: ['TYPO'] }, { id: 'same' }),
      check(['A'], { exercised: ['A'] }, { id: 'same' }),
    ])
    expect(record.errors).toEqual([
      expect.stringContaining('TYPO, which is not in the catalogue'),
      expect.stringContaining('same: two checks have this name'),
    ])
  })

  test('leaves credentials written into the address out of the record', () => {
    const record = run([good()], {
      deployment: { ...deployment, baseUrl: 'https://me:secret@h.example/base' },
    })
    expect(record.deployment.baseUrl).toBe('https://h.example/base')
  })
})

test('a load run that sent nothing does not conform', () => {
  const [scenario] = exampleLoad.scenarios
  const idle = { ...scenario!, requests: { sent: 0, judged: 0 } }
  const record = run([check(['A'], { exercised: ['A'] })], { load: { ...exampleLoad, scenarios: [idle] } })
  expect(record.verdict).toBe('incomplete')
})
