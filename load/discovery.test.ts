import { expect, test } from 'vitest'
import { blocked, notExercised } from '../fixtures/check/evidence/assume.ts'
import type { Session } from '../fixtures/client/client.ts'
import { Recorder } from '../fixtures/client/recording/index.ts'
import { checksOfMissing } from './discovery.ts'

test('a product that is left out of the load is reported with the reason, and blocks a run that claimed it', () => {
  const missing = new Map([
    ['v1-transfers', blocked('no order was made')],
    ['v2-hotels', notExercised('k6 cannot run an adapter')],
  ] as const)
  const discovered = { shapes: { probes: {}, v1Paths: {}, asks: {} }, missing }
  const checks = checksOfMissing(discovered, { recorder: new Recorder({ dir: null, worker: 0 }) } as Session)
  expect(checks.map(({ title, report: { stopped } }) => ({ title, stopped }))).toEqual([
    {
      title: 'v1 transfers can be put under load',
      stopped: { verdict: 'blocked', reason: 'no order was made' },
    },
    {
      title: 'v2 hotels can be put under load',
      stopped: { verdict: 'not exercised', reason: 'k6 cannot run an adapter' },
    },
  ])
  expect(checks.every(({ report: { clauses, exercised } }) => clauses.length > exercised.length)).toBe(true)
})
