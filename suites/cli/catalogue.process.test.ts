import { beforeAll, describe, expect, test } from 'vitest'
import { whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { isCovered, traceClauses } from '../../fixtures/run/tracing.ts'
import { runTss } from './testing/command.ts'

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

describe('travel-sales explain', () => {
  test('says what a clause asks, how it is checked and what breaks it', async () => {
    const { code, stdout } = await runTss(['explain', 'v2-idem-replay-status'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^V2-IDEM-REPLAY-STATUS {2}\(must, server side, v2-bookings\)$/m)
    expect(stdout).toMatch(/^Checked by\n {2}suites\/v2-bookings\/\S+\.suite\.ts > /m)
    expect(stdout).toMatch(/^Deviants that break it\n {2}/m)
    expect(stdout).toMatch(/^ {2}second-replay-answers-201: ./m)
  })

  test('says how to supply what a clause needs', async () => {
    const { stdout } = await runTss(['explain', 'LIMIT-V1-RECOVERS'])
    expect(stdout).toMatch(/^Needs\n {2}role:expendable: .*TSS_TOKEN_EXPENDABLE/m)
  })
})

test('the list of situations is of the products that are asked for', async () => {
  const all = await runTss(['examine', '--list'])
  const some = await runTss(['examine', '--list', '--products', 'v1-park-b'])
  const idsOf = (text: string) => [...text.matchAll(/^([\w-]+) {2}\(about .*; (.*)\)$/gm)]
  expect(idsOf(some.stdout).every(([, , products]) => products!.includes('v1-park-b'))).toBe(true)
  expect(idsOf(some.stdout).length).toBeGreaterThan(0)
  expect(idsOf(some.stdout).length).toBeLessThan(idsOf(all.stdout).length)
})

test('help says what --help says', async () => {
  const [plain, asked, ofOne, other] = await Promise.all(
    [['help'], ['--help'], ['help', 'certify'], ['certify', '--help']].map(args => runTss(args)),
  )
  expect(plain).toMatchObject({ code: 0, stdout: asked!.stdout })
  expect(ofOne).toMatchObject({ code: 0, stdout: other!.stdout })
  expect(other!.stdout).toMatch(/What frees it: control\.mint/)
})
