import { expect, test } from 'vitest'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import type { Finding } from '../../fixtures/ground/record.ts'
import { comparison } from '../../suites/cli/deployments/replay.ts'
import { assemble } from '../judge/assemble.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { againOf } from '../judge/run-record.ts'
import { exampleInput } from '../testing/example.ts'

const [first] = exampleInput.collected.checks
const [found] = first!.report!.findings
const clause = found!.clause
const input = { ...exampleInput, leftovers: [] }

/** A run of the first check only, which finds the fault. */
const run = (findings: CheckReport['findings'], again?: ReturnType<typeof againOf>) => {
  const state = findings.length === 0 ? ('passed' as const) : ('failed' as const)
  const check = { ...first!, state, kind: 'transfers' as const, report: { ...first!.report!, findings } }
  const collected = { ...input.collected, checks: [check] }
  return assemble({ ...input, collected, ...(again !== undefined && { again }) })
}

const rowOf = (record: ReturnType<typeof run>) => record.clauses.find(({ id }) => id === clause)!

test('a fault that shows by chance does not conform only because it was not seen again', () => {
  const earlier = run([{ ...found!, chance: true }])
  const later = run([], againOf(earlier, 3))
  const why = /seen broken in 2026-10-01T09-30-00-k3f9, and not seen again in 3 tries: /
  expect(rowOf(later)).toMatchObject({ verdict: 'not exercised', reason: expect.stringMatching(why) })
  expect(rowOf(later).kinds).toMatchObject([{ kind: 'transfers', verdict: 'not exercised' }])
  expect(later).toMatchObject({ verdict: 'incomplete', incomplete: [expect.stringMatching(why)] })
  expect(outcomeOf(later).exitCode).toBe(1)
  const replayed = comparison(clause, found! && { ...(found as Finding), chance: true }, later)
  expect(replayed).toEqual({
    text: expect.stringMatching(/^It was seen broken in .* not seen again in 3 tries/m),
    exitCode: 3,
  })
})

const total = { ...found!, message: 'expected 12.5, got 25' }
const inRace = { ...total, message: 'expected 12, got 25.5', chance: true }
const another = { ...inRace, message: 'expected 12 once, got it twice' }

test.each([
  ['that shows every time', [total], 'conforms'],
  ['that concurrent requests showed, too', [total, inRace], 'conforms'],
  ['beside another, which only concurrent requests showed', [total, another], 'not exercised'],
] as const)('once it is mended, a fault %s', (_, findings, verdict) => {
  const later = run([], againOf(run([...findings])))
  expect(rowOf(later).verdict).toBe(verdict)
  expect(comparison(clause, total, later)).toMatchObject({ exitCode: verdict === 'conforms' ? 0 : 3 })
})
