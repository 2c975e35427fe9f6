import { describe, expect, test } from 'vitest'
import { CLAUSES, type ClauseId } from '../../../fixtures/clauses/index.ts'
import { brokenIn, load, onlyRun, verdictsOf } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'
import { drawn } from '../testing/commit-draw.ts'

// The faults are counted, not timed, so these tests can run beside others.

const decidedIn = (cwd: string) =>
  [...verdictsOf(onlyRun(cwd))].filter(([, verdict]) => ['conforms', 'violates'].includes(verdict)).sort()

/** Expects that its recording is judged as the run was. */
async function expectSameOf(run: string) {
  const cwd = freshFolder()
  await runTss(['audit', onlyRun(run)], { cwd })
  expect(decidedIn(cwd)).toEqual(decidedIn(run))
}

// Faults at once where neither says anything about the other: one is of v1 and one of v2, or they are of how much is served,
// for whom, and of how it is refused. rate-limits.test.ts tries each count alone: one request more than are allowed shows unless a minute
// begins within both bursts.
describe('a burst shows what is wrong with a rate limit', () => {
  // Each commit draws one.
  const bursts: readonly (readonly [string, readonly ClauseId[]])[] = [
    [
      'v1-serves-499+limit-v1-429-retry-after-missing+limit-v2-429-retry-after-missing',
      ['LIMIT-V1-SERVES-500', 'LIMIT-V1-429-LIMIT', 'LIMIT-V1-429-RETRY-AFTER', 'LIMIT-V2-429-RETRY-AFTER'],
    ],
    [
      'v2-serves-499+v2-counts-by-company+v2-limited-with-the-body-of-v1',
      [
        'LIMIT-V2-SERVES-500',
        'LIMIT-V2-COMPANY-CREDENTIALS',
        'V2-ERR-ENVELOPE',
        'V2-ERR-ENVELOPE-LIMIT',
        'LIMIT-V2-429-CODE',
      ],
    ],
    [
      'v1-counts-everybody-together+v2-limited-as-503+v1-limited-with-the-body-of-v2',
      [
        'LIMIT-V1-PER-CREDENTIAL',
        'V2-ERR-STATUS-RATE-LIMITED',
        'LIMIT-V2-429-STATUS',
        'LIMIT-V1-429-ERROR',
        'LIMIT-V1-429-MESSAGE',
        'LIMIT-V1-429-CODE',
        'LIMIT-V1-429-LIMIT',
        'LIMIT-V1-429-WINDOW',
      ],
    ],
  ]
  test.for(drawn(bursts, 1, ([variant]) => variant))('%s', async ([variant, clauses]) => {
    const { code, record, cwd } = await load(['--scenario', 'rate-limit-burst', '--variant', variant])
    expect(new Set(brokenIn(record))).toEqual(new Set(clauses))
    // Findings against recommendations turn nothing red.
    expect(code).toBe(clauses.some(id => CLAUSES[id].level === 'must') ? 1 : 0)
    await expectSameOf(cwd)
  })
})

test('what books twice under contention, in either version, and a search of v1 that loses a hotel between two polls are found', async () => {
  const variant = 'keys-not-taken-at-once+v1-park-a-references-not-taken-at-once+v1-search-drops-a-hotel'
  const { code, record, cwd } = await load([
    '--scenario',
    'booking-contention,search-polling',
    '--variant',
    variant,
  ])
  const [races, others] = [true, false].map(isRace =>
    brokenIn(record).filter(id => /-IDEM\b/.test(id) === isRace),
  )
  expect(races).toEqual(expect.arrayContaining(['V2-IDEM-RACE-ONE-BOOKING', 'V1-IDEM-NEVER-TWO-PARK-A']))
  expect(others).toEqual(['V1-HOTEL-SEARCH-CUMULATIVE'])
  expect(code).toBe(1)
  await expectSameOf(cwd)
})
