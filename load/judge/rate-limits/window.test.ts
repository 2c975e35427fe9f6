import fc from 'fast-check'
import { expect, test } from 'vitest'
import { certainlyWithinAMinute, mostServed, type Seen } from './burst-limit.ts'

/** Returns whether a limiter admits a request at a time in seconds, which must not decrease. */
type Limiter = (now: number) => boolean

/** Returns a limiter with fixed windows, one of which begins at `phase`. */
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

test("the most served is the maximum over all minutes of the deployment's clock", () => {
  expect(mostServed(overrun(fixed(1000 - 30), 1), 1)).toBe(600)
  for (const scale of [1, 20]) expect(mostServed(overrun(sliding(), scale), scale)).toBe(500)
})

test('it is certain only if it holds for all positions of the windows', () => {
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
