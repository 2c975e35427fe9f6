import { soldOnce } from '../../fixtures/check/buying/index.ts'
import {
  assume,
  book,
  bookTogether,
  check,
  counted,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  find,
  offers,
  rate,
  repeat,
  stock,
  story,
  test,
} from '../../fixtures/test.ts'

describe('an offer that is no longer available', () => {
  story([find, rate('is gone before the check'), check, rate('is gone'), book, repeat], {
    for: ['V2-OFFER-GONE-CHECK', 'V2-OFFER-GONE-BOOK', 'V2-ERR-STATUS-OFFER-EXPIRED'],
    needs: ['control:outcome'],
    kinds: EVERY_SORT,
  })

  story([find('one'), offers('lose their rates'), counted, bookTogether, counted], {
    for: ['V2-OFFER-GONE-BOOK', 'V2-BOOK-REFUSED-NOTHING'],
    over: { items: ['3'], position: ['first', 'last'] },
    kinds: EVERY_KIND,
  })

  // Hotel offers have separate clauses.
  story([find, offers('lose their rates'), check, check, book, repeat, book], {
    for: ['V2-OFFER-GONE-CHECK', 'V2-OFFER-GONE-BOOK'],
    kinds: ['transfers', 'parkA', 'parkB'],
  })

  story([find, stock('is sold out'), check, book, book, stock('has one left'), book], {
    for: ['V2-NO-AVAILABILITY-CHECK', 'V2-NO-AVAILABILITY-BOOK', 'V2-ERR-STATUS-NO-AVAILABILITY'],
    needs: ['control:stock'],
    kinds: EVERY_SORT,
  })

  test('is booked only once if it is the last one', {
    tags: ['V2-NO-AVAILABILITY-BOOK'],
    kinds: EVERY_KIND,
    forReal: false,
  }, async ({ arrange, control, expect }) => {
    assume(arrange.realIsFree, 'a deployment on which real bookings are free')
    const actor = await arrange.actor('live')
    const offer = await arrange.offer({ actor })
    await soldOnce({ expect }, 'V2-NO-AVAILABILITY-BOOK', {
      what: 'one',
      left: count => control.setStock(actor, offer.productId, count),
      buy: () => actor.v2.book({ key: arrange.key(), body: arrange.anyBody([offer]) }),
      // What is pending may yet fail.
      isSold: ({ response }) => response.status === 201,
    })
  })
})
