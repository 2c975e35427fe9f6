import { describe, expect, test } from 'vitest'
import type { SuiteProgress } from '../../fixtures/run/collected.ts'
import { createRest } from './remaining-time.ts'
import { usualOf } from './usual-requests.ts'

/** Suites of both versions, in the order in which a run begins them: those that wait first, those that cancel last. */
const SUITES = [
  ...['v1-orders/voucher', 'v2-vouchers/vouchers', 'http/endpoints', 'http/isolation', 'v1-hotels/accounts'],
  ...['v1-hotels/check-price', 'v1-hotels/confirm', 'v1-idempotency/replay', 'v1-park-a/confirm'],
  ...['v1-orders/totals', 'v1-hotels/confirm-refusals', 'v2-hotels/offers', 'v2-bookings/travelers'],
  ...['v2-bookings/create', 'v2-bookings/idempotency-replay', 'v2-offers/check', 'v2-bookings/lives'],
  ...['v2-bookings/idempotency-bodies', 'v1-orders/cancel', 'v2-bookings/cancel'],
].map(name => `suites/${name}.suite.ts`)

const PER_MINUTE = 120
const AT_ONCE = 24

type Version = 'v1' | 'v2'

/** A check that has still to send something. */
interface Check {
  suite: SuiteProgress
  left: { version: Version; isStandard: boolean }[]
  own: { v1: number; v2: number }
}

/** Returns the checks of the suites, whose requests are a multiple of the usual. */
function checksOf(suites: readonly SuiteProgress[], factor: number): Check[] {
  return suites.flatMap(suite => {
    const usual = usualOf(suite.file)
    const owed = { v1: 0, v2: 0 }
    return Array.from({ length: suite.checks! }, () => {
      const left = (['v1', 'v2'] as const).flatMap(version => {
        owed[version] += (factor * usual[version]) / usual.checks
        const requests = Math.floor(owed[version])
        owed[version] -= requests
        const standard = Math.round((requests * usual.standard[version]) / Math.max(1, usual[version]))
        return Array.from({ length: requests }, (_, at) => ({ version, isStandard: at < standard }))
      })
      return { suite, left, own: { v1: 0, v2: 0 } }
    })
  })
}

/** Simulates a run second by second. Returns the remaining time told in each, and when it ended. */
function simulated(factor: number) {
  const suites = SUITES.map(
    (file): SuiteProgress => ({
      file,
      checks: usualOf(file).checks,
      done: 0,
      ended: false,
      failed: 0,
      requests: { v1: 0, v2: 0 },
    }),
  )
  const waiting = checksOf(suites, factor)
  const checks = waiting.length
  const running: Check[] = []
  const rings = { v1: ring(), v2: ring() }
  const rest = createRest()
  const told: (number | undefined)[] = []
  const sent = { v1: 0, v2: 0 }
  let [done, second] = [0, 0]
  for (; done < checks; second++) {
    while (running.length < AT_ONCE && waiting.length > 0) running.push(waiting.shift()!)
    for (const check of [...running]) {
      // A check sends at most five requests a second, one after the other.
      for (let more = 5; more > 0 && check.left.length > 0; more--) {
        const { version, isStandard } = check.left[0]!
        if (isStandard && !rings[version].use(second)) break
        check.left.shift()
        check.own[version]++
        sent[version]++
      }
      if (check.left.length > 0) continue
      running.splice(running.indexOf(check), 1)
      check.suite.done++
      for (const version of ['v1', 'v2'] as const) check.suite.requests[version] += check.own[version]
      done++
    }
    const paced = (['v1', 'v2'] as const).map(version => rings[version].state(sent[version], second))
    told[second] = rest({
      elapsed: second,
      done,
      checks,
      sent: sent.v1 + sent.v2,
      suites,
      paced,
      perMinute: PER_MINUTE,
      atOnce: AT_ONCE,
    })
  }
  return { told, end: second }
}

/** The requests of the standard credential in one version. */
function ring() {
  const used = Array.from({ length: PER_MINUTE }, () => Number.NEGATIVE_INFINITY)
  return {
    use(now: number): boolean {
      if (used[0]! + 60 > now) return false
      used.shift()
      used.push(now)
      return true
    },
    state: (sent: number, now: number) => ({
      sent,
      lastMinute: used.filter(at => at > now - 60).length,
      until: (more: number) =>
        Math.max(0, used[(more - 1) % PER_MINUTE]! + 60 - now) + 60 * Math.floor((more - 1) / PER_MINUTE),
    }),
  }
}

describe('a run against the limits of both versions', () => {
  test.each([
    ['that needs what is usual', 1],
    ['that needs half as much again', 1.5],
    ['that needs two thirds of it', 0.66],
  ])('%s is right within a third from the first minute on', (_, factor) => {
    const { told, end } = simulated(factor)
    expect(end).toBeGreaterThan(240)
    for (let second = 60; end - second > 60; second++) {
      const really = end - second
      const off = Math.abs((told[second] ?? 0) - really)
      expect(off, `after ${second} of ${end} s: ${told[second]}`).toBeLessThanOrEqual(really / 3)
    }
  })
})

test('nothing is estimated before the first checks have ended, nor after the last', () => {
  const rest = createRest()
  const moment = { sent: 30, suites: [], paced: [], perMinute: 480, atOnce: 24 }
  expect(rest({ ...moment, elapsed: 8, done: 0, checks: 100 })).toBeUndefined()
  expect(rest({ ...moment, elapsed: 18, done: 10, checks: 100 })).toBe(90)
  expect(rest({ ...moment, elapsed: 90, done: 100, checks: 100 })).toBeUndefined()
})
