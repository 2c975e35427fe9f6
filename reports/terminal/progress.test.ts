import { expect, test } from 'vitest'
import type { Progress } from '../../fixtures/run/collected.ts'
import { createProgress, type Traffic } from './progress.ts'

const so = (done: number, more: Partial<Progress> = {}): Progress => ({
  done,
  checks: 200,
  findings: 0,
  ...more,
})

/** Shows progress on a simulated clock; `pass` advances it by some seconds, updating each second. */
function shown({ rewrites = false, columns = 200, traffic = (): Traffic | undefined => undefined } = {}) {
  const written: string[] = []
  let at = 0
  let look = () => {}
  const progress = createProgress({
    stream: { rewrites, columns, write: text => void written.push(text) },
    colour: false,
    traffic,
    now: () => at,
    every(_, work) {
      look = work
      return { stop: () => written.push('stopped') }
    },
  })
  const pass = (seconds: number, each: (second: number) => void = () => {}) => {
    for (let second = 0; second < seconds; second++) {
      at += 1000
      each(at / 1000)
      look()
    }
  }
  return { written, progress, pass }
}

test('is one changing line on a terminal, cut to its width, and removed at the end', () => {
  const { written, progress, pass } = shown({ rewrites: true, columns: 20 })
  progress.update(so(1))
  pass(1, () => progress.update(so(3, { findings: 1 })))
  progress.end()
  expect(written).toEqual([
    '\r1 of 200 checks, no\u001b[K',
    '\r3 of 200 checks, 1 \u001b[K',
    'stopped',
    '\r\u001b[K',
  ])
})

test('is a plain line every 30 seconds in a log, and none in a run of seconds', () => {
  const { written, progress, pass } = shown()
  pass(29, second => progress.update(so(second)))
  expect(written).toEqual([])
  pass(61, second => progress.update(so(second)))
  progress.end()
  expect(written).toEqual([
    '30 of 200 checks, nothing found, 30 s, about 3 min left\n',
    '60 of 200 checks, nothing found, 60 s, about 2.5 min left\n',
    '90 of 200 checks, nothing found, 90 s, about 110 s left\n',
    'stopped',
  ])
})

test('is shown before any check has ended, with what it waits for', () => {
  const traffic = (): Traffic => ({
    sent: 480,
    perMinute: 480,
    ahead: { checks: 193, v1: 400, v2: 0 },
    paced: [{ lastMinute: 480, share: 1, until: () => 39.2 }],
    waits: [{ what: 'the rate limit of standard', seconds: 39.2 }],
  })
  const { written, progress, pass } = shown({ traffic })
  pass(30)
  progress.update(so(7))
  pass(30)
  expect(written).toEqual([
    'starting, 480 requests, 30 s, waiting for the rate limit of standard, at most 40 s\n',
    '7 of 200 checks, 480 requests, nothing found, 60 s, about 40 s left, waiting for the rate limit of standard, at most 40 s\n',
  ])
})

const planned = (checks: number, more: Partial<Traffic> = {}): Traffic => ({
  sent: 900,
  perMinute: 480,
  ahead: { checks, v1: 2 * checks, v2: 0 },
  paced: [],
  waits: [],
  ...more,
})
const wait = { what: 'a voucher', seconds: 0.2 }

test.each<[string, Progress, Traffic, string]>([
  [
    'nothing is loaded yet',
    so(0, { checks: 0 }),
    planned(0, { ahead: undefined }),
    'starting, 900 requests, nothing found, 30 s\n',
  ],
  [
    'all that was planned has ended',
    so(781, { checks: 2400 }),
    planned(0),
    '781 of 781 checks, 900 requests, nothing found, 30 s\n',
  ],
  [
    'a wait is over, and not its last look',
    so(780, { checks: 2400 }),
    planned(1, { waits: [wait] }),
    '780 of 781 checks, 900 requests, nothing found, 30 s, waiting for a voucher\n',
  ],
  [
    'the run was stopped',
    so(400),
    planned(1, { isEnding: true }),
    '400 of 401 checks, 900 requests, nothing found, 30 s, ending and cleaning up\n',
  ],
])('is told where %s', (_, last, traffic, line) => {
  const { written, progress, pass } = shown({ traffic: () => traffic })
  progress.update(last)
  pass(30)
  expect(written).toEqual([line])
})
