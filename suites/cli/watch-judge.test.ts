import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/until.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import type { Passed } from '../../fixtures/watch/passed.ts'
import { judgeIn } from './watch-judge.ts'
import type { FromThread } from './watch-messages.ts'

const passed: Passed = {
  method: 'GET',
  path: '/api/v2/transfers/products',
  headers: [['authorization', 'Bearer a-credential-of-a-test']],
  body: null,
  response: {
    status: 404,
    headers: [['date', new Date().toUTCString()]],
    body: new Uint8Array(Buffer.from('{"error":"none"}')),
  },
  ending: 'answered',
  arrived: Date.now(),
  ended: Date.now(),
}

function judging(every = 0) {
  const dir = temporaryFolder()
  const told: FromThread[] = []
  const options = { run: 'a-run', base: 'https://staging.example' }
  const judge = judgeIn(
    { ...options, dir, whole: false, startedAt: new Date(), every },
    one => void told.push(one),
  )
  const recordIn = (): RunRecord => JSON.parse(readFileSync(join(dir, 'record.json'), 'utf8'))
  return { dir, told, judge, recordIn }
}

test('the record and its reports are written while it goes on, and say so', async () => {
  const { dir, judge, recordIn } = judging()
  judge.take(passed)
  await judge.tick(undefined)
  await judge.written()
  expect(recordIn()).toMatchObject({ halted: 'it was still going on', requests: { v1: 0, v2: 1 } })
  expect(existsSync(join(dir, 'report.html'))).toBe(true)
})

test('nothing is written again while nothing passes, nor before it is time', async () => {
  const { dir, judge } = judging()
  judge.take(passed)
  await judge.tick(undefined)
  await judge.written()
  rmSync(join(dir, 'record.json'))
  await judge.tick(undefined)
  await judge.written()
  expect(existsSync(join(dir, 'record.json'))).toBe(false)
  const other = judging(60_000)
  other.judge.take(passed)
  await other.judge.tick(undefined)
  await other.judge.written()
  expect(existsSync(join(other.dir, 'record.json'))).toBe(false)
})

test('the end gives the record, with the findings and the products that were used', async () => {
  const { judge, told } = judging(60_000)
  judge.take(passed)
  await judge.end()
  const [finding] = told.flatMap(one => ('finding' in one ? [one.finding] : []))
  expect(finding).toMatchObject({ clause: expect.any(String), level: expect.stringMatching(/must|should/) })
  const { record } = told.find(one => 'record' in one)!
  expect(record).toMatchObject({ subject: 'recording', deployment: { name: 'https://staging.example' } })
  expect(record.halted).toBeUndefined()
  expect(record.clauses.find(({ id }) => id === finding!.clause)).toMatchObject({ verdict: 'violates' })
})

test('what cannot be written is told, and judging goes on', async () => {
  const { dir, judge, told } = judging()
  judge.take(passed)
  rmSync(dir, { recursive: true })
  await judge.tick(undefined)
  await judge.written()
  expect(told).toContainEqual({ unwritten: expect.stringMatching(/could not be written|ENOENT/) })
  await judge.end()
  expect(told.some(one => 'record' in one)).toBe(true)
})
