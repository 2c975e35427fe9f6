import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostWithin } from './instants.ts'
import { certainlyWithinAMinute, mostServed, type Seen } from './window.ts'

/** Whether a limiter admits a request at that second; asked in the order of time. */
type Limiter = (now: number) => boolean

/** Minutes of a clock, of which one begins at `phase`. */
function fixed(phase: number): Limiter {
  let [window, count] = [Number.NaN, 0]
  return now => {
    const current = Math.floor((now - phase) / 60)
    if (current !== window) [window, count] = [current, 0]
    return ++count <= 500
  }
}

function sliding(): Limiter {
  let counted: number[] = []
  return now => {
    counted = counted.filter(time => now - time < 60)
    const isAdmitted = counted.length < 500
    if (isAdmitted) counted.push(now)
    return isAdmitted
  }
}

/** Three minutes of 600 requests each. */
const overrun = (limiter: Limiter, timeScale: number): Seen[] =>
  Array.from({ length: 1800 }, (_, index) => {
    const at = 1e12 + (index * 100) / timeScale
    return { at, took: 0, status: limiter(1000 + index / 10) ? 200 : 429 }
  })

test('the most that a minute served is that of any minute, in the time of the deployment', () => {
  expect(mostServed(overrun(fixed(1000 - 30), 1), 1)).toBe(600)
  for (const scale of [1, 20]) expect(mostServed(overrun(sliding(), scale), scale)).toBe(500)
})

test('it is what a naive count of every minute gives', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 60 }), times => {
      const naive = times.map(from => times.filter(at => at >= from && at < from + 60).length)
      expect(mostWithin(Float64Array.from(times).sort(), 60)).toBe(Math.max(0, ...naive))
    }),
  )
})

test('it is certain only where it is so in whatever minutes are counted', () => {
  const certain = (limiter: Limiter, timeScale: number) =>
    certainlyWithinAMinute(overrun(limiter, timeScale), timeScale)
  expect(certain(() => true, 1)).toBeGreaterThan(570)
  expect(certain(() => true, 20)).toBeGreaterThan(500)
  expect(certainlyWithinAMinute([], 1)).toBe(0)
  const phase = fc.double({ min: 0, max: 60, noNaN: true })
  fc.assert(
    fc.property(phase, fc.constantFrom(1, 20), (at, timeScale) => {
      expect(certain(fixed(at), timeScale)).toBeLessThanOrEqual(500)
      expect(certain(sliding(), timeScale)).toBeLessThanOrEqual(500)
    }),
    { numRuns: 25 },
  )
})
