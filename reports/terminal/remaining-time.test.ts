import { expect, test } from 'vitest'
import { createRest } from './remaining-time.ts'

type Moment = Parameters<ReturnType<typeof createRest>>[0]

const moment = (elapsed: number, more: Partial<Moment> = {}): Moment => ({
  elapsed,
  sent: 10,
  ahead: { checks: 40, v1: 60, v2: 30 },
  paced: [],
  perMinute: 480,
  isWaiting: false,
  ...more,
})

test('nothing is estimated before the first request, nor after the last check', () => {
  const rest = createRest()
  expect(rest(moment(8, { sent: 0 }))).toBeUndefined()
  expect(rest(moment(18))).toBe(90)
  expect(rest(moment(90, { ahead: { checks: 0, v1: 0, v2: 0 } }))).toBeUndefined()
})

test('a run that only waits has no estimate, since what it waits for is told', () => {
  const ahead = { checks: 1, v1: 1, v2: 0 }
  expect(createRest()(moment(18, { ahead, sent: 90, isWaiting: true }))).toBeUndefined()
  expect(createRest()(moment(18, { ahead, sent: 90 }))).toBe(1)
})

test('with a rate limit, the version that is done last decides', () => {
  const paced = [
    { lastMinute: 480, share: 1, until: (more: number) => more },
    { lastMinute: 100, share: 0.5, until: (more: number) => 10 * more },
  ]
  expect(createRest()(moment(18, { paced }))).toBe(150)
})
