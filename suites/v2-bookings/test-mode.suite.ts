import {
  book,
  bookOnce,
  bookWith,
  describe,
  EVERY_KIND,
  having,
  read,
  story,
  supplier,
} from '../../fixtures/test.ts'

const IN_TEST = { over: { mode: ['test'] } } as const

describe('test mode of a v2 booking', () => {
  story(
    [
      book,
      having('X-Test-Mode', 'false', read),
      having('X-Test-Mode', 'false', bookOnce),
      having('X-Test-Mode', '0', bookOnce),
    ],
    {
      for: ['V2-BOOKING-TEST-MODE-TEST', 'TEST-MODE-HEADER-V2'],
      ...IN_TEST,
    },
  )

  story([supplier('does not answer, booked'), book, read], {
    for: ['V2-BOOKING-TEST-MODE-TEST'],
    needs: ['control:outcome'],
    ...IN_TEST,
  })

  story([book, bookWith('test_mode in its body'), bookWith('test_mode in its URL')], {
    for: ['TEST-MODE-REQUEST-V2'],
    ...IN_TEST,
  })

  story([book, having('X-Test-Mode', 'true', read), having('X-Test-Mode', 'true', bookOnce)], {
    for: ['V2-BOOKING-TEST-MODE-LIVE', 'TEST-MODE-HEADER-LIVE-V2'],
    over: { mode: ['live'] },
    kinds: EVERY_KIND,
  })
})
