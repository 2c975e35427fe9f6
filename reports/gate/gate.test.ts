import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { assemble } from '../judge/assemble.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { finalText } from '../terminal/summary.ts'
import { checkOf } from '../testing/checks.ts'
import { exampleInput, exampleRecord } from '../testing/example.ts'
import { gated, gateLines } from './gate.ts'
import type { Waiver } from './waivers.ts'

const waiver = (clause: string): Waiver => ({
  clause,
  reason: 'known since March',
  owner: 'booking team',
  expires: '2027-01-31',
})
const ALL = ['V2-IDEM-REPLAY', 'V2-OFFER-FORGED'].map(waiver)
/** The example without its faults that are not findings. */
const [, , ...late] = exampleInput.collected.checks
const collected = {
  ...exampleInput.collected,
  checks: exampleInput.collected.checks.filter(check => !late.includes(check)),
}
const settled = { ...exampleInput, collected, leftovers: [] }

test('waivers in a run: a run whose required findings are all waived does not violate, and says what is waived', () => {
  const record = assemble({ ...settled, waivers: ALL })
  expect(record.verdict).not.toBe('violates')
  expect(record.gate).toEqual({ passes: true, waived: 7, unneeded: [], untested: [] })
  const text = finalText(record, { colour: false, dir: '.' })
  expect(text).toContain('2 clauses are waived, seen broken 7 times.')
  expect(text).toContain('waived until 2027-01-31 by booking team: known since March')
})

test('waivers in a run: an unneeded waiver fails the gate', () => {
  const record = assemble({ ...settled, waivers: [waiver('V2-BOOK-CREATED'), ...ALL] })
  expect(record.gate).toMatchObject({ passes: false, unneeded: ['V2-BOOK-CREATED of booking team'] })
  expect(gateLines(record).join(' ')).toContain('to be removed: V2-BOOK-CREATED of booking team')
})

const earlier = (over: Partial<RunRecord>): RunRecord => ({
  ...exampleRecord,
  run: 'earlier',
  leftovers: [],
  ...over,
})

test('only what was selected is compared with a baseline, and held against waivers', () => {
  // Both checks cite what only the first is selected for; the second sees it for another kind of product.
  const both = ['V2-BOOK-CREATED', 'V2-IDEM-KEY-REUSED', 'V2-OFFER-FORGED']
  const seen = (kind: 'transfers' | 'hotels') =>
    checkOf(`suites/x.suite.ts > ${kind}`, both, { kind, sold: true }, { kind })
  const input = (checks: CollectedCheck[]) => ({
    ...settled,
    deployment: { ...settled.deployment, products: ['v2-transfers', 'v2-hotels'] as const },
    collected: { ...collected, checks },
  })
  const baseline = assemble(input([seen('transfers'), seen('hotels')]))
  const stopped = { verdict: 'blocked', reason: 'no offers' } as const
  const partly = seen('transfers')
  partly.report = { ...partly.report!, exercised: both.slice(0, 2), stopped }
  const selection = { only: 'V2-BOOK-CREATED', selected: new Set(['V2-BOOK-CREATED']) }
  const waived = { ...selection, waivers: [waiver('V2-IDEM-KEY-REUSED')] }
  const refused = seen('hotels')
  refused.report = { ...refused.report!, exercised: [], stopped: { ...stopped, verdict: 'not exercised' } }
  const record = assemble({ ...input([partly, refused]), ...waived })
  const { gate } = gated({ ...record, run: 'now' }, { baseline })
  expect(gate).toMatchObject({
    unneeded: [],
    untested: ['V2-IDEM-KEY-REUSED of booking team'],
    baseline: { unexercised: [], missed: [], fewer: ['V2-BOOK-CREATED (hotels)'] },
  })
  expect(gate!.baseline!.blocked).not.toContain('V2-OFFER-FORGED')
  const whole = gated(assemble(input([partly])), { baseline })
  expect(whole.gate!.baseline!.fewer).toHaveLength(2)
})

describe('a baseline', () => {
  const now = earlier({ run: 'now' })
  const clean = earlier({
    verdict: 'conforms',
    clauses: exampleRecord.clauses.map(row => ({ ...row, findings: [], verdict: 'conforms' as const })),
    checks: exampleRecord.checks.map(check => ({ ...check, verdict: 'conforms' as const })),
  })
  const gateOf = (baseline: RunRecord, record = now) => gated(record, { baseline }).gate!

  test('what is newly broken, blocked, or no longer exercised, does not pass', () => {
    const { passes, baseline } = gateOf(clean)
    expect(passes).toBe(false)
    expect(baseline?.broken).toContain('V2-IDEM-REPLAY')
    expect(baseline?.unexercised).toContain('V2-BOOK-ABANDONED')
    expect(baseline?.blocked).toEqual(['V2-VOUCHER-READY'])
  })

  test.each([
    [{ verdict: 'conforms' }, true],
    [{ verdict: 'incomplete', incomplete: ['less than asked'] }, false],
  ] as const)(
    'what the market did not lead to is told; of a run that is %o it decides: %o',
    (over, passes) => {
      const id = 'V2-BOOK-CREATED'
      const check = { ...exampleRecord.checks[0]!, clauses: [id], verdict: 'conforms' as const }
      const clauses = clean.clauses.map(row =>
        row.id === id ? { ...row, verdict: 'not exercised' as const, kinds: [] } : row,
      )
      const missed = { ...check, verdict: 'not exercised' as const, chance: true }
      const record = { ...clean, clauses, checks: [missed], ...over } as RunRecord
      const judged = gated(record, { baseline: { ...clean, checks: [check] } })
      expect(judged.gate).toMatchObject({ passes, baseline: { unexercised: [], missed: [id] } })
      expect(gateLines(judged).join(' ')).toMatch(
        /Exercised in earlier and tried again, but shown by no answer of this run: V2-BOOK-CREATED\./,
      )
    },
  )

  test('what is waived is not new', () => {
    const record = assemble({ ...settled, waivers: ALL })
    expect(gateOf(clean, record).baseline?.broken).toEqual(['V2-CACHE-OTHER'])
  })

  test.each<[string, Partial<RunRecord>]>([
    ['was blocked', { verdict: 'blocked' }],
    ['is incomplete', { verdict: 'incomplete', incomplete: ['less than asked'] }],
    ['violates and is incomplete', { incomplete: ['less than asked'] }],
    ['was halted', { halted: 'out of time' }],
  ])('that %s knows nothing', (_, over) => {
    const record = gated(now, { baseline: earlier(over) })
    expect(record.gate).toMatchObject({
      passes: false,
      baseline: { known: [], unusable: expect.any(String) },
    })
    expect(gateLines(record).join(' ')).toContain('No finding of earlier counts as known')
  })

  test('an incomplete run passes where it reached what the baseline did, for each kind of product', () => {
    const [first, ...others] = clean.clauses
    const kinds = (...seen: ('transfers' | 'hotels')[]): RunRecord['clauses'] => [
      { ...first!, kinds: seen.map(kind => ({ kind, verdict: 'conforms' as const })) },
      ...others,
    ]
    const incomplete = (clauses: RunRecord['clauses']): RunRecord => ({
      ...clean,
      clauses,
      checks: [],
      verdict: 'incomplete',
      incomplete: ['less than asked'],
    })
    const baseline = earlier({ verdict: 'conforms', clauses: kinds('transfers', 'hotels') })
    expect(gateOf(baseline, incomplete(kinds('transfers', 'hotels'))).passes).toBe(true)
    const fewer = gateOf(baseline, incomplete(kinds('transfers')))
    expect(fewer).toMatchObject({ passes: false, baseline: { fewer: [`${first!.id} (hotels)`] } })
    expect(outcomeOf(incomplete(kinds('transfers'))).passes).toBe(false)
  })
})
