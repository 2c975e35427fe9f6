import { expect, test } from 'vitest'
import type { CollectedCheck, Progress } from '../../fixtures/run/collected.ts'
import { brokenBy, checkOf } from '../testing/checks.ts'
import { createRunEvents, type RunEvent, type Traffic } from './progress.ts'

const traffic: Traffic = {
  sent: 120,
  perMinute: 480,
  paced: [{ lastMinute: 120, share: 1, until: () => 0 }],
  waits: [{ what: 'a voucher of tickets', seconds: 99.2 }],
}
const so: Progress = { done: 3, checks: 12, findings: 1 }

test('a run tells how far it is, and the first findings of each clause', () => {
  const told: RunEvent[] = []
  let look = () => {}
  const { update, check } = createRunEvents({
    tell: event => void told.push(event),
    traffic: () => traffic,
    now: () => 0,
    every(_, work) {
      look = work
      return { stop: () => {} }
    },
  })
  update(so)
  look()
  expect(told).toEqual([
    {
      event: 'progress',
      done: 3,
      checks: 12,
      text: expect.stringContaining('waiting for a voucher of tickets, at most 1 min 40 s'),
    },
  ])
  const findings = Array.from({ length: 9 }, () => brokenBy('x', 'A'))
  check(checkOf('x', ['A'], { findings }) as CollectedCheck)
  expect(told.slice(1)).toHaveLength(3)
  expect(told.at(-1)).toMatchObject({ event: 'finding', clause: 'A', check: 'x' })
})
