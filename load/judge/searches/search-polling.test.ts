import { expect, test } from 'vitest'
import type { RequestRow } from '../../read/evidence.ts'
import { METRIC } from '../../scenarios/lib/output.ts'
import { circumstancesOf, measure, request, type StageSaid, staged, stageOf } from '../../testing/evidence.ts'
import { judgeSearchPolling } from './search-polling.ts'

const started = (status = 202) => request(0, { op: 'v2 hotel search', status })
const polled = (status = 200) => request(10, { op: 'v2 hotel poll', status })

const judged = (rows: RequestRow[], said: StageSaid = {}) =>
  judgeSearchPolling(
    staged(
      stageOf({
        scenario: 'search-polling',
        requests: rows,
        ...said,
      }),
    ),
    circumstancesOf('search-polling'),
  )

test.each<[string, RequestRow[], string]>([
  ['none is started', [], 'not exercised'],
  ['none can be started', [started(503)], 'blocked'],
  ['no reference can be read', [started()], 'not exercised'],
  ['none can be read at all, which may be the adapter', [started(), polled(404), polled(404)], 'blocked'],
])('searches show nothing where %s', (_, rows, verdict) => {
  const [question] = judged(rows).questions
  expect(question!.whyOpen().verdict).toBe(verdict)
})

const result = judged([started(), polled()], {
  measures: {
    [METRIC.searchFinish]: [measure(0, 12_000), measure(1, 300), measure(2, 500)],
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
})
