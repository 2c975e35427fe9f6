import { beforeAll, describe, expect, test } from 'vitest'
import { clauseIds } from '../../fixtures/clauses/index.ts'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { type Ended, runTss } from './testing/command.ts'

describe('travel-sales clauses', () => {
  const until = untilFileEnds()
  let listed: Ended
  beforeAll(async () => {
    listed = await runTss(['clauses', '--json'], { until })
  })

  test('--json lists the whole document, with checks and deviants', () => {
    const { code, stdout } = listed
    expect(code).toBe(0)
    const rows: { id: string; checks: string[]; deviants: string[] }[] = JSON.parse(stdout)
    expect(rows.map(({ id }) => id)).toEqual(clauseIds)
    const replay = rows.find(({ id }) => id === 'V2-IDEM-REPLAY-STATUS')
    expect(replay?.checks).toContainEqual(
      expect.stringMatching(/^suites\/v2-bookings\/.+\.suite\.ts > .+ > /),
    )
    expect(replay?.deviants).toContain('second-replay-answers-201')
  })

  // Of several deviants that the same assertion finds, only the subtlest is kept: the others would prove nothing more.
  test('what a run can see broken has a deviant', () => {
    interface Row {
      id: string
      side: string
      unobservable?: string
      unpromised?: string
      deviants: string[]
    }
    const rows: Row[] = JSON.parse(listed.stdout)
    const seen = rows.filter(
      row => row.side === 'server' && (row.unobservable ?? row.unpromised) === undefined,
    )
    expect(seen.filter(({ deviants }) => deviants.length === 0).map(({ id }) => id)).toEqual([])
    expect(seen.length).toBeGreaterThan(900)
  })

  test('--uncovered lists the planned clauses and nothing else: every other row has a check, or a reason for none', async () => {
    const { stdout } = await runTss(['clauses', '--uncovered', '--json'])
    const rows: { id: string; planned?: true; unobservable?: string; unpromised?: string }[] =
      JSON.parse(stdout)
    expect(
      rows.filter(
        ({ planned, unobservable, unpromised }) => planned !== true || (unobservable ?? unpromised),
      ),
    ).toEqual([])
    expect(rows.map(({ id }) => id).filter(id => /(^|-)V2-/.test(id))).toEqual([])
  })

  test('the table has a row a clause, and says why one cannot be observed', async () => {
    const { stdout } = await runTss(['clauses', '--only', 'http'])
    expect(stdout).toMatch(/^CLAUSE +LEVEL +SIDE +PART +CHECKS +DEVIANTS +SAYS$/m)
    expect(stdout).toMatch(/^PARTNER-PRICING .* MUST .*\(cannot be observed: /m)
    expect(stdout).toMatch(
      /^[\d,]+ clauses: [\d,]+ about deployments and \d+ about clients are checked, \d+ cannot be observed, \d+ not promised, \d+ still to be checked$/m,
    )
  })
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
