import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import type { RunRecord, Verdict } from '../../fixtures/ground/record.ts'
import { exampleRecord, HOSTILE } from '../testing/example.ts'
import { brokenNow, findRun, newestOf, sinceOf } from './history.ts'
import { nothingRead, openRunOf, readHistory } from './read-history.ts'

let runs: string

beforeEach(() => {
  runs = temporaryFolder()
})

const CLAUSE = 'V2-IDEM-REPLAY'

/** Returns a record of a day on which one clause had a verdict. */
const recordOf = (day: number, verdict: Verdict, changes: Partial<RunRecord> = {}): RunRecord => ({
  ...exampleRecord,
  startedAt: `2027-03-0${day}T10:00:00.000Z`,
  finishedAt: `2027-03-0${day}T10:01:30.000Z`,
  clauses: exampleRecord.clauses.map(row => (row.id === CLAUSE ? { ...row, verdict } : row)),
  ...changes,
})

function store(name: string, record: unknown): string {
  mkdirSync(join(runs, name), { recursive: true })
  const file = join(runs, name, 'record.json')
  writeFileSync(file, typeof record === 'string' ? record : JSON.stringify(record))
  return file
}

test('runs in time: are those of one deployment, newest first, each with what changed since the clause was exercised before', async () => {
  store('c', recordOf(3, 'violates'))
  store('a', recordOf(1, 'conforms'))
  store('b', recordOf(2, 'not exercised'))
  store('d', recordOf(4, 'conforms'))
  store('e', recordOf(5, 'violates'))
  const history = readHistory(runs)
  const { judged, clauses } = history
  expect(judged).toHaveLength(1)
  const [of] = judged
  expect(of!.runs.map(({ id, broke, mended }) => [id, broke, mended])).toEqual([
    ['e', [CLAUSE], []],
    ['d', [], [CLAUSE]],
    ['c', [CLAUSE], []],
    ['b', [], []],
    ['a', [], []],
  ])
  expect(of!.runs[0]).toMatchObject({ seconds: 90, requests: 2_316, word: 'violates', attested: false })
  expect(clauses.get(CLAUSE)).toMatchObject({ level: 'must', area: 'v2-bookings' })
  expect(sinceOf(of!, CLAUSE)).toMatchObject({ verdict: 'violates', run: { id: 'e' }, changed: true })
  // A clause that was broken in every run that exercised it is not "newly broken".
  expect(sinceOf(of!, 'V2-OFFER-FORGED')).toMatchObject({ run: { id: 'a' }, changed: false })
  expect(brokenNow(of!).map(({ clause }) => clause)[0]).toBe(CLAUSE)
  expect(findRun(history, 'c')?.run.id).toBe('c')
})

test('runs in time: a clause that was not selected has no verdict, and does not interrupt a series', async () => {
  const clauses = exampleRecord.clauses.map(row =>
    row.id === CLAUSE
      ? { ...row, verdict: 'not exercised' as const, reason: 'not selected', findings: [] }
      : row,
  )
  store('a', recordOf(1, 'violates'))
  store('b', recordOf(2, 'conforms', { only: 'v1-hotels', clauses }))
  const [of] = readHistory(runs).judged
  expect(of!.runs[0]!.verdicts.get(CLAUSE)).toBeUndefined()
  expect(sinceOf(of!, CLAUSE)).toMatchObject({ run: { id: 'a' }, last: { id: 'a' } })
})

const OTHER = 'V2-OFFER-FORGED'

/** The second run judged everything alike, and only `CLAUSE` was selected. */
test.each<[string, checks: number, Verdict, Partial<RunRecord>, broken: string[]]>([
  ['a replay mends its own clause alone', 1, 'conforms', { replayOf: 'a' }, [OTHER]],
  ['a replay mends nothing that other checks found', 2, 'conforms', { replayOf: 'a' }, [CLAUSE, OTHER]],
  ['a selection mends nothing beside it', 1, 'conforms', {}, [OTHER]],
  ['nothing is broken since a replay saw it in passing', 1, 'violates', { replayOf: 'a' }, [CLAUSE, OTHER]],
])('%s', (_, checks, verdict, changes, broken) => {
  const clauses = exampleRecord.clauses.map(row => ({
    ...row,
    findings: Array.from({ length: row.id === CLAUSE ? checks : 0 }, (_, at) => ({
      ...row.findings[0]!,
      check: `check ${at}`,
    })),
  }))
  store('a', recordOf(1, 'violates', { clauses }))
  const seen = clauses.map(row => ({ ...row, verdict, ...(row.id !== CLAUSE && { selected: false }) }))
  store('b', { ...recordOf(2, verdict), only: CLAUSE, ...changes, clauses: seen })
  const now = brokenNow(readHistory(runs).judged[0]!)
  expect(now.flatMap(({ clause }) => (clause === 'V2-CACHE-OTHER' ? [] : clause)).sort()).toEqual(broken)
  for (const { since } of now) expect(since.run.id).toBe('a')
})

test('the newest run of the whole stands for the deployment, or of a part if there is no other', () => {
  const newest = (...over: Partial<RunRecord>[]) => {
    for (const [at, one] of over.entries()) store(`run-${at + 1}`, recordOf(at + 1, 'conforms', one))
    return newestOf(readHistory(runs).judged[0]!).id
  }
  const part = { only: 'V2-*' }
  expect(newest({}, part, { replayOf: 'run-1' }, { halted: 'it was interrupted' })).toBe('run-1')
  rmSync(join(runs, 'run-4'), { recursive: true })
  expect(newest(part, part, { replayOf: 'run-1' })).toBe('run-2')
})

test('what was read before: is used again, and follows changes', () => {
  store('a', recordOf(1, 'conforms'))
  const file = store('b', recordOf(2, 'violates'))
  const already = nothingRead()
  const again = () => readHistory(runs, undefined, already)
  const first = again()
  expect(again()).toEqual(first)
  store('b', recordOf(2, 'conforms'))
  utimesSync(file, 5, 5)
  expect(again().judged[0]!.runs[0]!.broken).not.toContain(CLAUSE)
  rmSync(join(runs, 'a'), { recursive: true })
  expect(again().judged[0]!.runs.map(({ id }) => id)).toEqual(['b'])
  expect(readdirSync(runs)).toEqual(['b'])
})

test('what was read before: is built in parts if time is limited: the rest is counted, and read the next time', () => {
  for (const day of [1, 2, 3]) store(`run-${day}`, recordOf(day, 'conforms'))
  const already = nothingRead()
  expect(readHistory(runs, -1, already)).toMatchObject({ judged: [], unread: 3 })
  const whole = readHistory(runs, undefined, already)
  expect(whole.judged[0]!.runs).toHaveLength(3)
  store('run-4', recordOf(4, 'violates'))
  const partly = readHistory(runs, -1, already)
  expect([partly.unread, partly.judged]).toEqual([1, whole.judged])
})

test('what is not a run: is listed with the reason, and stops nothing', async () => {
  store('a', recordOf(1, 'conforms'))
  store('b', '{"schemaVersion": "1.0"}')
  store('c', HOSTILE[0])
  store('d', '['.repeat(10_000))
  mkdirSync(join(runs, 'e'))
  writeFileSync(join(runs, 'e/run.json'), '{}')
  mkdirSync(join(runs, 'not a run'))
  const { judged, unreadable } = readHistory(runs)
  expect(judged[0]!.runs.map(({ id }) => id)).toEqual(['a'])
  expect(unreadable.map(({ id }) => id)).toEqual(['e', 'd', 'c', 'b'])
  expect(unreadable[0]!.why).toContain('is still running')
  for (const { why } of unreadable) expect(why).not.toContain('\n')
})

test('what is not a run: a link is never followed: to a run, to a record, or to what a run has sent', async () => {
  const outside = temporaryFolder()
  writeFileSync(join(outside, 'record.json'), JSON.stringify(recordOf(1, 'conforms')))
  symlinkSync(outside, join(runs, 'linked'))
  mkdirSync(join(runs, 'record'))
  symlinkSync(join(outside, 'record.json'), join(runs, 'record/record.json'))
  store('sent', recordOf(2, 'conforms'))
  symlinkSync('/etc/hostname', join(runs, 'sent/exchanges.ndjson'))
  const { judged, unreadable } = readHistory(runs)
  expect(judged).toEqual([])
  expect(unreadable.map(({ id }) => id)).toEqual(['sent', 'record'])
  const named = ['linked', 'record', 'sent', '..', '.', '', '../x', 'a/b', '/etc', 'a\0b', '__proto__']
  for (const id of named) await expect(openRunOf(runs, id)).rejects.toThrow(/There is no run|is a link/)
})
