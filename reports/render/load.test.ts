import { expect, test } from 'vitest'
import type { ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import { exampleLoadRecord as record } from '../testing/example-load.ts'
import {
  checksOf,
  countedText,
  droppedText,
  outcomesOf,
  outcomesText,
  rateText,
  slowestCall,
  verdictOf,
} from './load.ts'

const [burst, contention, , breakpoint] = record.load!.scenarios as [
  ScenarioFigures,
  ScenarioFigures,
  ScenarioFigures,
  ScenarioFigures,
]
test.each([
  [['conforms', 'not exercised'], 'conforms'],
  [['conforms', 'blocked'], 'blocked'],
  [['blocked', 'error'], 'error'],
  [['not exercised', 'not applicable'], 'not exercised'],
] as const)('the verdict of a scenario with checks of %j is %s', (verdicts, expected) => {
  const [check] = checksOf(record, contention)
  const checks = verdicts.map(verdict => ({ ...check!, verdict }))
  expect(verdictOf(record, checks)).toBe(expected)
})

test('outcomes list statuses first, in order, or as all', () => {
  const call = { ...contention.calls[0]!, outcomes: { timeout: 2, 409: 1_500, 200: 3 } }
  expect(outcomesText(call)).toBe('200: 3; 409: 1,500; timeout: 2')
  expect(outcomesText({ ...call, sent: 7, outcomes: { 200: 7 } })).toBe('all 200')
  expect(outcomesText({ ...call, sent: 8, outcomes: { 200: 7 } })).toBe('200: 7')
  expect(outcomesOf({ outcomes: {} })).toEqual([])
})

test('the slowest call is never a journey, and there is none without latencies', () => {
  expect(slowestCall(contention)?.op).toBe('v2 book')
  expect(slowestCall(breakpoint)).toBeUndefined()
  const { refused: _, ...told } = breakpoint
  const journey = { ...contention.calls[0]!, op: 'journey' }
  expect(slowestCall({ ...told, calls: [journey, ...breakpoint.calls] })?.op).toBe('v2 search hotels')
})

test('each limit of figures is stated in a sentence', () => {
  const requests = { sent: 1_000, judged: 0 }
  expect(countedText({ ...burst, requests })).toBeUndefined()
  expect(countedText({ ...burst, requests: { ...requests, counted: 1_000 } })).toBeUndefined()
  expect(countedText({ ...burst, requests: { ...requests, counted: 998 } })).toBe(
    'The deployment counted 998 requests, 2 fewer than the 1,000 that were sent.',
  )
  expect(droppedText(burst)).toBeUndefined()
  expect(droppedText(breakpoint)).toBe('311 iterations were dropped, 172,045 completed.')
  expect(rateText(contention)).toBe('79.9 of 80 intended iterations a second')
  expect(rateText(breakpoint)).toBe('118 iterations a second')
  expect(rateText(burst)).toBeUndefined()
})
