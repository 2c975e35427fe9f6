import {
  anotherRuns,
  book,
  bookAnother,
  bookOnce,
  bookTwoAtOnce,
  by,
  cancel,
  check,
  describe,
  EVERY_KIND,
  find,
  getVoucher,
  having,
  pair,
  read,
  repeat,
  story,
  voucherIsReady,
} from '../../fixtures/test.ts'

describe('what must make no difference', () => {
  pair('a cancellation succeeds as often after the voucher was read', {
    for: ['V2-CANCEL-ACCEPTED'],
    given: [book, read],
    with: getVoucher,
    act: cancel,
    kinds: EVERY_KIND,
  })

  pair('a cancellation succeeds as often after the booking was repeated', {
    for: ['V2-CANCEL-ACCEPTED'],
    given: [book],
    with: repeat,
    act: cancel,
    kinds: EVERY_KIND,
  })

  pair('a cancellation succeeds as often with a reason', {
    for: ['V2-CANCEL-REASON'],
    given: [book],
    act: { with: cancel({ reason: 'Avión cancelado' }), without: cancel },
    kinds: EVERY_KIND,
  })

  pair('a booking succeeds as often with a charset beside the media type', {
    for: ['V2-BOOK-CREATED-STATUS'],
    given: [find],
    act: { with: having('Content-Type', 'application/json; charset=utf-8', bookOnce), without: bookOnce },
    kinds: EVERY_KIND,
  })

  pair('a booking succeeds as often after its offer was checked', {
    for: ['V2-OFFER-CHECK-ORIGINAL-BOOKABLE'],
    given: [find],
    with: check,
    act: bookOnce,
    kinds: EVERY_KIND,
  })

  pair('a booking succeeds as often while another one is running', {
    for: ['V2-BOOK-CREATED-STATUS'],
    given: [find],
    with: anotherRuns,
    act: bookOnce,
    needs: ['control:outcome'],
    kinds: EVERY_KIND,
  })

  story([book, voucherIsReady, anotherRuns, read, getVoucher, repeat, bookAnother, cancel, read], {
    for: ['V2-BOOK-READ-SAME', 'V2-IDEM-REPLAY-STATUS', 'V2-CANCEL-ACCEPTED'],
    opportunistic: ['V2-VOUCHER-READY'],
    needs: ['control:outcome'],
    kinds: EVERY_KIND,
  })

  story([book, anotherRuns, by('another company', read, getVoucher), read], {
    for: ['TENANCY-V2-READ', 'TENANCY-V2-VOUCHER'],
    needs: ['control:outcome', 'role:otherCompany'],
    kinds: EVERY_KIND,
  })

  story([book, by('test credential', read), repeat, read, cancel], {
    for: ['V2-BOOKING-TEST-MODE-LIVE', 'V2-BOOK-READ-SAME'],
    over: { mode: ['live'] },
    needs: ['control:mint', 'mode:live'],
    kinds: EVERY_KIND,
  })

  story([book, cancel, bookTwoAtOnce], { for: ['V2-BOOK-COUNTED'], kinds: EVERY_KIND })

  story([anotherRuns, book, read], {
    for: ['V2-BOOK-COUNTED', 'V2-BOOK-READ-SAME'],
    needs: ['control:outcome'],
    kinds: EVERY_KIND,
  })
})
