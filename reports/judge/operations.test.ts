import { expect, test } from 'vitest'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import { operationsOf, statusesOf } from './operations.ts'

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
