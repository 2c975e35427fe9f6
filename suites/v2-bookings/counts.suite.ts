import { describe, EVERY_KIND, story } from '../../fixtures/test.ts'

const COUNTED = '[bookings are counted], book once, [bookings are counted]'
const OF_TESTS = `${COUNTED}, [source does not answer, booked], book, [it settles], read, [bookings are counted]`
const TESTED = { mode: ['test'], items: ['1', '3'] } as const

describe("bookings by the deployment's own count", () => {
  story('are as many as were answered, of several items and of a live credential', {
    steps: COUNTED,
    for: ['V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: { items: ['1', '2'], mode: ['test', 'live'] },
    kinds: EVERY_KIND,
  })

  story('of a test credential are not made at the source', {
    steps: OF_TESTS,
    for: ['TEST-MODE-V2-NOTHING-REAL', 'V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: TESTED,
    kinds: ['transfers', 'parkB', 'hotels'],
  })

  story('of a test credential are made at operator A, which issues and charges nothing', {
    steps: OF_TESTS,
    for: ['TEST-MODE-V2-PARK-A', 'V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: TESTED,
    kinds: ['parkA'],
  })
})
