import { expect, test } from 'vitest'
import type { Progress, SuiteProgress } from '../../fixtures/run/collected.ts'
import type { Traffic } from './progress.ts'
import { createRunEvents, type RunEvent } from './run-events.ts'

const suite = (file: string, over: Partial<SuiteProgress>): SuiteProgress => ({
  file: `suites/${file}.suite.ts`,
  done: 0,
  ended: false,
  failed: 0,
  requests: { v1: 0, v2: 0 },
  ...over,
})

const traffic = (sent: number): Traffic => ({
  sent,
  perMinute: 480,
  paced: [{ lastMinute: 120, share: 1, until: () => 0 }],
  waits: [{ what: 'a voucher of tickets', seconds: 99.2 }],
})

/** Collects the events of a run on a simulated clock. */
function events() {
  const told: RunEvent[] = []
  let [at, sent] = [0, 0]
  let look = () => {}
  const run = createRunEvents({
    tell: event => void told.push(event),
    traffic: () => traffic(sent),
    now: () => at,
    every(_, work) {
      look = work
      return { stop: () => {} }
    },
  })
  const pass = (seconds: number, requests: number) => {
    at += seconds * 1000
    sent += requests
    look()
  }
  return { ...run, pass, last: () => told.at(-1) }
}

const so = (suites: SuiteProgress[]): Progress => ({
  done: 3,
  checks: 12,
  filesLoaded: 4,
  filesDone: 1,
  files: 4,
  findings: 1,
  suites,
})

test('progress tells the areas, the requests of the last minute, and what is waited for and how long', () => {
  const { update, pass, last } = events()
  update(
    so([
      suite('v1-hotels/life', { checks: 2, done: 2, ended: true, failed: 1, requests: { v1: 9, v2: 0 } }),
      suite('v2-offers/gone', { checks: 4, done: 1, requests: { v1: 0, v2: 5 } }),
      suite('v2-offers/price', { checks: 5 }),
      suite('v2-vouchers/language', { checks: 1 }),
      suite('http/dates', { checks: 0 }),
    ]),
  )
  pass(30, 100)
  pass(61, 20)
  expect(last()).toMatchObject({
    event: 'progress',
    done: 3,
    checks: 12,
    broken: 1,
    requests: 120,
    seconds: 91,
    perMinute: 480,
    lastMinute: 20,
    limits: [{ version: 'v1', lastMinute: 120 }],
    waits: [{ what: 'a voucher of tickets', seconds: 100 }],
    text: expect.stringContaining('waiting for a voucher of tickets, at most 1 min 40 s'),
    areas: [
      { area: 'v1-hotels', state: 'ended', done: 2, checks: 2, failed: 1, requests: 9 },
      { area: 'v2-offers', state: 'running', done: 1, checks: 9, failed: 0, requests: 5 },
      { area: 'v2-vouchers', state: 'waiting', done: 0, checks: 1, failed: 0, requests: 0 },
    ],
  })
})
