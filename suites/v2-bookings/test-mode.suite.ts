import { describe, EVERY_KIND, story } from '../../fixtures/test.ts'

const IN_TEST = { over: { mode: ['test'] } } as const

describe('test mode of a v2 booking', () => {
  story('book, read with X-Test-Mode false, book once with X-Test-Mode false, book once with X-Test-Mode 0', {
    for: ['V2-BOOKING-TEST-MODE-TEST', 'TEST-MODE-HEADER-V2'],
    ...IN_TEST,
  })

  story('[supplier does not answer, booked], book, read', {
    for: ['V2-BOOKING-TEST-MODE-TEST'],
    needs: ['control:outcome'],
    ...IN_TEST,
  })

  story('book, book once with test_mode in its body, book once with test_mode in its URL', {
    for: ['TEST-MODE-REQUEST-V2'],
    ...IN_TEST,
  })

  story('book, read with X-Test-Mode true, book once with X-Test-Mode true', {
    for: ['V2-BOOKING-TEST-MODE-LIVE', 'TEST-MODE-HEADER-LIVE-V2'],
    over: { mode: ['live'] },
    kinds: EVERY_KIND,
  })
})
