import { describe, expect, test } from 'vitest'
import type { RequestRow } from '../../read/evidence.ts'
import { METRIC } from '../../scenarios/lib/output.ts'
import {
  circumstancesOf,
  exchangeFor,
  measure,
  request,
  type StageSaid,
  staged,
  stageOf,
} from '../../testing/evidence.ts'
import { judgeSearchPolling } from './search-polling.ts'

const started = (status = 202) => request(0, { op: 'v2 hotel search', status })
const polled = (status = 200) => request(10, { op: 'v2 hotel poll', status })

const judged = (rows: RequestRow[], said: StageSaid = {}) =>
  judgeSearchPolling(
    staged(
      stageOf({
        scenario: 'search-polling',
        requests: rows,
        exchanges: rows.map(row => exchangeFor(row)),
        ...said,
      }),
    ),
    circumstancesOf('search-polling'),
  )

describe('searches', () => {
  test('that are started and read keep both clauses, even if some fail', () => {
    const { answers } = judged([started(), started(503), polled(), polled(503), polled(429)])
    expect(answers).toMatchObject([
      { exercised: ['V2-HOTEL-SEARCH-START', 'V2-HOTEL-SEARCH-POLL'], findings: [] },
    ])
  })

  test('that disappear before they end are a finding', () => {
    const [answer] = judged([started(), polled(), polled(404)]).answers
    expect(answer!.findings).toMatchObject([
      {
        clause: 'V2-HOTEL-SEARCH-POLL',
        observed: '1 × 404 for 1 of 2 polls',
        exchanges: [expect.any(String)],
      },
    ])
  })

  test.each<[string, RequestRow[], string]>([
    ['none is started', [], 'not exercised'],
    ['none can be started', [started(503)], 'blocked'],
    ['no reference can be read', [started()], 'not exercised'],
    ['none can be read at all, which may be the adapter', [started(), polled(404), polled(404)], 'blocked'],
  ])('show nothing where %s', (_, rows, verdict) => {
    expect(judged(rows).answers).toMatchObject([{ exercised: [], findings: [], stopped: { verdict } }])
  })
})

const result = judged([started(), polled()], {
  measures: {
    [METRIC.searchFinish]: [measure(0, 300), measure(1, 500), measure(2, 12_000)],
    [METRIC.searchPolls]: [3, 3, 5, 120].map((polls, at) => measure(at, polls)),
    [METRIC.searchUnfinished]: [measure(0, 1)],
  },
})

test('what v2 does not promise of a search is reported as facts', () => {
  expect(result.facts).toEqual([
    { name: 'searches that ended', value: 3 },
    { name: 'searches that were given up', value: 1 },
    { name: 'time until a search ended, p50', value: 500, unit: 'ms' },
    { name: 'time until a search ended, max', value: 12_000, unit: 'ms' },
    { name: 'polls of a search, p50', value: 3 },
    { name: 'polls of a search, max', value: 120 },
  ])
  expect(result.answers[0]!.findings).toEqual([])
})
