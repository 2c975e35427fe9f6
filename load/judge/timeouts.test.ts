import { describe, expect, test } from 'vitest'
import type { Settings } from '../plan/plan.ts'
import type { RequestRow } from '../read/evidence.ts'
import { circumstancesOf, exchangeFor, request, staged, stageOf } from '../testing/evidence.ts'
import { judgeTimeouts } from './timeouts.ts'

function judged(rows: RequestRow[], settings: Settings = {}) {
  const exchanges = rows.filter(({ status }) => status > 0).map(row => exchangeFor(row))
  return judgeTimeouts(
    staged(stageOf({ scenario: 'timeouts', requests: rows, exchanges })),
    circumstancesOf('timeouts', { settings }),
  )
}

const timed = (op: RequestRow['op'], took: number, row: Partial<RequestRow> = {}) =>
  request(0, { op, took, ...row })
const answerOf = (clause: string, result: ReturnType<typeof judged>) =>
  result.answers.find(({ clauses }) => clauses[0] === clause)!

describe('a late answer', () => {
  const clause = 'TIMEOUT-V2-OFFER-CHECK'
  const of = (rows: RequestRow[], settings?: Settings) => answerOf(clause, judged(rows, settings))

  test('is judged by the scaled time', () => {
    const scale = { scale: 0.01 }
    expect(of([timed('v2 offer check', 600)], scale).findings).toEqual([])
    expect(of([timed('v2 offer check', 601)], scale).findings).toMatchObject([
      { expected: 'an answer to each within 0.6 seconds' },
    ])
  })

  test('includes one that never came', () => {
    const rows = [timed('v2 offer check', 75_000, { status: 0, errorCode: 1050 }), timed('v2 offer check', 5)]
    expect(of(rows).findings).toMatchObject([
      { observed: '1 too late (1 without any answer)', exchanges: [] },
    ])
  })

  test.each([
    ['a connection that fails', { status: 0, errorCode: 1212, took: 0 }],
    ['a dial that takes too long', { status: 0, errorCode: 1211, took: 0 }],
    ['a failure', { status: 503, took: 70_000 }],
    ['a refusal for coming too fast', { status: 429, took: 70_000 }],
  ])('is not %s', (_, row) => {
    expect(of([timed('v2 offer check', row.took, row)])).toMatchObject({
      exercised: [],
      findings: [],
      stopped: { verdict: row.status === 429 ? 'not exercised' : 'blocked' },
    })
  })

  test('may be a refusal, but a quick refusal decides nothing', () => {
    expect(of([timed('v2 offer check', 60_001, { status: 409 })]).findings).toHaveLength(1)
    expect(of([timed('v2 offer check', 10, { status: 409 })])).toMatchObject({ exercised: [] })
  })
})
