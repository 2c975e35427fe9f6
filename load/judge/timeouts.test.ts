import { expect, test } from 'vitest'
import type { Settings } from '../plan/plan.ts'
import type { RequestRow } from '../read/evidence.ts'
import { circumstancesOf, request, staged, stageOf } from '../testing/evidence.ts'
import { judgeTimeouts } from './timeouts.ts'

const judged = (rows: RequestRow[], settings: Settings = {}) =>
  judgeTimeouts(
    staged(stageOf({ scenario: 'timeouts', requests: rows })),
    circumstancesOf('timeouts', { settings }),
  )

const timed = (op: RequestRow['op'], took: number, row: Partial<RequestRow> = {}) =>
  request(0, { op, took, ...row })
const CLAUSE = 'TIMEOUT-V2-OFFER-CHECK'

test.each<[string, RequestRow[], Settings, string | undefined]>([
  ['in time on a clock that runs faster', [timed('v2 offer check', 600)], { scale: 0.01 }, undefined],
  [
    'late on that clock',
    [timed('v2 offer check', 601)],
    { scale: 0.01 },
    '1 too late (the slowest after 0.601 seconds)',
  ],
  ['late, as it shows itself', [timed('v2 offer check', 60_001)], {}, undefined],
  [
    'never there',
    [timed('v2 offer check', 75_000, { status: 0, errorCode: 1050 }), timed('v2 offer check', 5)],
    {},
    '1 too late (1 without any answer)',
  ],
])('an answer is claimed to be late where it does not tell: %s', (_, rows, settings, observed) => {
  const { claims } = judged(rows, settings)
  expect(claims.map(({ clause, found }) => [clause, found?.observed])).toEqual(
    observed === undefined ? [] : [[CLAUSE, observed]],
  )
})

test.each([
  ['a connection that fails', { status: 0, errorCode: 1212, took: 0 }, 'blocked'],
  ['a dial that takes too long', { status: 0, errorCode: 1211, took: 0 }, 'blocked'],
  ['a failure', { status: 503, took: 70_000 }, 'blocked'],
  ['a refusal for coming too fast', { status: 429, took: 70_000 }, 'not exercised'],
])('%s shows nothing', (_, row, verdict) => {
  const { claims, questions } = judged([timed('v2 offer check', row.took, row)])
  const question = questions.find(({ clauses }) => clauses[0] === CLAUSE)!
  expect([claims, question.whyOpen().verdict]).toEqual([[], verdict])
})
