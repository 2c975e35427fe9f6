import type { JsonObject } from '../../fixtures/contracts/reading.ts'
import { describe, EVERY_KIND, test } from '../../fixtures/test.ts'

describe('POST /api/v2/bookings: what a booking must hold', () => {
  test('a booking without items is refused', {
    tags: ['V2-BOOK-ITEMS-REQUIRED', 'V2-ERR-STATUS-VALIDATION-ERROR'],
  }, async ({ v2, given, expect }) => {
    const body = given.bookingBody([await given.offer()], 'no items')
    const { items: _, ...without } = body
    const answer = await v2.book({ key: given.idempotencyKey(), body: without })
    expect(answer).toFailWith('VALIDATION_ERROR')
    expect(answer).toReportField('items')
    given.accepted(await v2.book({ key: given.idempotencyKey(), body }), 'the same booking with its items')
  })

  test('an item without offer_id is refused, whichever item it is', {
    tags: ['V2-BOOK-OFFER-ID-REQUIRED', 'V2-VALIDATION-PATH', 'V2-VALIDATION-REQUIRED'],
    kinds: EVERY_KIND,
  }, async ({ v2, given, expect }) => {
    const offers = await given.offers(2)
    for (const place of [0, 1]) {
      const body = given.bookingBody(offers)
      delete (body.items as JsonObject[])[place]!.offer_id
      const answer = await v2.book({ key: given.idempotencyKey(), body })
      expect(answer, 'V2-BOOK-OFFER-ID-REQUIRED').toFailWith('VALIDATION_ERROR')
      expect(answer, 'V2-VALIDATION-PATH').toReportField(`items[${place}].offer_id`)
      expect(answer, 'V2-VALIDATION-REQUIRED').toReportField(`items[${place}].offer_id`, 'REQUIRED')
    }
    const body = given.bookingBody(offers)
    given.accepted(await v2.book({ key: given.idempotencyKey(), body }), 'the same booking with both')
  })
})
