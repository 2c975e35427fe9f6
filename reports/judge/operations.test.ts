import { expect, test } from 'vitest'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import { html } from '../html/markup.ts'
import { factsSection, operationsSection } from '../html/report.ts'
import { toMarkdown } from '../render/markdown.ts'
import { exampleRecord } from '../testing/example.ts'
import { answerText, factsOf, operationsOf, statusesOf } from './operations.ts'

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

test('an answer is shown as its count, a missing documented one as a dash, any other as nothing', () => {
  expect(answerText({ status: 200, count: 1204, documented: true })).toBe('1,204')
  expect(answerText({ status: 404, count: 0, documented: true })).toBe('–')
  expect(answerText(undefined)).toBe('')
})

test('page and summary show the table and the facts', () => {
  const record = structuredClone(exampleRecord)
  record.operations = operationsOf([judged({ 'v2 book 201': 7 })])
  record.checks[0]!.facts = ['Booking with a key of 192 bytes: 201', '<b>']
  record.checks[1]!.facts = ['Booking with a key of 192 bytes: 201']
  expect(factsOf(record)).toEqual(['Booking with a key of 192 bytes: 201', '<b>'])
  const page = html`${operationsSection(record)}${factsSection(record)}`.markup
  expect(page).toContain('<th scope="row">POST /api/v2/bookings</th>')
  expect(page).toContain('<td class="number">7</td>')
  expect(page).toContain('&lt;b&gt;')
  const summary = toMarkdown(record)
  expect(summary).toMatch(/POST \/api\/v2\/bookings \| – \| 7 \|/)
  expect(summary).toContain('Booking with a key of 192 bytes')
})
