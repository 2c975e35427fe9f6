import { describe, EVERY_KIND, pair, story } from '../../fixtures/test.ts'

describe('what must make no difference', () => {
  pair('a cancellation goes through as often once the voucher was read', {
    for: ['V2-CANCEL-ACCEPTED'],
    given: 'book, read',
    with: 'voucher',
    act: 'cancel',
    kinds: EVERY_KIND,
  })

  pair('a cancellation goes through as often once the booking was repeated', {
    for: ['V2-CANCEL-ACCEPTED'],
    given: 'book',
    with: 'again',
    act: 'cancel',
    kinds: EVERY_KIND,
  })

  pair('a cancellation goes through as often with a reason', {
    for: ['V2-CANCEL-REASON'],
    given: 'book',
    act: { with: 'cancel with a reason', without: 'cancel' },
    kinds: EVERY_KIND,
  })

  pair('a booking goes through as often after a check of its offer', {
    for: ['V2-OFFER-CHECK-ORIGINAL-BOOKABLE'],
    given: 'find',
    with: 'check',
    act: 'book once',
    kinds: EVERY_KIND,
  })

  pair('a booking goes through as often while another one runs', {
    for: ['V2-BOOK-CREATED-STATUS'],
    given: 'find',
    with: '[another booking is held]',
    act: 'book once',
    needs: ['control:outcome'],
    kinds: EVERY_KIND,
  })

  story('book, [another booking is held], read, voucher, again, cancel, read', {
    for: ['V2-BOOK-READ-SAME', 'V2-IDEM-REPLAY-STATUS', 'V2-CANCEL-ACCEPTED'],
    opportunistic: ['V2-VOUCHER-READY'],
    needs: ['control:outcome'],
    kinds: EVERY_KIND,
  })

  story('book, read by tester, again, read, cancel', {
    for: ['V2-BOOKING-TEST-MODE-LIVE', 'V2-BOOK-READ-SAME'],
    over: { mode: ['live'] },
    needs: ['control:mint', 'mode:live'],
    kinds: EVERY_KIND,
  })

  story('book, cancel, book two at once', { for: ['V2-BOOK-COUNTED'], kinds: EVERY_KIND })

  story('[another booking is held], book, read', {
    for: ['V2-BOOK-COUNTED', 'V2-BOOK-READ-SAME'],
    needs: ['control:outcome'],
    kinds: EVERY_KIND,
  })
})
