import { describe, EVERY_KIND, story } from '../../fixtures/test.ts'

const COUNTED = '[bookings are counted], book once, [bookings are counted]'
const OF_TESTS = `${COUNTED}, [supplier does not answer, booked], book, [its result becomes known], read, [bookings are counted]`
const TESTED = { mode: ['test'], items: ['1', '3'] } as const

describe("the number of bookings by the deployment's own count", () => {
  story('matches the successful answers, for several items and a live credential', {
    steps: COUNTED,
    for: ['V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: { items: ['1', '2'], mode: ['test', 'live'] },
    kinds: EVERY_KIND,
  })

  story('shows none at the supplier for a test credential', {
    steps: OF_TESTS,
    for: ['TEST-MODE-V2-NOTHING-REAL', 'V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: TESTED,
    kinds: ['transfers', 'parkB', 'hotels'],
  })

  story('shows test bookings at operator A, none of them issued or charged', {
    steps: OF_TESTS,
    for: ['TEST-MODE-V2-PARK-A', 'V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: TESTED,
    kinds: ['parkA'],
  })
})
