import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/client/testing/until.ts'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import type { Passed } from '../../../fixtures/watch/forwarding.ts'
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
