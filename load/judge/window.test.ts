import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostWithin } from './instants.ts'
import { certainlyWithinAMinute, observeWindow, type Seen, type WindowKind } from './window.ts'

/** Whether a limiter admits a request at that second; asked in the order of time. */
type Limiter = (now: number) => boolean

/** Windows of a clock, of which one begins at `phase`. */
function fixed(limit: number, length: number, phase: number): Limiter {
  let [window, count] = [Number.NaN, 0]
  return now => {
    const current = Math.floor((now - phase) / length)
    if (current !== window) [window, count] = [current, 0]
    return ++count <= limit
  }
}

/** Windows that open with the first request after the last one ended. */
function opening(limit: number, length: number): Limiter {
  let [from, count] = [Number.NEGATIVE_INFINITY, 0]
  return now => {
    if (now - from >= length) [from, count] = [now, 0]
    return ++count <= limit
  }
}

function sliding(limit: number, length: number, countsRefused = false): Limiter {
  let counted: number[] = []
  return now => {
    counted = counted.filter(time => now - time < length)
    const isAdmitted = counted.length < limit
    if (isAdmitted || countsRefused) counted.push(now)
    return isAdmitted
  }
}

/** A sliding window that is reckoned from two fixed ones. */
function weighted(limit: number, phase: number): Limiter {
  let [window, last, current] = [Number.NaN, 0, 0]
  return now => {
    const here = Math.floor((now - phase) / 60)
    if (here !== window) [last, current, window] = [here === window + 1 ? current : 0, 0, here]
    const share = 1 - (now - phase - here * 60) / 60
    const isAdmitted = last * share + current < limit
    if (isAdmitted) current++
    return isAdmitted
  }
}

function bucket(capacity: number, perMinute: number): Limiter {
  let [tokens, before] = [capacity, 0]
  return now => {
    tokens = Math.min(capacity, tokens + ((now - before) * perMinute) / 60)
    before = now
    if (tokens < 1) return false
    tokens--
    return true
  }
}

interface Drive {
  perMinute: number
  minutes: number
  /** Largest delay on the way to the limiter, in seconds of its clock. */
  jitter: number
  /** How many times faster its clock runs, in steps of `step` seconds of it. */
  timeScale: number
  step: number
  /** Requests at the very beginning, and the seconds between them and the others. */
  ahead: number
  gap: number
  seed: number
}

const PLAIN: Drive = {
  perMinute: 600,
  minutes: 3,
  jitter: 0.05,
  timeScale: 1,
  step: 0,
  ahead: 0,
  gap: 0,
  seed: 1,
}

/** Sends to a limiter, and observes. */
function driven(limiter: Limiter, how: Partial<Drive> = {}) {
  const { perMinute, minutes, jitter, timeScale, step, ahead, gap, seed } = { ...PLAIN, ...how }
  const random = randomFrom(seed)
  const steady = Array.from({ length: perMinute * minutes }, (_, index) => gap + (index * 60) / perMinute)
  const sent = [...Array.from({ length: ahead }, (_, index) => index / 100), ...steady]
  const arriving = sent.map(at => ({ at, due: at + random() * jitter })).sort((a, b) => a.due - b.due)
  const rows = arriving.map(({ at, due }): Seen => {
    const now = step === 0 ? due : Math.floor(due / step) * step
    const took = ((due - at + random() * jitter) * 1000) / timeScale
    return { at: 1e12 + (at * 1000) / timeScale, took, status: limiter(1000 + now) ? 200 : 429 }
  })
  return observeWindow(rows, timeScale)
}

function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const drive = fc.record({
  perMinute: fc.constantFrom(600, 1000),
  minutes: fc.integer({ min: 2, max: 4 }),
  jitter: fc.double({ min: 0, max: 0.3, noNaN: true }),
  timeScale: fc.constant(1),
  step: fc.constant(0),
  ahead: fc.constantFrom(0, 1, 100, 250),
  gap: fc.double({ min: 0, max: 40, noNaN: true }),
  seed: fc.nat(),
})

/** The same with a clock that is moved on in steps, twenty times as fast. */
const fast = drive.map(how => ({ ...how, timeScale: 20, step: 1, jitter: how.jitter * 3 }))

const phase = fc.double({ min: 0, max: 60, noNaN: true })
const limit = fc.constantFrom(500, 499, 60, 420)

/** Every kind of limiter, with what it is. */
const limiters: Record<string, { is: WindowKind; of: fc.Arbitrary<Limiter> }> = {
  'windows of a clock': { is: 'fixed', of: fc.tuple(limit, phase).map(([max, at]) => fixed(max, 60, at)) },
  'windows that open with a request': { is: 'fixed', of: limit.map(max => opening(max, 60)) },
  'windows of half a minute': { is: 'fixed', of: phase.map(at => fixed(250, 30, at)) },
  'windows of two minutes': { is: 'fixed', of: phase.map(at => fixed(1000, 120, at)) },
  'windows of ten seconds': { is: 'fixed', of: phase.map(at => fixed(83, 10, at)) },
  'windows of a second': { is: 'fixed', of: phase.map(at => fixed(8, 1, at)) },
  'a sliding minute': { is: 'sliding', of: limit.map(max => sliding(max, 60)) },
  'a sliding minute that counts refusals': { is: 'sliding', of: limit.map(max => sliding(max, 60, true)) },
  'half a sliding minute': { is: 'sliding', of: fc.constant(null).map(() => sliding(250, 30)) },
  'a sliding second': { is: 'sliding', of: fc.constant(null).map(() => sliding(8, 1)) },
  'a sliding minute that is reckoned': { is: 'sliding', of: phase.map(at => weighted(500, at)) },
  'a bucket': {
    is: 'bucket',
    of: fc.tuple(fc.integer({ min: 1, max: 600 }), limit).map(([size, max]) => bucket(size, max)),
  },
}

describe('the kind of window', () => {
  describe.each(Object.entries(limiters))('of %s', (_, { is, of }) => {
    test.each([
      ['a clock like ours', drive],
      ['a clock that is moved on', fast],
    ])('is never mistaken for another, on %s', (_, how) => {
      fc.assert(
        fc.property(of, how, (limiter, drive) => {
          expect([is, 'unclear']).toContain(driven(limiter, drive).kind)
        }),
        { numRuns: 10 },
      )
    })
  })

  test.each([1, 20])(
    'is seen to be fixed wherever a window is under way, at %d times the pace',
    timeScale => {
      for (let at = 15; at <= 45; at++) {
        const how = { timeScale, step: timeScale === 1 ? 0 : 1, seed: at }
        expect(driven(fixed(500, 60, 1000 - at), how)).toEqual({
          kind: 'fixed',
          mostAdmitted: expect.any(Number),
        })
      }
    },
  )

  test('is seen to be fixed after a lone request half a minute before', () => {
    expect(driven(opening(500, 60), { ahead: 1, gap: 30 }).kind).toBe('fixed')
  })

  test('of windows that begin with the overrun cannot be told from a sliding one', () => {
    expect(driven(opening(500, 60)).kind).toBe('unclear')
    expect(driven(sliding(500, 60)).kind).toBe('unclear')
  })

  test('is seen to be sliding where what was sent ahead is let go of in between', () => {
    const how = { perMinute: 1000, ahead: 100, gap: 21 }
    expect(driven(sliding(500, 60), how).kind).toBe('sliding')
    expect(driven(sliding(500, 60), { ...how, timeScale: 20, step: 1 }).kind).toBe('sliding')
    expect(driven(opening(500, 60), how).kind).toBe('fixed')
    expect(driven(opening(500, 60), { ...how, timeScale: 20, step: 1 }).kind).toBe('fixed')
  })

  test('is seen to be a bucket where tokens flow in evenly', () => {
    expect(driven(bucket(40, 500)).kind).toBe('bucket')
    expect(driven(bucket(500, 500), { minutes: 10 }).kind).toBe('bucket')
  })

  test('is unclear without refusals, and without anything at all', () => {
    expect(driven(() => true).kind).toBe('unclear')
    expect(driven(() => false).kind).toBe('unclear')
    expect(observeWindow([], 1)).toEqual({ kind: 'unclear', mostAdmitted: 0 })
  })

  test('does not depend on the order in which requests are told', () => {
    const limiter = fixed(500, 60, 970)
    const rows = Array.from({ length: 1800 }, (_, index): Seen => {
      const at = index * 100
      return { at, took: 10, status: limiter(1000 + at / 1000) ? 200 : 429 }
    })
    expect(observeWindow(rows, 1).kind).toBe('fixed')
    expect(observeWindow(rows.toReversed(), 1)).toEqual(observeWindow(rows, 1))
  })
})

describe('the most that a minute admitted', () => {
  test('is that of any minute, in the time of the deployment', () => {
    expect(driven(fixed(500, 60, 1000 - 30), { jitter: 0 }).mostAdmitted).toBe(600)
    expect(driven(sliding(500, 60), { jitter: 0 }).mostAdmitted).toBe(500)
    expect(driven(sliding(500, 60), { jitter: 0, timeScale: 20 }).mostAdmitted).toBe(500)
  })

  test('is what a naive count of every minute gives', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 60 }), times => {
        const sorted = Float64Array.from(times).sort()
        const naive = Math.max(
          0,
          ...times.map(from => times.filter(at => at >= from && at < from + 60).length),
        )
        expect(mostWithin(sorted, 60)).toBe(naive)
      }),
    )
  })

  test('is certain only where it is so in whatever minutes are counted', () => {
    const certain = (limiter: Limiter, timeScale: number) =>
      certainlyWithinAMinute(
        Array.from({ length: 1800 }, (_, index): Seen => {
          const at = (index * 100) / timeScale
          return { at, took: 0, status: limiter(1000 + index / 10) ? 200 : 429 }
        }),
        timeScale,
      )
    expect(certain(() => true, 1)).toBeGreaterThan(570)
    expect(certain(() => true, 20)).toBeGreaterThan(500)
    expect(certainlyWithinAMinute([], 1)).toBe(0)
    fc.assert(
      fc.property(phase, fc.constantFrom(1, 20), (at, timeScale) => {
        expect(certain(fixed(500, 60, at), timeScale)).toBeLessThanOrEqual(500)
        expect(certain(sliding(500, 60), timeScale)).toBeLessThanOrEqual(500)
      }),
      { numRuns: 25 },
    )
  })
})
