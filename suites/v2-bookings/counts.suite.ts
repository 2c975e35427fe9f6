import {
  book,
  bookOnce,
  counted,
  describe,
  EVERY_KIND,
  read,
  settled,
  story,
  supplier,
} from '../../fixtures/test.ts'

const COUNTED = [counted, bookOnce, counted]
const OF_TESTS = [...COUNTED, supplier('does not answer, booked'), book, settled, read, counted]
const TESTED = { mode: ['test'], items: ['1', '3'] } as const

describe("the number of bookings by the deployment's own count", () => {
  story([...COUNTED], {
    title: 'matches the successful answers, for several items and a live credential',
    for: ['V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: { items: ['1', '2'], mode: ['test', 'live'] },
    kinds: EVERY_KIND,
  })

  story([...OF_TESTS], {
    title: 'shows none at the supplier for a test credential',
    for: ['TEST-MODE-V2-NOTHING-REAL', 'V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: TESTED,
    kinds: ['transfers', 'parkB', 'hotels'],
  })

  story([...OF_TESTS], {
    title: 'shows test bookings at operator A, none of them issued or charged',
    for: ['TEST-MODE-V2-PARK-A', 'V2-BOOK-COUNTED'],
    needs: ['control:counters'],
    over: TESTED,
    kinds: ['parkA'],
  })
})
