import { beforeAll, expect, test } from 'vitest'
import { whyUndecidable } from '../../../fixtures/clauses/clause.ts'
import { untilFileEnds } from '../../../fixtures/client/testing/until.ts'
import { isCovered, traceClauses } from '../../../fixtures/run/tracing.ts'
import { runTss } from '../testing/command.ts'

let rows: Awaited<ReturnType<typeof traceClauses>>
beforeAll(async () => {
  // The command makes the index of checks, without which only a runner of its own finds them.
  await runTss(['explain', 'V2-IDEM-REPLAY-STATUS'], { until: untilFileEnds() })
  rows = await traceClauses()
})

test('a clause is traced to its checks and deviants', () => {
  const replay = rows.find(({ id }) => id === 'V2-IDEM-REPLAY-STATUS')
  expect(replay?.checks).toContainEqual(expect.stringMatching(/^suites\/v2-bookings\/.+\.suite\.ts > .+ > /))
  expect(replay?.deviants.map(({ id }) => id)).toContain('second-replay-answers-201')
})

// Of several deviants that the same assertion finds, only the subtlest is kept: the others would prove nothing more.
test('what a run can see broken has a deviant', () => {
  const seen = rows.filter(row => row.side === 'server' && whyUndecidable(row) === undefined)
  expect(seen.filter(({ deviants }) => deviants.length === 0).map(({ id }) => id)).toEqual([])
  expect(seen.length).toBeGreaterThan(900)
})

test('every clause has a check, or a reason for none, or is planned', () => {
  const uncovered = rows.filter(row => whyUndecidable(row) === undefined && !isCovered(row))
  expect(uncovered.filter(({ planned }) => planned !== true).map(({ id }) => id)).toEqual([])
  expect(uncovered.map(({ id }) => id).filter(id => /(^|-)V2-/.test(id))).toEqual([])
})

test('travel-sales explain says what a clause asks, how it is checked and what breaks it', async () => {
  const { code, stdout } = await runTss(['explain', 'v2-idem-replay-status'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^V2-IDEM-REPLAY-STATUS {2}\(must, server side, v2-bookings\)$/m)
  expect(stdout).toMatch(/^Checked by\n {2}suites\/v2-bookings\/\S+\.suite\.ts > /m)
  expect(stdout).toMatch(/^Deviants that break it\n {2}/m)
  expect(stdout).toMatch(/^ {2}second-replay-answers-201: ./m)
})
