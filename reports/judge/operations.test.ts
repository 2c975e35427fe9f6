import { expect, test } from 'vitest'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import type { ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import { operationsOf, silenceOf, statusesOf } from './operations.ts'

const judged = (answers: CheckReport['answers']) => ({ check: { report: { answers } } }) as never

test('answers are summed by operation and status, beside those documented that were not seen', () => {
  const operations = operationsOf([
    judged({ 'v2 cancel 200': 2, 'v2 cancel 418': 1 }),
    judged({ 'v2 cancel 200': 1, 'v2 hotel search 202': 1 }),
    judged(undefined),
  ])
  expect(operations.map(({ operation }) => operation)).toEqual([
    'POST /api/v2/hotels/availability',
    'POST /api/v2/bookings/{booking_id}/cancel',
  ])
  const [search, cancel] = operations
  // If the document states success without a status, every success status is documented.
  expect(search?.answers).toContainEqual({ status: 202, count: 1, documented: true })
  expect(cancel?.answers).toContainEqual({ status: 200, count: 3, documented: true })
  expect(cancel?.answers).toContainEqual({ status: 404, count: 0, documented: true })
  expect(cancel?.answers).toContainEqual({ status: 418, count: 1, documented: false })
  expect(statusesOf(operations)).toEqual([200, 202, 400, 404, 405, 409, 418, 429])
})

const figures = (calls: Record<string, Record<string, number>>, more: object = {}): ScenarioFigures => {
  const rows = Object.entries(calls).map(([op, outcomes]) => ({
    op,
    sent: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    outcomes,
  }))
  const sent = rows.reduce((sum, row) => sum + row.sent, 0)
  return {
    name: 'soak',
    settings: {},
    requests: { sent, judged: sent },
    calls: rows,
    ...more,
  } as ScenarioFigures
}

test.each<[string, ScenarioFigures, string[]]>([
  [
    'redirects and nothing else',
    figures({ 'v2 check': { 302: 1 }, 'v1 probe': { 'connection refused': 1 } }),
    ['Nobody was served in soak: 1 × 302, 1 × connection refused.'],
  ],
  [
    'one version that is away',
    figures({ 'v1 probe': { 401: 3, 503: 2 }, 'v2 check': { 200: 1 } }),
    ['Nobody was served by v1 in soak: 3 × 401, 2 × 503.'],
  ],
  [
    'a call that never succeeds',
    figures({ 'v2 check': { 200: 1 }, 'v2 voucher': { 404: 5 } }),
    ['No v2 voucher was served in soak: 5 × 404.'],
  ],
  [
    'a market that refuses',
    figures({ 'v2 check': { 200: 9 }, 'v2 book': { 409: 9 }, 'v1 transfer confirm': { 400: 9 } }),
    [],
  ],
  ['a source with a bad moment', figures({ 'v2 check': { 200: 9 }, 'v1 hotel price': { 502: 4 } }), []],
  [
    'a deployment that serves the first requests alone',
    figures({ 'v2 check': { 200: 9, 302: 5 }, 'v2 book': { 201: 1, 404: 6 } }),
    ['Most of soak was not served: 9 × 200, 5 × 302, 1 × 201, 6 × 404.'],
  ],
  ['a rate at which it breaks', figures({ 'v2 check': { 200: 9, timeout: 50 } }, { name: 'breakpoint' }), []],
  ['a limit that is used up', figures({ 'v1 probe': { 200: 500, 429: 600 } }), []],
])('%s', (_what, scenario, said) => {
  expect(silenceOf(scenario)).toEqual(said)
})
